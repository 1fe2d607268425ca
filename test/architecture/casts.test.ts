import { describe, expect, it } from 'vitest'
import { unexplained } from './casts.ts'
import { codeOf } from './code-of.ts'

const found = (source: string) => unexplained(source).map(({ line, what }) => `${line} ${what}`)

describe('code', () => {
  const blanked = (source: string) => codeOf(source).code

  it('blanks what texts, templates and regular expressions hold', () => {
    expect(blanked(`const a = 'b\\'c' + "d'e"`)).toBe(`const a = '    ' + "   "`)
    expect(blanked('const a = `b\n' + '`')).toBe('const a = ` \n`')
    expect(blanked('const a = /[/`"]b/g.test(c)')).toBe('const a = /       g.test(c)')
    expect(blanked('const a = b / c / d')).toBe('const a = b / c / d')
  })

  it('keeps what stands in a template’s expressions, one within another', () => {
    const source = `\`a \${b ? \`c \${{ d: '}' }.d} e\` : f} g\` + h`
    expect(blanked(source)).toBe(`\`  \${b ? \`  \${{ d: ' ' }.d}  \` : f}  \` + h`)
  })

  it('gives comments apart, at their places', () => {
    const { code, comments } = codeOf('a // b\n/* c\nd */ e')
    expect(code).toBe('a     \n    \n     e')
    expect(comments).toBe('  // b\n/* c\nd */  ')
  })
})

describe('a cast', () => {
  it.each([
    ['a type', 'const a = b as Row'],
    ['an object type', 'const a = b as { id: string }'],
    ['a list type', 'const a = b as [string]'],
    ['a function type', 'const a = b as (c: string) => void'],
    ['a literal type', "const a = b as 'approve'"],
    ['after a call', 'const a = b() as Row'],
    ['after an object', 'const a = { b } as Row'],
    ['after a text', "const a = 'b' as Row"],
    ['within a template', `const a = \`\${(b as Row).id}\``],
    ['before a list of casts to constants', 'const a = [b as Row, c] as const'],
    ['after a comment that is only a mark', '// !\nconst a = b as Row'],
    ['two lines below its comment', '// a reason for nothing\nconst c = 1\nconst a = b as Row'],
    ['whose reason stands in a text', "const a = call('// a good reason') as Row"],
  ])('is reported: %s', (_, source) => {
    expect(found(source)).toEqual([`${source.split('\n').length} as`])
  })

  it.each([
    ['has its reason on the line', 'const a = b as Row // the statement names its columns'],
    ['has its reason before the line', '// the statement names its columns\nconst a = b as Row'],
    ['has its reason in several lines', '// the statement names\n// its columns\nconst a = b as Row'],
    ['is to a constant', 'const a = [1] as const'],
    ['is checked by the compiler', 'const a = {} satisfies Row'],
    ['is SQL', 'const a = sql`\n  select count(*) as total\n  with held as (select 1)`'],
    ['is a text', "const a = 'b as c'"],
    ['is a comment', '/**\n * b as c\n */\n// b as c'],
    [
      'renames an import',
      "import { a as b, type c as d } from 'e'\nimport * as f from 'g'\nimport h, { i as j } from 'k'",
    ],
    ['renames an export', "export { a as b } from 'c'\nexport {\n  d as e,\n}\nexport * as f from 'g'"],
    ['renames the keys of a type', 'type A = { [Key in keyof B as Exclude<Key, "c">]: B[Key] }'],
    ['is a name', "const a = { as: 'alice' }; a.as('b'); const { as } = a; call({ as })"],
  ])('is not reported when it %s', (_, source) => {
    expect(found(source)).toEqual([])
  })
})

describe('any', () => {
  it.each([
    ['an argument', 'function a(b: any) {}'],
    ['a list', 'const a: any[] = []'],
    ['a type argument', 'const a = new Map<string, any>()'],
    ['a union', 'type A = string | any'],
    ['a default', 'type A<B = any> = B'],
    ['a schema', 'const a = z.any()'],
  ])('is reported: %s', (_, source) => {
    expect(found(source)).toEqual(['1 any'])
  })

  it('is reported once beside its own cast', () => {
    expect(found('const a = b as any')).toEqual(['1 any'])
  })

  it.each([
    ['has its reason', 'const a: any = b // the driver types nothing'],
    ['is a method', 'AbortSignal.any([a, b]); Promise.any(c); expect.any(String)'],
    ['is a name', 'const a = { any: 1, any?: 2 }'],
    ['is a word', "/** Default 0: any free port. */\nconst a = 'any' + `any`"],
  ])('is not reported when it %s', (_, source) => {
    expect(found(source)).toEqual([])
  })
})
