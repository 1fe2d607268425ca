import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeOf } from './code-of.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const homes = ['packages', 'packs', 'examples', 'bench', 'test']
const skipped = new Set(['node_modules', 'dist', 'migrations'])

export interface SourceFile {
  /** Relative to the repository, with `/`. */
  path: string
  text: string
  lines: string[]
  /** The text without comments and without what quotes hold. */
  code: string
  /** The text without anything but its comments. */
  comments: string
  isTest: boolean
}

let known: SourceFile[] | undefined

/** Every TypeScript file of ours, generated ones left out. */
export function sourceFiles(): SourceFile[] {
  known ??= homes
    .flatMap((home) => walk(join(root, home)))
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.generated.ts'))
    .map((path) => sourceFile(relative(root, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')))
  return known
}

/** One file, from disk or made up. */
export function sourceFile(path: string, text: string): SourceFile {
  return { path, text, lines: text.split('\n'), ...codeOf(text), isTest: /\.test\.tsx?$/.test(path) }
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name) || entry.name.startsWith('.')) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? walk(path) : [path]
  })
}

/** What a file imports, as written; what only looks like an import, in a text or a comment, is none. */
export function importsOf({ text, code }: SourceFile): string[] {
  const specifiers = text.matchAll(
    /\b(?:import|export)\b[^'"`;=]*?\bfrom\s+'([^']+)'|\bimport\s*\(\s*'([^']+)'\s*\)|\bimport\s+'([^']+)'/g,
  )
  return [...specifiers]
    .filter(({ index }) => /^(?:im|ex)port\b/.test(code.slice(index, index + 7)))
    .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
}
