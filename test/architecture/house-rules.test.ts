import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { generateToolIndexes } from '../../packs/generate-tool-index.ts'
import {
  castsExplained,
  executeInOneFile,
  type HouseRule,
  noDrawers,
  nothingHalfDone,
  sentencesSaid,
  titlesOnce,
  toolNamedAsItsFile,
  under,
} from './house-rules.ts'
import { root, sourceFile, sourceFiles } from './source-files.ts'

/** Longer than 500 lines only with a reason. */
const longFiles: Record<string, string> = {
  'test/journeys/offline/fresh-paraphrases.ts': 'a list of sentences, one beside the other',
}

const rules: Record<string, HouseRule> = {
  'call a tool’s `execute` in one file only': executeInOneFile,
  'name a tool’s file as the tool': toolNamedAsItsFile,
  'give every `any` and every `as` a reason beside it': castsExplained,
  'keep files under 500 lines': under(500, longFiles),
  'have no drawer for odds and ends': noDrawers,
  'leave nothing half done': nothingHalfDone,
  'say every sentence of the language somewhere': sentencesSaid,
  'give every test a title of its own below its headings': titlesOnce,
}

describe('the house rules', () => {
  it.each(Object.entries(rules))('%s', (_, rule) => {
    expect(rule(sourceFiles())).toEqual([])
  })

  it('keep every pack’s tool index as its folder is', () => {
    expect(generateToolIndexes(join(root, 'packs'), { check: true }).stale).toEqual([])
  })
})

describe('a planted violation', () => {
  const library = 'packages/handrail/src/gate/pass.ts'
  const planted = (rule: HouseRule, path: string, text: string) => rule([sourceFile(path, text)])

  it.each([
    ['called', 'await tool.execute(context)'],
    ['called on anything', 'await found.get(name)?.execute?.(context)'],
    ['called over a line', 'await tool\n  .execute(context)'],
    ['called by its name as a text', "await tool['execute'](context)"],
    ['passed on', 'const run = tool.execute'],
    ['bound', 'tool.execute.bind(tool)'],
    ['taken out', 'const { name, execute } = tool'],
    ['taken out under another name', 'const { execute: run } = tool'],
    ['called on a database', 'await db.execute(sql)'],
  ])('of the one executor is found in the library: %s', (_, text) => {
    expect(planted(executeInOneFile, library, text)).toHaveLength(1)
  })

  it('of the one executor is found in a pack and a door, where a database may execute', () => {
    expect(planted(executeInOneFile, 'packs/a/services/b.ts', 'await context.db.execute(sql)')).toEqual([])
    expect(planted(executeInOneFile, 'packages/server/src/a.ts', 'await tool.execute(context)')).toHaveLength(1)
  })

  it('of the one executor is none in a definition, a comment, a test or the executor itself', () => {
    expect(planted(executeInOneFile, library, '// tool.execute(context)\nconst a = { execute: () => 1 }')).toEqual([])
    expect(planted(executeInOneFile, library, 'await execute(context, governedCall)')).toEqual([])
    expect(planted(executeInOneFile, 'packages/handrail/src/gate/a.test.ts', 'tool.execute()')).toEqual([])
    expect(planted(executeInOneFile, 'packages/handrail/src/execute/execute-tool.ts', 'tool.execute()')).toEqual([])
  })

  it('of a tool’s name is found', () => {
    expect(planted(toolNamedAsItsFile, 'packs/a/tools/delete-page.ts', "name: 'delete_site'")).toHaveLength(1)
    expect(planted(toolNamedAsItsFile, 'packs/a/tools/delete-page.ts', "name: 'delete_page'")).toEqual([])
  })

  it('of a cast is found with its line, and a test may cast but not give up', () => {
    const path = 'packages/server/src/a.ts'
    expect(planted(castsExplained, path, '\nconst a = b as Row')).toEqual([`${path}:2 as in \`const a = b as Row\``])
    expect(planted(castsExplained, 'a.test.ts', 'const a = b as Row')).toEqual([])
    expect(planted(castsExplained, 'a.test.ts', 'const a: any = b')).toHaveLength(1)
  })

  it('of length is found, and not where the file is allowed', () => {
    expect(planted(under(2), 'a.ts', '1\n2\n3')).toEqual(['a.ts: 3 lines'])
    expect(planted(under(2, { 'a.ts': 'a table' }), 'a.ts', '1\n2\n3')).toEqual([])
  })

  it('of a drawer is found', () => {
    expect(planted(noDrawers, 'packages/a/src/utils/b.ts', '')).toHaveLength(1)
    expect(planted(noDrawers, 'packages/a/src/helpers.ts', '')).toHaveLength(1)
    expect(planted(noDrawers, 'packages/a/src/library/b.ts', '')).toEqual([])
  })

  it('of something half done is found', () => {
    // Put together, so that this file does not break the rule itself.
    const mark = ['TO', 'DO'].join('')
    expect(planted(nothingHalfDone, 'a.ts', `// ${mark} later`)).toHaveLength(1)
    expect(planted(nothingHalfDone, 'a.test.ts', "it.skip('b', () => {})")).toHaveLength(1)
    expect(planted(nothingHalfDone, 'a.test.ts', "describe.only('b', () => {})")).toHaveLength(1)
    expect(planted(nothingHalfDone, 'a.test.ts', "it.skipIf(c)('b', () => {})")).toEqual([])
  })

  it('of a sentence that nobody says is found', () => {
    const sentences = sourceFile(
      'packages/handrail/src/language/sentences.ts',
      'export interface Sentences {\n  done(): string\n  gone(about: OfTool): string\n}',
    )
    const saying = sourceFile('packages/handrail/src/gate/a.ts', 'return say.done()')
    expect(sentencesSaid([sentences, saying])).toEqual(['packages/handrail/src/language/sentences.ts: gone'])
  })

  it('of a title is found below the same headings only', () => {
    const twice = (second: string) =>
      `describe('a', () => {\n  it('b', c)\n})\ndescribe('${second}', () => {\n  it('b', c)\n})`
    expect(planted(titlesOnce, 'a.test.ts', twice('a'))).toEqual(['a.test.ts:5 a › b'])
    expect(planted(titlesOnce, 'a.test.ts', twice('d'))).toEqual([])
  })
})
