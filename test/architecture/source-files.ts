import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const homes = ['packages', 'packs', 'examples', 'bench', 'test']
const skipped = new Set(['node_modules', 'dist', 'migrations'])

export interface SourceFile {
  /** Relative to the repository, with `/`. */
  path: string
  text: string
  lines: string[]
  isTest: boolean
}

/** Every TypeScript file of ours, generated ones left out. */
export function sourceFiles(): SourceFile[] {
  return homes
    .flatMap((home) => walk(join(root, home)))
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.generated.ts'))
    .map((path) => {
      const text = readFileSync(path, 'utf8')
      return {
        path: relative(root, path).replaceAll('\\', '/'),
        text,
        lines: text.split('\n'),
        isTest: /\.test\.tsx?$/.test(path),
      }
    })
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name) || entry.name.startsWith('.')) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? walk(path) : [path]
  })
}

/** What a file imports, as written. */
export function importsOf({ text }: SourceFile): string[] {
  const specifiers = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^'"\n;]*(?:\n[^'"\n;]*)*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g,
  )
  return [...specifiers].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
}
