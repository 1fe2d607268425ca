import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Seal } from 'handrail'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../config/read-config.ts'
import { anchorsInFolder } from './anchors.ts'
import { sealKey } from './seal-key.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handrail-seal-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('sealKey', () => {
  it('is made once, for its owner alone, and is the same afterwards', () => {
    const key = sealKey(undefined, folder)
    expect(key).toHaveLength(32)
    expect(sealKey(undefined, folder)).toEqual(key)
    expect(statSync(join(folder, 'seal.key')).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['seal.key'])
  })

  it('comes from the secret where there is one, and no file is written', () => {
    const { secret } = readConfig({ HANDRAIL_SECRET: 'x'.repeat(40) })
    expect(sealKey(secret, folder)).toEqual(secret?.keyFor('seal'))
    expect(readdirSync(folder)).toEqual([])
  })

  it('stops the start when the file was cut off, instead of making another key', () => {
    writeFileSync(join(folder, 'seal.key'), 'abc')
    expect(() => sealKey(undefined, folder)).toThrowError(expect.objectContaining({ code: 'SEAL_KEY_UNUSABLE' }))
    expect(readFileSync(join(folder, 'seal.key'), 'utf8')).toBe('abc')
  })
})

describe('anchorsInFolder', () => {
  const seal = (seq: number): Seal => ({
    tenantId: 'acme',
    seq,
    sealedAt: new Date(0),
    count: 1,
    root: 'r',
    previous: undefined,
    signature: `s${seq}`,
  })

  it('keeps the newest seal of a workspace over a restart, and never an older one', () => {
    const anchors = anchorsInFolder(folder)
    anchors.keep(seal(1))
    anchors.keep(seal(3))
    anchors.keep(seal(2))
    expect(anchorsInFolder(folder).of('acme')).toEqual({ seq: 3, signature: 's3' })
    expect(anchorsInFolder(folder).of('other')).toBeUndefined()
    expect(readdirSync(folder)).toEqual(['anchors.json'])
  })

  it('stops the start when the file cannot be read', () => {
    writeFileSync(join(folder, 'anchors.json'), '{"acme":')
    expect(() => anchorsInFolder(folder)).toThrowError(expect.objectContaining({ code: 'ANCHORS_UNUSABLE' }))
  })
})
