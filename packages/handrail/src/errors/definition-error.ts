/** The developer must act: something that was defined cannot work. Lists every problem at once. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError'
  readonly code = 'DEFINITION'
  readonly isReportable = true
  readonly problems: readonly string[]

  constructor(subject: string, problems: readonly string[]) {
    super(`${subject} cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}
