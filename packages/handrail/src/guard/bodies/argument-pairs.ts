import type { CallDraft } from './call-draft.ts'

const pair = /\s*(?:\\n)*\s*<([a-z_]*)arg_key>([\s\S]*?)<\/\1arg_key>\s*(?:\\n)*\s*<\1arg_value>/y
const head = /^\s*([\w.:/-]+?)(?:\\n)*\s*(?=<|$)/
const assignment = /\s+([A-Za-z_]\w*)=("[^"]*"|'[^']*'|\S+)/y

/**
 * GLM and LongCat: the tool's name, then keys and values in tags. Also a name alone, and `name key=value`.
 *
 * @returns nothing if anything else stands there.
 */
export function argumentPairs(text: string): CallDraft[] | undefined {
  const name = head.exec(text)
  if (name?.[1] === undefined) return assignments(text)
  const texts = new Map<string, string>()
  let at = name[0].length
  for (;;) {
    pair.lastIndex = at
    const match = pair.exec(text)
    if (match === null) break
    const [, prefix = '', key = ''] = match
    const closer = `</${prefix}arg_value>`
    const end = text.indexOf(closer, pair.lastIndex)
    const stop = end === -1 ? text.length : end
    texts.set(key.trim(), text.slice(pair.lastIndex, stop))
    at = end === -1 ? stop : end + closer.length
  }
  if (text.slice(at).replaceAll('\\n', '').trim() !== '') return undefined
  return [{ name: name[1], arguments: { kind: 'texts', texts }, certainty: 'clean' }]
}

function assignments(text: string): CallDraft[] | undefined {
  const name = /^\s*([\w.-]+)/.exec(text)
  if (name?.[1] === undefined) return undefined
  const texts = new Map<string, string>()
  let at = name[0].length
  for (;;) {
    assignment.lastIndex = at
    const match = assignment.exec(text)
    if (match === null) break
    const [, key = '', value = ''] = match
    texts.set(key, /^["']/.test(value) ? value.slice(1, -1) : value)
    at = assignment.lastIndex
  }
  if (texts.size === 0 || text.slice(at).trim() !== '') return undefined
  return [{ name: name[1], arguments: { kind: 'texts', texts }, certainty: 'clean' }]
}
