import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningServer, startServer } from '@handrail/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Terminal } from './command.ts'
import { main } from './main.ts'

let server: RunningServer
let dataFolder: string

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'handrail-cli-'))
  const env = { HANDRAIL_DATA: dataFolder, HANDRAIL_LOG: 'silent' }
  server = await startServer({ env, port: 0, print: () => {}, handleSignals: false })
})

afterAll(async () => {
  await server.close()
  await rm(dataFolder, { recursive: true, force: true })
})

/** Runs a command as typed, with the person's answers in order. */
async function type(args: string[], answers: string[] = []) {
  const out: string[] = []
  const errors: string[] = []
  const terminal: Terminal = {
    out: (text) => out.push(text),
    error: (text) => errors.push(text),
    ask: async (question) => {
      out.push(question)
      return answers.shift()
    },
    isInteractive: false,
  }
  const code = await main(args, terminal)
  return { code, out: out.join('\n'), errors: errors.join('\n') }
}

const here = () => ['--url', server.url]

describe('handrail tools', () => {
  it('lists what a person may call, grouped, and marks what asks', async () => {
    const { code, out } = await type(['tools', ...here()])
    expect(code).toBe(0)
    expect(out).toMatch(/gameplan · game-system\n/)
    expect(out).toMatch(/delete_game_system +asks/)
  })

  it('shows a reader less', async () => {
    const { out } = await type(['tools', '--as', 'carol', ...here()])
    expect(out).toContain('post_idea_message')
    expect(out).not.toContain('create_project')
  })

  it('gives a provider’s own format as JSON', async () => {
    const { out } = await type(['tools', '--format', 'anthropic', ...here()])
    expect(JSON.parse(out)[0] ?? JSON.parse(out).items?.[0]).toHaveProperty('input_schema')
  })
})

describe('handrail call', () => {
  it('calls a tool and shows the line, the data, and the raw record with --json', async () => {
    const shown = await type(['call', 'list_projects', '{"status":"active"}', ...here()])
    expect(shown).toMatchObject({ code: 0 })
    expect(shown.out).toMatch(/^✓ .*\(list_projects/)
    const raw = await type(['call', 'list_projects', '{}', '--json', ...here()])
    expect(JSON.parse(raw.out)).toMatchObject({ toolName: 'list_projects', status: 'done', door: 'http' })
  })

  it('ends with 1 and says what would work when the tool refuses', async () => {
    const { code, out } = await type(['call', 'get_project', '{"projectId":"nothing"}', ...here()])
    expect(code).toBe(1)
    expect(out).toMatch(/NOT_FOUND|VALIDATION/)
    expect(await type(['call', 'list_project', '{}', ...here()])).toMatchObject({
      code: 1,
      out: expect.stringContaining('list_projects'),
    })
  })

  it('ends with 4 when a person must approve first', async () => {
    const created = await type(['call', 'create_project', '{"name":"Doomed"}', '--json', ...here()])
    const projectId: string = JSON.parse(created.out).result.data.id
    const { code, out } = await type(['call', 'delete_project', JSON.stringify({ projectId }), ...here()])
    expect(code).toBe(4)
    expect(out).toMatch(/Approval ([\w-]+) decides it: .*\/api\/approvals\/\1\/decision/)
  })

  it('runs nothing twice under one key', async () => {
    const first = await type(['call', 'create_project', '{"name":"Once"}', '--key', 'k1', '--json', ...here()])
    const second = await type(['call', 'create_project', '{"name":"Once"}', '--key', 'k1', '--json', ...here()])
    expect(JSON.parse(second.out).callId).toBe(JSON.parse(first.out).callId)
  })

  it('ends with 2 when the command line cannot be read', async () => {
    expect(await type(['call', ...here()])).toMatchObject({ code: 2, errors: expect.stringContaining('Name the tool') })
    expect(await type(['call', 'list_projects', '{"a":', ...here()])).toMatchObject({
      code: 2,
      errors: expect.stringContaining('not JSON'),
    })
    expect(await type(['call', 'list_projects', '[]', ...here()])).toMatchObject({ code: 2 })
    expect(await type(['call', 'list_projects', '{}', 'more', ...here()])).toMatchObject({ code: 2 })
    expect(await type(['call', 'list_projects', '--colour'])).toMatchObject({
      code: 2,
      errors: expect.stringContaining('--colour'),
    })
  })
})

describe('handrail chat', () => {
  it('shows each call as one line, asks before the deletion, and goes on after a yes', async () => {
    const { code, out } = await type(
      ['chat', ...here()],
      [
        'Create a combat system and a loot system in Dungeon Crawler, then make loot depend on combat',
        'Delete the old prototype system',
        'yes',
        '',
      ],
    )
    expect(code).toBe(0)
    expect(out).toContain('✓ Created game system "Combat System" (combat-system)')
    expect(out).toContain('✓ Added dependency: Loot System requires Combat System')
    expect(out).toContain('Approve? yes, no, or why not: ')
    expect(out).toContain('✓ Deleted game system "Old Prototype"')
  })

  it('carries a no and its reason to the assistant, and changes nothing', async () => {
    const { out } = await type(['chat', ...here()], ['Delete the Loot System', 'we still need it', ''])
    expect(out).toMatch(/– Declined: /)
    const systems = await type(['chat', ...here()], ['List the game systems', ''])
    expect(systems.out).toContain('Loot System')
  })
})

describe('handrail eval guard', () => {
  it('prints how many calls written as text are found, and names a file that is not there', async () => {
    const file = join(dataFolder, 'records.jsonl')
    const tools = [{ name: 'look', parameters: { type: 'object', properties: { at: { type: 'string' } } } }]
    const call = { name: 'look', arguments: { at: 'sky' } }
    const text = `<tool_call>${JSON.stringify(call)}</tool_call>`
    const record = {
      id: '1',
      suite: 's',
      family: 'f',
      text,
      tools,
      expected_calls: [call],
      expected_content: '',
      kind: 'positive',
    }
    await writeFile(file, `${JSON.stringify(record)}\n`)
    const raw = await type(['eval', 'guard', file, '--json'])
    expect(JSON.parse(raw.out)).toMatchObject({ positives: { records: 1, byNameAndArguments: 1 } })
    expect((await type(['eval', 'guard', file])).code).toBe(0)
    expect(await type(['eval', 'guard', 'nothing.jsonl'])).toMatchObject({ code: 2 })
  })
})

describe('handrail ledger verify', () => {
  it('says that the seals hold', async () => {
    const { code, out } = await type(['ledger', 'verify', ...here()])
    expect(code).toBe(0)
    expect(out).toContain('The seals hold')
    expect(await type(['ledger', 'burn', ...here()])).toMatchObject({ code: 2 })
  })
})

describe('handrail', () => {
  it('helps, also for one command, and knows no other commands', async () => {
    expect((await type([])).out).toContain('Exit codes: 0 done')
    expect((await type(['help', 'call'])).out).toContain('--key')
    expect((await type(['chat', '--help'])).out).toContain('handrail chat')
    expect(await type(['destroy'])).toMatchObject({ code: 2, errors: expect.stringContaining('no command `destroy`') })
  })

  it('ends with 3 when no server answers', async () => {
    const { code, errors } = await type(['tools', '--url', 'http://127.0.0.1:9'])
    expect(code).toBe(3)
    expect(errors).toContain('npm start')
  })
})
