import { describe, expect, it } from 'vitest'
import { sourceFiles } from './source-files.ts'

/** Longer than 500 lines only with a reason. */
const longFiles: Record<string, string> = {}

const own = sourceFiles()
const shipped = own.filter(({ path, isTest }) => !isTest && (path.startsWith('packages/') || path.startsWith('packs/')))

describe('the house rules', () => {
  it('call a tool’s `execute` in one file only', () => {
    const callers = shipped
      .filter(
        ({ text, path }) =>
          /\btool\??\.execute\b|\.execute\?\.\(|definition\.execute\(/.test(text) && !path.includes('/testing/'),
      )
      .map(({ path }) => path)
    expect(callers).toEqual(['packages/handrail/src/execute/execute-tool.ts'])
  })

  it('name a tool’s file as the tool', () => {
    const wrong = own
      .filter(({ path, isTest }) => /^packs\/[^/]+\/tools\/[^/]+\.ts$/.test(path) && !isTest)
      .filter(({ path, text }) => {
        const expected = (path.split('/').at(-1) ?? '').replace(/\.ts$/, '').replaceAll('-', '_')
        return /\bname: '([^']+)'/.exec(text)?.[1] !== expected
      })
      .map(({ path }) => path)
    expect(wrong).toEqual([])
  })

  it('give every `any` and every `as` a reason beside it', () => {
    const wrong = own.flatMap(({ path, lines, isTest }) =>
      lines.flatMap((line, index) => {
        const code = line.replace(/'(?:[^'\\]|\\.)*'|`[^`]*`|"[^"]*"/g, "''").replace(/\/\/.*$/, '')
        const casts =
          /\bas (?!const\b)[\w[{(]/.test(code) &&
          !/^\s*(import|export|\*|\/\*)/.test(line) &&
          !/\b(import|export) [^=]*\bas\b/.test(code) &&
          !/^\s*(type )?\w+ as \w+,?$/.test(line)
        const anys = /[:<,|&(]\s*any\b/.test(code)
        const isExplained =
          /\/\/ \S/.test(line) ||
          /^\s*(\/\/|\*)/.test(lines[index - 1] ?? '') ||
          /\*\/\s*$/.test(lines[index - 1] ?? '')
        return (anys || (casts && !isTest)) && !isExplained ? [`${path}:${index + 1} ${line.trim()}`] : []
      }),
    )
    expect(wrong).toEqual([])
  })

  it('keep files under 500 lines', () => {
    expect(
      own
        .filter(({ path, lines }) => lines.length > 500 && !(path in longFiles))
        .map(({ path, lines }) => `${path} (${lines.length})`),
    ).toEqual([])
  })

  it('have no drawer for odds and ends', () => {
    expect(
      own.filter(({ path }) => /\/(utils?|helpers?|lib|common|misc)(\/|\.ts$)/.test(path)).map(({ path }) => path),
    ).toEqual([])
  })

  it('leave nothing half done', () => {
    const marks = own.flatMap(({ path, lines }) =>
      lines.flatMap((line, index) =>
        /\b(TODO|FIXME|XXX)\b|\b(it|test|describe)\.(skip|only|todo)\(/.test(line) &&
        !path.startsWith('test/architecture/')
          ? [`${path}:${index + 1}`]
          : [],
      ),
    )
    expect(marks).toEqual([])
  })

  it('give every test a title of its own within its file', () => {
    const twice = own
      .filter(({ isTest }) => isTest)
      .flatMap(({ path, text }) => {
        const titles = [...text.matchAll(/^(\s*)(?:it|test)\(\s*(['"`])(.+?)\2/gm)].map(
          (match) => `${match[1]?.length}:${match[3]}`,
        )
        const groups = new Set([...text.matchAll(/describe\(/g)]).size
        return groups > 1
          ? []
          : titles.filter((title, index) => titles.indexOf(title) !== index).map((title) => `${path}: ${title}`)
      })
    expect(twice).toEqual([])
  })
})
