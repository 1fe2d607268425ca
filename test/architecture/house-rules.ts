import { unexplained } from './casts.ts'
import type { SourceFile } from './source-files.ts'

/** Each rule gives the places that break it, as `path:line` or as `path: what`. */
export type HouseRule = (files: readonly SourceFile[]) => string[]

/** Benches that a stage's tests stand on; `handrail/testing` itself is for others and obeys. */
const benches = /^packages\/handrail\/src\/[^/]+\/testing\//
const executor = 'packages/handrail/src/execute/execute-tool.ts'
/** What has an `execute` of its own that is none of a tool: drizzle’s database and transaction, `(db as Db)` too. */
const databases = new Set(['db', 'tx', 'Db'])

/** Only the executor calls, passes on or takes apart a tool's `execute`: no other door leads around the gate. */
export const executeInOneFile: HouseRule = (files) =>
  files
    .filter(({ path, isTest }) => !isTest && /^(packages|packs|examples)\//.test(path) && path !== executor)
    .filter(({ path }) => !benches.test(path))
    .flatMap((file) => [
      ...[...file.code.matchAll(/([\w$]*)[\s?!)\]}]*\.\s*#?execute\b/g)]
        .filter(([, receiver = '']) => isLibrary(file) || !databases.has(receiver))
        .map(({ index }) => placeOf(file, index)),
      ...[...file.code.matchAll(/\{[^{}:()]*\bexecute\b[^{}()]*\}\s*(?:=(?![=>])|:\s*Tool\b)/g)].map(({ index }) =>
        placeOf(file, index),
      ),
      ...[...file.text.matchAll(/\[\s*['"`]execute['"`]\s*\]\s*(?:\?\.\s*)?\(/g)].map(({ index }) =>
        placeOf(file, index),
      ),
    ])

/** `delete_page` lies in `delete-page.ts`: a search for either finds both. */
export const toolNamedAsItsFile: HouseRule = (files) =>
  files
    .filter(({ path, isTest }) => /^packs\/[^/]+\/tools\/[^/]+\.ts$/.test(path) && !isTest)
    .filter(({ path, text }) => {
      const expected = (path.split('/').at(-1) ?? '').replace(/\.ts$/, '').replaceAll('-', '_')
      return /\bname: '([^']+)'/.exec(text)?.[1] !== expected
    })
    .map(({ path }) => path)

/** Tests may cast, but nobody gives up on types without a word. */
export const castsExplained: HouseRule = (files) =>
  files.flatMap((file) =>
    unexplained(file.text)
      .filter(({ what }) => what === 'any' || !file.isTest)
      .map(({ line, what }) => `${file.path}:${line} ${what} in \`${file.lines[line - 1]?.trim()}\``),
  )

export function under(lines: number, except: Record<string, string> = {}): HouseRule {
  return (files) =>
    files
      .filter((file) => file.lines.length > lines && !(file.path in except))
      .map((file) => `${file.path}: ${file.lines.length} lines`)
}

export const noDrawers: HouseRule = (files) =>
  files.filter(({ path }) => /\/(utils?|helpers?|lib|common|misc)(\/|\.tsx?$)/.test(path)).map(({ path }) => path)

export const nothingHalfDone: HouseRule = (files) =>
  files.flatMap((file) => [
    ...[...file.comments.matchAll(/\b(?:TODO|FIXME|XXX)\b/g)].map(({ index }) => placeOf(file, index)),
    ...[...file.code.matchAll(/\b(?:it|test|describe)\.(?:skip|only|todo)\b/g)].map(({ index }) =>
      placeOf(file, index),
    ),
  ])

/** A failing title leads to one test: no two alike below the same headings. */
export const titlesOnce: HouseRule = (files) =>
  files
    .filter(({ isTest }) => isTest)
    .flatMap((file) => {
      const seen = new Set<string>()
      const headings: { indent: number; title: string }[] = []
      return [...file.text.matchAll(/^( *)(describe|it|test)\b[^\n'"`]*\(\s*(['"`])(.+?)\3\s*,/gm)].flatMap((match) => {
        const [, space = '', word, , title = ''] = match
        while ((headings.at(-1)?.indent ?? -1) >= space.length) headings.pop()
        const full = [...headings.map((heading) => heading.title), title].join(' › ')
        if (word === 'describe') headings.push({ indent: space.length, title })
        if (word === 'describe' || !seen.has(full)) {
          seen.add(full)
          return []
        }
        return [`${placeOf(file, match.index)} ${full}`]
      })
    })

/** Every sentence of the language is said somewhere: one that nobody says is not kept true. */
export const sentencesSaid: HouseRule = (files) => {
  const language = 'packages/handrail/src/language/'
  const said = new Set(
    files
      .filter(({ path, isTest }) => !isTest && !path.startsWith(language))
      .flatMap(({ code }) => [...code.matchAll(/\.(\w+)\(/g)].map((match) => match[1])),
  )
  return files
    .filter(({ path }) => path === `${language}sentences.ts`)
    .flatMap(({ path, code }) =>
      [...code.matchAll(/^ {2}(\w+)\([^\n]*\): string$/gm)]
        .filter(([, name]) => !said.has(name))
        .map(([, name]) => `${path}: ${name}`),
    )
}

function isLibrary({ path }: SourceFile): boolean {
  return path.startsWith('packages/handrail/')
}

function placeOf({ path, text }: SourceFile, index: number): string {
  return `${path}:${text.slice(0, index).split('\n').length}`
}
