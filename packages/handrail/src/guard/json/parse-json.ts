import { jsonrepair } from 'jsonrepair'
import type { Certainty } from '../bodies/call-draft.ts'
import { mendStrings } from './mend-strings.ts'
import { readLiteral } from './read-literal.ts'
import type { RepairAllowance } from './repair-allowance.ts'
import { repairQuotes } from './repair-quotes.ts'

export interface ParsedJson {
  value: unknown
  certainty: Certainty
}

/**
 * Parses JSON as models write it. The first of these that succeeds, surest first: as it is; strings mended; brackets
 * too many at the end left out; quotes inside strings escaped; read as JSON5 or Python; repaired by jsonrepair.
 *
 * @returns nothing when the text cannot be read, or only in more than one way.
 */
export function parseJson(text: string, repairs: RepairAllowance): ParsedJson | undefined {
  const strict = attempt(text, repairs)
  if (strict !== undefined) return { value: strict.value, certainty: 'clean' }
  const body = text.trim()
  if (!/^[[{/]/.test(body) || body.length > repairs.mending || repairs.failures <= 0) return undefined
  repairs.mending -= body.length
  const mended = mendStrings(body)
  const sound = attempt(mended, repairs) ?? withoutExtraClosers(mended, repairs)
  if (sound !== undefined) return { value: sound.value, certainty: 'mended' }
  const withQuotes = repairQuotes(mended)
  const quoted =
    withQuotes === undefined ? undefined : (attempt(withQuotes, repairs) ?? withoutExtraClosers(withQuotes, repairs))
  if (quoted !== undefined) return { value: quoted.value, certainty: 'guessed' }
  const relaxed = readLiteral(body, 0, true)
  if (relaxed !== undefined && /^[\s}\];]*$/.test(body.slice(relaxed.end)))
    return { value: relaxed.value, certainty: 'mended' }
  return lastResort(body, repairs)
}

function attempt(text: string, repairs: RepairAllowance): { value: unknown } | undefined {
  if (repairs.failures <= 0) return undefined
  try {
    return { value: JSON.parse(text) }
  } catch {
    repairs.failures--
    return undefined
  }
}

/** `{"a":1}}`: up to three brackets at the end that nothing opened. */
function withoutExtraClosers(text: string, repairs: RepairAllowance): { value: unknown } | undefined {
  for (let extra = 1; extra <= 3 && /[}\]]/.test(text.at(-extra) ?? ''); extra++) {
    const shorter = attempt(text.slice(0, -extra), repairs)
    if (shorter !== undefined) return shorter
  }
  return undefined
}

function lastResort(body: string, repairs: RepairAllowance): ParsedJson | undefined {
  if (body.length > repairs.lastResort) return undefined
  repairs.lastResort -= body.length
  // Quotes that could not be placed with certainty are not placed with less.
  if (hasStrayQuotes(body)) return undefined
  try {
    return { value: JSON.parse(jsonrepair(body)), certainty: 'guessed' }
  } catch {
    return undefined
  }
}

/** Whether a string is followed directly by something that is no structure. */
function hasStrayQuotes(body: string): boolean {
  return /"(?:[^"\\]|\\[\s\S])*"\s*[^\s:,}\]/]/.test(body)
}
