import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf } from '../code-of.ts'
import { root } from '../source-files.ts'

export interface PublicNames {
  values: string[]
  types: string[]
}

/** What an entry file exports, types too, which nothing at run time knows of. Follows `export type *`. */
export function publicNames(path: string): PublicNames {
  const source = readFileSync(join(root, path), 'utf8')
  const { code } = codeOf(source)
  const values: string[] = []
  const types: string[] = []
  for (const [, isType, list = ''] of code.matchAll(/\bexport\s+(type\s+)?\{([^}]*)\}/g)) {
    for (const item of list.split(',').filter((name) => name.trim() !== '')) {
      const [, typeMark, name = ''] = /^\s*(type\s+)?(?:[\w$]+\s+as\s+)?([\w$]+)\s*$/.exec(item) ?? []
      if (isType || typeMark) types.push(name)
      else values.push(name)
    }
  }
  for (const [, word, name = ''] of code.matchAll(
    /\bexport\s+(?:async\s+)?(function\*?|const|class|interface|type)\s+([\w$]+)/g,
  )) {
    if (word === 'interface' || word === 'type') types.push(name)
    else values.push(name)
  }
  for (const { index } of code.matchAll(/\bexport\s+type\s*\*/g)) {
    const from = /from\s+'([^']+)'/.exec(source.slice(index))?.[1] ?? ''
    types.push(...publicNames(join(dirname(path), from)).types)
  }
  return { values: values.sort(), types: types.sort() }
}
