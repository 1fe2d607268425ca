import { parseJson } from '../json/parse-json.ts'
import {
  type CallReader,
  more,
  type Reading,
  type ReadingAt,
  type ReadingContext,
  type TextFormat,
} from '../text-format.ts'

const child = /\s*<([A-Za-z_][\w.-]*)>/y

/** The tool's name as the tag: `<get_page><id>7</id></get_page>`. */
export const toolTags: TextFormat = {
  name: 'tool-tags',
  place: 'line',
  starts: (tools) => tools.names.map((name) => `<${name}>`),
  open: (mark, context) => new ToolTagReader(mark, context),
}

class ToolTagReader implements CallReader {
  private readonly mark: string
  private readonly closer: string
  private readonly context: ReadingContext
  private done: number

  constructor(mark: string, context: ReadingContext) {
    this.mark = mark
    this.closer = `</${mark.slice(1)}`
    this.context = context
    this.done = mark.length
  }

  read({ text, start, final }: ReadingAt): Reading {
    const none: Reading = { kind: 'text', resume: start + this.mark.length }
    const first = /\S/.exec(text.slice(start + this.mark.length, start + this.mark.length + 50))?.[0]
    if (first !== undefined && first !== '<' && first !== '{') return none
    const close = text.indexOf(this.closer, start + this.done)
    if (close === -1) {
      this.done = Math.max(this.done, text.length - this.closer.length - start)
      return final ? { ...none, read: text.length } : more
    }
    const end = close + this.closer.length
    const written = this.argumentsOf(text.slice(start + this.mark.length, close))
    if (written === undefined) return { ...none, read: end }
    return { kind: 'calls', end, drafts: [{ name: this.mark.slice(1, -1), arguments: written, certainty: 'clean' }] }
  }

  private argumentsOf(body: string) {
    if (body.trim().startsWith('{')) {
      const parsed = parseJson(body.trim(), this.context.repairs)
      return parsed === undefined ? undefined : ({ kind: 'values', value: parsed.value } as const)
    }
    const name = this.mark.slice(1, -1)
    const schema = this.context.tools.find(name)?.parameters
    const declared = typeof schema === 'object' ? (schema.properties ?? {}) : {}
    const texts = new Map<string, string>()
    let at = 0
    for (;;) {
      child.lastIndex = at
      const key = child.exec(body)?.[1]
      if (key === undefined) break
      const close = body.indexOf(`</${key}>`, child.lastIndex)
      // A tag that is no parameter makes it markup, not a call.
      if (close === -1 || !Object.hasOwn(declared, key)) return undefined
      texts.set(key, body.slice(child.lastIndex, close))
      at = close + key.length + 3
    }
    if (body.slice(at).trim() !== '') return undefined
    // `<details></details>` is markup too: without parameters, the name must be one that no markup has.
    if (texts.size === 0 && !/[_\d-]/.test(name)) return undefined
    return { kind: 'texts', texts } as const
  }
}
