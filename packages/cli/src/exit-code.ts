/** What a script can tell from how the command ended. Pinned. */
export const exitCode = {
  /** Done. */
  ok: 0,
  /** The call ended without data, a check failed, or the ledger has a problem. */
  failed: 1,
  /** The command line could not be read. */
  usage: 2,
  /** No server answers. */
  unreachable: 3,
  /** The call waits for a person's approval. */
  waiting: 4,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]
