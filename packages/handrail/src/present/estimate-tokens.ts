const bytesPerToken = 3

/**
 * How many tokens a value costs as JSON: a third of its UTF-8 bytes, rounded up. Prose and JSON take 3.3 to 4.5 bytes a
 * token with the tokenizers in use, so this errs on the side of too many; only random hex and digits take fewer (about
 * 2). One rule for every model, so that a budget means the same before a model is chosen.
 *
 * @example estimateTokens({ name: 'Combat System' }) // 9
 */
export function estimateTokens(value: unknown): number {
  return Math.ceil(jsonBytes(value) / bytesPerToken)
}

/** The bytes of JSON that a budget in tokens allows. */
export function bytesFor(tokens: number): number {
  return Math.floor(tokens * bytesPerToken)
}

/** UTF-8 bytes of a value as JSON text. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}
