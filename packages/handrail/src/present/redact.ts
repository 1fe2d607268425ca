/** What is masked before a result leaves the gate. All built-in kinds are on unless switched off. */
export interface RedactionOptions {
  email?: boolean
  phone?: boolean
  iban?: boolean
  card?: boolean
  secret?: boolean
  /** Field names whose values are masked whatever they hold, compared without case and separators. */
  fields?: readonly string[]
  patterns?: readonly { name: string; pattern: RegExp }[]
}
