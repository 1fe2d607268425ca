import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { claimed, sampleCall } from 'handrail/testing/store-contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../open-database.ts'

/** A process that opens the folder, says so with its id, and holds it until it is killed. */
async function ownerProcess(folder: string): Promise<ChildProcess & { pid: number }> {
  const script = `
    const { openDatabase } = await import(${JSON.stringify(new URL('../open-database.ts', import.meta.url).href)})
    await openDatabase({ dataFolder: ${JSON.stringify(folder)} })
    process.stdout.write('open')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve())
    child.once('exit', () => reject(new Error('the owner ended')))
  })
  if (child.pid === undefined) throw new Error('the owner has no id')
  return Object.assign(child, { pid: child.pid })
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('exit', () => resolve()))
}

describe('a data folder', { timeout: 60_000 }, () => {
  const parent = mkdtempSync(join(tmpdir(), 'handrail-data-'))
  const folder = join(parent, 'not', 'there', 'yet')
  const call = sampleCall('acme')
  beforeAll(async () => {
    const database = await openDatabase({ dataFolder: folder })
    await claimed(database, call)
    await database.close()
  }, 60_000)
  afterAll(() => rmSync(parent, { recursive: true, force: true }))

  it('is made when it is not there, and keeps what was written', async () => {
    const database = await openDatabase({ dataFolder: folder })
    expect(await database.calls.get('acme', call.callId)).toMatchObject({ status: 'running' })
    await database.close()
  })

  it('is refused while this process has it open, and free after close', async () => {
    const database = await openDatabase({ dataFolder: folder })
    await expect(openDatabase({ dataFolder: folder })).rejects.toMatchObject({ code: 'DATA_FOLDER_IN_USE' })
    await database.close()
    await (await openDatabase({ dataFolder: folder })).close()
  })

  it('is refused while another process has it, by its id; and free at once when that is killed, or even stopped first', async () => {
    const owner = await ownerProcess(folder)
    await expect(openDatabase({ dataFolder: folder })).rejects.toMatchObject({
      code: 'DATA_FOLDER_IN_USE',
      message: expect.stringContaining(`process ${owner.pid}`),
    })
    // A stopped owner has not let go of anything.
    owner.kill('SIGSTOP')
    await expect(openDatabase({ dataFolder: folder })).rejects.toMatchObject({ code: 'DATA_FOLDER_IN_USE' })
    owner.kill('SIGKILL')
    await ended(owner)
    const database = await openDatabase({ dataFolder: folder })
    expect(await database.calls.get('acme', call.callId)).toMatchObject({ status: 'running' })
    await database.close()
  })

  it('that was being made when its process died is made anew', async () => {
    const unfinished = join(parent, 'unfinished')
    mkdirSync(join(unfinished, 'database.new-1'), { recursive: true })
    writeFileSync(join(unfinished, 'database.new-1', 'PG_VERSION'), '18')
    writeFileSync(join(unfinished, 'lock'), '')
    await (await openDatabase({ dataFolder: unfinished })).close()
    expect(readdirSync(unfinished).sort()).toEqual(['database', 'lock', 'owner.pid'])
  })

  it('with other files and no database is refused and left alone', async () => {
    const documents = join(parent, 'documents')
    mkdirSync(documents)
    writeFileSync(join(documents, 'letter.txt'), 'Dear Sir')
    await expect(openDatabase({ dataFolder: documents })).rejects.toMatchObject({ code: 'DATA_FOLDER_NOT_A_DATABASE' })
    expect(readdirSync(documents)).toEqual(['letter.txt'])
  })

  it('whose database is none is refused and left alone', async () => {
    const foreign = join(parent, 'foreign')
    mkdirSync(join(foreign, 'database'), { recursive: true })
    writeFileSync(join(foreign, 'database', 'letter.txt'), 'Dear Sir')
    await expect(openDatabase({ dataFolder: foreign })).rejects.toMatchObject({ code: 'DATA_FOLDER_NOT_A_DATABASE' })
    expect(existsSync(join(foreign, 'database', 'letter.txt'))).toBe(true)
  })

  it('of another Postgres version is refused', async () => {
    const old = join(parent, 'old')
    mkdirSync(join(old, 'database'), { recursive: true })
    writeFileSync(join(old, 'database', 'PG_VERSION'), '17\n')
    await expect(openDatabase({ dataFolder: old })).rejects.toMatchObject({
      code: 'DATA_FOLDER_OTHER_VERSION',
      message: expect.stringContaining('Postgres 17'),
    })
  })

  it('that is a file, or damaged, is refused', async () => {
    const file = join(parent, 'file')
    writeFileSync(file, '')
    await expect(openDatabase({ dataFolder: file })).rejects.toMatchObject({ code: 'DATA_FOLDER_UNUSABLE' })
    const damaged = join(parent, 'damaged')
    mkdirSync(join(damaged, 'database'), { recursive: true })
    writeFileSync(join(damaged, 'database', 'PG_VERSION'), '18\n')
    await expect(openDatabase({ dataFolder: damaged })).rejects.toMatchObject({ code: 'DATA_FOLDER_UNUSABLE' })
    renameSync(damaged, `${damaged}-moved`)
  })
})
