import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Mutation {
  /** Relative to the repository. */
  file: string
  /** Literal text that stands there exactly once. */
  find: string
  replace: string
}

/** The guards, each in one place, and what the code reads without it. */
export const mutations = {
  /** A holder whose attempt was taken over may write again. */
  fence: {
    file: 'packages/postgres/src/stores/fence.ts',
    find: 'return `(c.attempt',
    replace: 'return `(true or c.attempt',
  },
  /** Two calls may have one key. */
  'unique-key': {
    file: 'packages/postgres/migrations/0000_first_tables.sql',
    find: 'CREATE UNIQUE INDEX "calls_one_per_key"',
    replace: 'CREATE INDEX "calls_one_per_key"',
  },
  /** A call may be taken over while its effect is under way. */
  'row-lock': {
    file: 'packages/postgres/src/stores/carry-out-call.ts',
    find: '\n    for update`,',
    replace: '`,',
  },
  /** An approved call may run with other arguments than the approved ones. */
  digest: {
    file: 'packages/postgres/src/stores/approval-use.ts',
    find: "if (approval.digest !== asked.digest || call.payload?.digest !== asked.digest) return refused('changed')",
    replace: '',
  },
} satisfies Record<string, Mutation>

export type MutationName = keyof typeof mutations

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Copies packages and harness into a temporary folder, with one guard taken out. Other packages are linked to, ours come
 * from the copy.
 *
 * @returns the folder
 * @throws when the guard's text is not where it is said to be
 */
export function copyWithout(name: MutationName): string {
  const folder = mkdtempSync(join(tmpdir(), `handrail-without-${name}-`))
  const isOurs = (source: string) => !/node_modules|\/\.|\.test\.ts$/.test(source.slice(root.length))
  for (const part of ['packages', 'test/chaos'])
    cpSync(join(root, part), join(folder, part), { recursive: true, filter: isOurs })
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  linkModules(folder)

  const { file, find, replace } = mutations[name]
  const path = join(folder, file)
  const parts = readFileSync(path, 'utf8').split(find)
  if (parts.length !== 2)
    throw new Error(`"${find}" stands ${parts.length - 1} times in ${file}; it must stand there once`)
  writeFileSync(path, parts.join(replace))
  return folder
}

function linkModules(folder: string): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@handrail'), { recursive: true })
  for (const entry of readdirSync(join(root, 'node_modules'))) {
    if (entry !== 'handrail' && entry !== '@handrail')
      symlinkSync(join(root, 'node_modules', entry), join(modules, entry))
  }
  symlinkSync(join(folder, 'packages/handrail'), join(modules, 'handrail'))
  for (const entry of readdirSync(join(folder, 'packages'))) {
    if (entry !== 'handrail') symlinkSync(join(folder, 'packages', entry), join(modules, '@handrail', entry))
  }
}
