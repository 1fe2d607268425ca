import { Stops } from '../bracket-end.ts'
import type { TextFormat } from '../text-format.ts'
import { WrappedReader, type Wrapping } from '../wrapped-reader.ts'

/** What some servers leave at the end of a message. */
export const endOfTurn = ['<|eom_id|>', '<|eot_id|>', '<|im_end|>', '<|end_of_text|>', '</s>', '<|call|>', '<turn|>']

/**
 * A format whose calls stand between a mark and its end.
 *
 * @param pairs each mark with what ends it; no end: the call ends with its body.
 */
export function wrappedFormat(
  name: string,
  pairs: readonly (readonly [mark: string, ...closers: string[]])[],
): TextFormat {
  const marks = pairs.map(([mark]) => mark)
  const wrappings = new Map<string, Wrapping>()
  for (const [mark, ...own] of pairs) {
    const closers = [...own, ...endOfTurn]
    wrappings.set(mark, { mark, closers, openers: marks, stops: new Stops([...closers, ...marks]) })
  }
  return {
    name,
    place: 'anywhere',
    starts: () => marks,
    open(mark, context) {
      const wrapping = wrappings.get(mark)
      if (wrapping === undefined) throw new TypeError(`\`${mark}\` is no mark of \`${name}\``)
      return new WrappedReader(wrapping, context)
    },
  }
}
