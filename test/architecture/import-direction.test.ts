import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importsOf, root, type SourceFile, sourceFile, sourceFiles } from './source-files.ts'

/** The library's folders, and what each may import: down the flow only. */
const libraryArrows: Record<string, readonly string[]> = {
  errors: [],
  principal: [],
  tool: ['errors', 'principal'],
  language: ['tool'],
  present: ['errors', 'language', 'tool'],
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
  run: [
    'approval',
    'errors',
    'formats',
    'gate',
    'guard',
    'language',
    'ledger',
    'pack',
    'present',
    'principal',
    'store',
    'tool',
  ],
  offline: ['approval', 'pack', 'present', 'tool'],
  guard: ['principal', 'tool'],
  eval: ['guard', 'ledger', 'tool'],
}

/**
 * The workspaces, and what is ours that they may import. Nothing of the library knows a server or a pack. `test/architecture`
 * is not in the table: it looks at everything.
 */
const workspaceArrows: Record<string, readonly string[]> = {
  'packages/handrail': [],
  'packages/postgres': ['handrail', 'handrail/testing', 'handrail/testing/store-contract'],
  'packages/server': [
    'handrail',
    'handrail/offline',
    'handrail/testing',
    '@handrail/pack-gameplan',
    '@handrail/postgres',
    '@handrail/postgres/testing',
  ],
  'packages/cli': [
    'handrail',
    'handrail/eval',
    'handrail/testing',
    '@handrail/postgres',
    '@handrail/postgres/testing',
    '@handrail/server',
  ],
  'packs/gameplan': ['handrail', 'handrail/testing', '@handrail/postgres/pack', '@handrail/postgres/testing'],
  'examples/embed': ['handrail', '@handrail/postgres', '@handrail/postgres/testing'],
  bench: ['handrail', '@handrail/postgres', '@handrail/postgres/testing'],
  'test/chaos': [
    'handrail',
    'handrail/offline',
    'handrail/testing',
    '@handrail/postgres',
    '@handrail/postgres/pack',
    '@handrail/postgres/testing',
    '@handrail/server',
  ],
  'test/journeys': [
    'handrail',
    'handrail/offline',
    'handrail/testing',
    '@handrail/pack-gameplan',
    '@handrail/postgres/pack',
    '@handrail/postgres/testing',
    '@handrail/server',
  ],
}

/** Test doubles outside of tests: a command that runs contracts, and what starts a database to show or to measure something. */
const mayUseTestDoubles = ['packages/cli/src/commands/check.ts', 'examples/embed/start.ts', 'bench/', 'test/']

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

/** Imports between folders of the library that go up the flow, or past the table. */
function againstTheFlow(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path, isTest }) => path.startsWith(library) && !isTest && !path.includes('/testing/'))
    .filter(({ path }) => folderOf(path) !== '')
    .flatMap((file) =>
      libraryImports(file)
        .filter((to) => !libraryArrows[folderOf(file.path)]?.includes(to))
        .map((to) => `${file.path} → ${to}`),
    )
}

/** Imports of another workspace without an arrow, or past its public names. */
function acrossWorkspaces(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
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
}

describe('imports', () => {
  it('go down the flow within the library', () => {
    expect(againstTheFlow(sourceFiles())).toEqual([])
  })

  it('reach another workspace only where the table has an arrow, and only by its public name', () => {
    expect(acrossWorkspaces(sourceFiles())).toEqual([])
  })

  it('have a table that knows every folder of the library, and has no way back', () => {
    const folders = new Set(
      sourceFiles()
        .filter(({ path }) => path.startsWith(library))
        .map(({ path }) => folderOf(path)),
    )
    expect([...folders].filter((folder) => !['', 'testing'].includes(folder)).sort()).toEqual(
      Object.keys(libraryArrows).sort(),
    )
    const reaches = (from: string, to: string): boolean =>
      (libraryArrows[from] ?? []).some((next) => next === to || reaches(next, to))
    expect(Object.keys(libraryArrows).filter((folder) => reaches(folder, folder))).toEqual([])
  })

  it('have a table that knows every workspace, and only names that their packages export', () => {
    const manifests = ['packages', 'packs', 'examples'].flatMap((home) =>
      readdirSync(join(root, home))
        .filter((name) => existsSync(join(root, home, name, 'package.json')))
        .map((name) => `${home}/${name}`),
    )
    expect(manifests.filter((workspace) => !(workspace in workspaceArrows))).toEqual([])
    const exported = manifests.flatMap((workspace) => {
      const { name, exports = {} }: { name: string; exports?: Record<string, string> } = JSON.parse(
        readFileSync(join(root, workspace, 'package.json'), 'utf8'),
      )
      return Object.keys(exports).map((key) => key.replace('.', name))
    })
    expect(
      Object.values(workspaceArrows)
        .flat()
        .filter((specifier) => !exported.includes(specifier)),
    ).toEqual([])
  })
})

describe('a planted import', () => {
  it.each([
    ['up the flow', 'packages/handrail/src/tool/tool.ts', "import { createGate } from '../gate/gate.ts'"],
    ['of a type only', 'packages/handrail/src/tool/tool.ts', "import type { Gate } from '../gate/gate.ts'"],
    ['within a type', 'packages/handrail/src/tool/tool.ts', "let gate: import('../gate/gate.ts').Gate"],
    ['that passes on', 'packages/handrail/src/tool/tool.ts', "export * from '../gate/gate.ts'"],
    ['over several lines', 'packages/handrail/src/tool/tool.ts', "import {\n  createGate,\n} from '../gate/gate.ts'"],
  ])('is found when it goes %s', (_, path, text) => {
    expect(againstTheFlow([sourceFile(path, text)])).toEqual([`${path} → gate`])
  })

  it.each([
    [
      'the library imports the server',
      'packages/handrail/src/run/a.ts',
      "import { startServer } from '@handrail/server'",
    ],
    ['a pack opens a database', 'packs/gameplan/a.ts', "import { openDatabase } from '@handrail/postgres'"],
    ['a name is not public', 'packages/server/src/a.ts', "import { pass } from 'handrail/src/gate/pass.ts'"],
    ['a path leads out', 'packages/server/src/a.ts', "import { pass } from '../../handrail/src/gate/pass.ts'"],
    ['what is shipped uses test doubles', 'packages/server/src/a.ts', "import { testPack } from 'handrail/testing'"],
    ['a contract is shipped', 'packages/postgres/src/a.ts', "import { a } from 'handrail/testing/store-contract'"],
  ])('is found when %s', (_, path, text) => {
    expect(acrossWorkspaces([sourceFile(path, text)])).toHaveLength(1)
  })

  it('is none in a text or a comment', () => {
    const text = "const code = `\nimport { a } from '@handrail/server'\n`\n// import { b } from '@handrail/server'"
    expect(acrossWorkspaces([sourceFile('packages/handrail/src/run/a.ts', text)])).toEqual([])
  })
})

/** Test doubles are for tests, and for what exists for tests. */
function isAllowed(workspace: string, specifier: string, file: SourceFile): boolean {
  if (!workspaceArrows[workspace]?.includes(specifier)) return false
  return (
    !/\/testing(\/|$)/.test(specifier) ||
    file.isTest ||
    file.path.includes('/testing/') ||
    mayUseTestDoubles.some((path) => file.path.startsWith(path))
  )
}

function leaves(workspace: string, file: SourceFile, specifier: string): boolean {
  return specifier.startsWith('.') && !normalize(`${dirname(file.path)}/${specifier}`).startsWith(`${workspace}/`)
}
