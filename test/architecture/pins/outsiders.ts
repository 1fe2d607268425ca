/** What a failing pin says. */
export function outsiders(what: string): string {
  return `${what}: outsiders see this. Applications, models, scripts and stored records rely on it, so a change must be decided (docs/decisions, a version) before this pin is changed.`
}
