/** A piece of a text to be masked. */
export interface Span {
  start: number
  end: number
  placeholder: string
}

/** Replaces the spans, which lie in order; one that overlaps the one before is left to it. */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  let masked = ''
  let position = 0
  for (const span of spans) {
    if (span.start < position) continue
    masked += text.slice(position, span.start) + span.placeholder
    position = span.end
  }
  return masked + text.slice(position)
}
