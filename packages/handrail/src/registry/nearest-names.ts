const mostNames = 5
const longestName = 64

/**
 * The names that come closest to one that does not exist, best first, at most five. A typing error is found by its
 * edit distance, a guessed name by the words it shares.
 *
 * @example
 * nearestNames('delete_gamesystem', ['delete_game_system', 'delete_project', 'list_exports'])
 * // ['delete_game_system', 'delete_project']
 */
export function nearestNames(name: string, names: readonly string[]): string[] {
  // A model can send any text as a name; only a name's length of it is compared.
  const wanted = fold(name.slice(0, longestName))
  const wantedWords = wordsOf(wanted)
  return names
    .map((candidate) => ({ candidate, likeness: likeness(wanted, wantedWords, fold(candidate)) }))
    .filter(({ likeness }) => likeness >= 0.3)
    .sort((a, b) => b.likeness - a.likeness || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, mostNames)
    .map(({ candidate }) => candidate)
}

function likeness(wanted: string, wantedWords: ReadonlySet<string>, candidate: string): number {
  const longest = Math.max(wanted.length, candidate.length)
  if (longest === 0) return 0
  const spelling = 1 - editDistance(wanted, candidate) / longest
  const candidateWords = wordsOf(candidate)
  const shared = [...wantedWords].filter((word) => candidateWords.has(word)).length
  const words = shared === 0 ? 0 : (2 * shared) / (wantedWords.size + candidateWords.size)
  // Half a name that is spelled alike is chance; from there on it counts. Between equals the spelling decides.
  return Math.max(spelling > 0.5 ? spelling : 0, words) + (words > 0 ? spelling / 100 : 0)
}

function fold(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase()
}

function wordsOf(folded: string): Set<string> {
  // The plural is the commonest slip between a list and a single thing.
  return new Set(
    folded
      .split('_')
      .filter((word) => word !== '')
      .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word)),
  )
}

/** Levenshtein, with two rows. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
