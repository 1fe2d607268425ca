/** How sure the reading of the arguments is. */
export type Certainty =
  /** As the format's rules have it. */
  | 'clean'
  /** Written in a neighbouring dialect, or mended in a way that has one reading. */
  | 'mended'
  /** The end of a string had to be worked out from what stands around it. */
  | 'guessed'

/** A call as it was written, before anyone looked whether there is such a tool. */
export interface CallDraft {
  name: string
  /** `undefined`: none were written. `values`: as JSON. `texts`: one text per parameter, whose type only the schema knows. */
  arguments:
    | { kind: 'none' }
    | { kind: 'values'; value: unknown }
    | { kind: 'texts'; texts: ReadonlyMap<string, string> }
    | { kind: 'positional'; values: readonly unknown[] }
  certainty: Certainty
}
