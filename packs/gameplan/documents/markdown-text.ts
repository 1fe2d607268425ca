/** Lines that would change a document's structure: headings, underlines of headings, fences. */
const structural = /^(\s{0,3})(\\*(?:#|`{3}|~{3}|=+\s*$|-+\s*$))/
const escapedStructural = /^(\s{0,3})\\(\\*(?:#|`{3}|~{3}|=+\s*$|-+\s*$))/

/**
 * People's text as part of a markdown document: it cannot open a heading or a fence of its own, nor bring HTML along.
 * `readMarkdownText` gives it back as it was.
 */
export function writeMarkdownText(text: string): string {
  return inlineMarkdown(text)
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(structural, '$1\\$2'))
    .join('\n')
}

/** What `writeMarkdownText` was given, with `\n` as line end. */
export function readMarkdownText(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => line.replace(escapedStructural, '$1$2'))
    .join('\n')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
}

/** A text inside a line that already has a form: a heading, a list item, a cell. */
export function inlineMarkdown(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** The same on one line. */
export function oneLineMarkdown(text: string): string {
  return inlineMarkdown(text).replace(/\s+/g, ' ').trim()
}
