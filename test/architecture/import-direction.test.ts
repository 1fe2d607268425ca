import { dirname, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importsOf, type SourceFile, sourceFiles } from './source-files.ts'

/** The library's folders, and what each may import: down the flow only. */
const libraryArrows: Record<string, readonly string[]> = {
  errors: [],
  principal: [],
  tool: ['errors', 'principal'],
  language: ['tool'],
  present: ['language', 'tool'],
  approval: ['principal'],
  ledger: ['errors', 'principal', 'tool'],
  store: ['approval', 'errors', 'ledger', 'principal', 'tool'],
  seal: ['ledger', 'store'],
  pack: ['approval', 'ledger', 'present', 'principal', 'tool'],
  formats: ['tool'],
  registry: ['errors', 'formats', 'ledger', 'tool'],
  execute: ['tool'],
  gate: [
    'approval',
    'errors',
    'execute',
    'language',
    'ledger',
    'pack',
    'present',
    'principal',
    'registry',
    'store',
    'tool',
  ],
  run: ['approval', 'errors', 'formats', 'gate', 'language', 'ledger', 'pack', 'present', 'principal', 'store', 'tool'],
  offline: ['pack', 'present', 'tool'],
  guard: ['principal', 'tool'],
  eval: ['guard', 'ledger', 'tool'],
}

/** The workspaces, and which of each other they may import. Nothing of the library knows a server or a pack. */
const workspaceArrows: Record<string, readonly string[]> = {
  'packages/handrail': [],
  'packages/postgres': ['handrail', 'handrail/testing', 'handrail/testing/store-contract'],
  'packs/gameplan': ['handrail', 'handrail/testing', '@handrail/postgres/pack', '@handrail/postgres/testing'],
  'packages/server': [
    'handrail',
    'handrail/testing',
    'handrail/offline',
    '@handrail/postgres',
    '@handrail/postgres/testing',
    '@handrail/pack-gameplan',
  ],
  'packages/cli': [
    'handrail',
    'handrail/testing',
    '@handrail/postgres',
    '@handrail/postgres/testing',
    '@handrail/server',
  ],
  'examples/embed': ['handrail', '@handrail/postgres', '@handrail/postgres/testing'],
}

const library = 'packages/handrail/src/'

function folderOf(path: string): string {
  const below = path.slice(library.length)
  return below.includes('/') ? (below.split('/')[0] ?? '') : ''
}

function libraryImports(file: SourceFile): string[] {
  return importsOf(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => folderOf(normalize(`${dirname(file.path)}/${specifier}`)))
    .filter((folder) => folder !== folderOf(file.path))
}

describe('imports', () => {
  it('go down the flow within the library', () => {
    const wrong = sourceFiles()
      .filter((file) => file.path.startsWith(library) && !file.isTest)
      .filter((file) => !['', 'testing'].includes(folderOf(file.path)))
      .flatMap((file) =>
        libraryImports(file)
          .filter((to) => !libraryArrows[folderOf(file.path)]?.includes(to))
          .map((to) => `${file.path} → ${to}`),
      )
    expect(wrong).toEqual([])
  })

  it('reach another workspace only where the table has an arrow, and only by its public name', () => {
    const wrong = sourceFiles().flatMap((file) => {
      const workspace = Object.keys(workspaceArrows).find((name) => file.path.startsWith(`${name}/`))
      if (workspace === undefined) return []
      return importsOf(file)
        .filter((specifier) =>
          /^(handrail|@handrail\/)/.test(specifier)
            ? !isAllowed(workspace, specifier, file)
            : leaves(workspace, file, specifier),
        )
        .map((specifier) => `${file.path} → ${specifier}`)
    })
    expect(wrong).toEqual([])
  })

  it('are in the table for every folder of the library', () => {
    const folders = new Set(
      sourceFiles()
        .filter(({ path }) => path.startsWith(library))
        .map(({ path }) => folderOf(path)),
    )
    expect(
      [...folders].filter((folder) => folder !== '' && folder !== 'testing' && !(folder in libraryArrows)),
    ).toEqual([])
  })
})

/** Test doubles are for tests, and for what exists for tests. */
function isAllowed(workspace: string, specifier: string, file: SourceFile): boolean {
  if (!workspaceArrows[workspace]?.includes(specifier)) return false
  return (
    !specifier.endsWith('/testing') || file.isTest || file.path.includes('/testing/') || workspace === 'packages/cli'
  )
}

function leaves(workspace: string, file: SourceFile, specifier: string): boolean {
  return specifier.startsWith('.') && !normalize(`${dirname(file.path)}/${specifier}`).startsWith(`${workspace}/`)
}
