import { rows } from '@handrail/postgres/pack'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from './running-server.ts'

// Every test has a workspace, or things in it, of its own: none depends on another.
describe.each(['pglite', 'postgres'] as const)('the first sentences, over the wire, on %s', (engine) => {
  let app: TestServer
  beforeAll(async () => {
    app = await startTestServer(engine)
  })
  afterAll(() => app?.close())

  const systems = (tenantId: string) =>
    app.server.context.database.transaction(tenantId, (db) =>
      rows<{ name: string; system_slug: string; project: string }>(
        db,
        sql`select s.name, s.system_slug, p.name as project from gameplan.game_systems s
          join gameplan.projects p on p.id = s.project_id where s.tenant_id = ${tenantId} order by s.system_slug`,
      ),
    )
  const needs = (tenantId: string) =>
    app.server.context.database.transaction(tenantId, (db) =>
      rows<{ source: string; target: string; type: string }>(
        db,
        sql`select source.system_slug as source, target.system_slug as target, d.type from gameplan.dependencies d
          join gameplan.game_systems source on source.id = d.source_system_id
          join gameplan.game_systems target on target.id = d.target_system_id
          where d.tenant_id = ${tenantId} order by source, target`,
      ),
    )
  const events = (tenantId: string, callId: string) =>
    app.server.context.database
      .transaction(tenantId, (db) =>
        rows<{ event: string }>(
          db,
          sql`select event from handrail.ledger_entries where call_id = ${callId} order by seq`,
        ),
      )
      .then((entries) => entries.map(({ event }) => event))

  it('creates two systems and what one needs of the other, from one sentence', async () => {
    const chat = app.chat('alice')
    await chat.say('Create a combat system and a loot system in Dungeon Crawler, then make loot depend on combat')

    expect(await systems('acme')).toEqual(
      expect.arrayContaining([
        { name: 'Combat System', system_slug: 'combat-system', project: 'Dungeon Crawler' },
        { name: 'Loot System', system_slug: 'loot-system', project: 'Dungeon Crawler' },
      ]),
    )
    expect(await needs('acme')).toContainEqual({ source: 'loot-system', target: 'combat-system', type: 'requires' })

    const writes = chat.cards().filter(({ kind }) => kind !== 'read')
    expect(writes.map(({ status, description }) => `${status}: ${description}`)).toEqual([
      'done: Created game system "Combat System" (combat-system)',
      'done: Created game system "Loot System" (loot-system)',
      'done: Added dependency: Loot System requires Combat System',
    ])
    expect(chat.calls().every(({ state }) => state === 'output-available')).toBe(true)
    expect(chat.answerText()).not.toBe('')

    const { runId } = writes[0] ?? {}
    const recorded = await app.records('alice', `run=${runId}`)
    expect(recorded.filter(({ kind }) => kind !== 'read').reverse()).toEqual(writes)
    expect(recorded.every(({ door, principal }) => door === 'chat' && principal.actor === 'agent')).toBe(true)
    for (const { callId } of writes) expect(await events('acme', callId)).toEqual(['started', 'ended'])
    await app.server.context.sealer.sealNow()
    expect((await app.request('alice', '/api/ledger/verify')).body).toMatchObject({ intact: true, problems: [] })

    const { body } = await app.request('alice', `/api/threads/${chat.id}`)
    expect(body).toMatchObject({ messages: [{ role: 'user' }, { role: 'assistant' }] })
    expect(JSON.stringify(body)).toContain('Added dependency: Loot System requires Combat System')
  })

  it('deletes the old prototype after its approval only, and once', async () => {
    const chat = app.chat('alice')
    await chat.say('Delete the old prototype system')
    const [asked] = chat.calls().filter(({ state }) => state === 'approval-requested')
    expect(asked).toMatchObject({ toolName: 'delete_game_system', isApproved: undefined })
    const { callId = '', approvalId = '' } = asked ?? {}
    expect((await systems('acme')).map(({ system_slug }) => system_slug)).toContain('old-prototype')
    expect(await app.approvals('alice')).toContainEqual(
      expect.objectContaining({ approvalId, callId, status: 'pending', input: expect.anything() }),
    )
    expect(chat.approvals()).toEqual([
      {
        approvalId,
        callId,
        status: 'pending',
        reason: expect.stringContaining('deletes'),
        description: expect.stringContaining('Waiting for approval'),
        preview: expect.objectContaining({ warning: expect.any(String) }),
        decideBy: expect.any(String),
      },
    ])
    expect(await events('acme', callId)).toEqual(['asked'])

    await chat.answerCard(true)
    const [answered] = chat.approvals()
    expect(answered).toMatchObject({ approvalId, status: 'used' })
    const thread = await app.request('alice', `/api/threads/${chat.id}`)
    expect(Object(thread.body).messages[1].parts).toContainEqual({
      type: 'data-approval',
      id: approvalId,
      data: answered,
    })
    const decision = { decision: 'approve' }
    const again = await Promise.all(
      ['alice', 'alice', 'alice'].map((user) => app.request(user, `/api/approvals/${approvalId}/decision`, decision)),
    )
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await app.request('alice', `/api/approvals/${approvalId}/decision`, { decision: 'decline' })).toMatchObject({
      status: 409,
    })

    expect((await systems('acme')).map(({ system_slug }) => system_slug)).not.toContain('old-prototype')
    expect(chat.calls().find((call) => call.callId === callId)).toMatchObject({
      state: 'output-available',
      isApproved: true,
    })
    expect(chat.cards().findLast((card) => card.callId === callId)).toMatchObject({
      status: 'done',
      description: 'Deleted game system "Old Prototype"',
      approval: { approvalId },
    })
    expect(await events('acme', callId)).toEqual(['asked', 'decided', 'started', 'ended'])
    expect(chat.answerText()).not.toBe('')
  })

  it('leaves the old prototype where it is when the card is declined', async () => {
    const before = { systems: await systems('other'), needs: await needs('other') }
    expect(before.systems.map(({ system_slug }) => system_slug)).toContain('old-prototype')
    const chat = app.chat('mallory')
    await chat.say('Delete the old prototype system')
    const [asked] = chat.calls().filter(({ state }) => state === 'approval-requested')
    await chat.answerCard(false)

    expect(chat.calls().find(({ callId }) => callId === asked?.callId)?.state).toBe('output-denied')
    expect({ systems: await systems('other'), needs: await needs('other') }).toEqual(before)
    expect(await app.request('mallory', `/api/calls/${asked?.callId}`)).toMatchObject({ body: { status: 'declined' } })
    const late = await app.request('mallory', `/api/approvals/${asked?.approvalId}/decision`, { decision: 'approve' })
    expect(late.status).toBe(409)
    expect({ systems: await systems('other'), needs: await needs('other') }).toEqual(before)
    expect(await events('other', asked?.callId ?? '')).toEqual(['asked', 'decided', 'ended'])
  })

  it('takes no words for the decision where a card was shown, and goes on with the conversation', async () => {
    const chat = app.chat('bob')
    await chat.say(
      '/create_brainstorm {"title": "Traps", "content": "Traps that learn"}\n\n/delete_brainstorm {"brainstormId": "$1.id"}',
    )
    const [asked] = chat.calls().filter(({ state }) => state === 'approval-requested')
    expect(asked?.toolName).toBe('delete_brainstorm')
    for (const words of ['yes', 'What would it delete?', 'no']) {
      await chat.say(words)
      expect(await app.approvals('bob'), words).toContainEqual(
        expect.objectContaining({ approvalId: asked?.approvalId, status: 'pending' }),
      )
      expect(chat.messages.at(-1)?.role, words).toBe('assistant')
    }
    expect(await events('acme', asked?.callId ?? '')).toEqual(['asked'])

    const decided = await app.request('bob', `/api/approvals/${asked?.approvalId}/decision`, { decision: 'approve' })
    expect(decided).toMatchObject({ status: 200, body: { call: { status: 'done' } } })
    const { text } = await app.request('bob', `/api/threads/${chat.id}`)
    expect(text).toContain('Deleted brainstorm')
  })

  it('shows another workspace nothing, not even that there is something', async () => {
    const chat = app.chat('alice')
    await chat.say('/create_project {"name": "Secret Zeppelin"}')
    const [card] = chat.cards()
    expect(card).toMatchObject({ status: 'done', description: expect.stringContaining('Secret Zeppelin') })
    const { callId = '', runId = '' } = card ?? {}
    const projectId = card?.result?.success === true ? Object(card.result.data).id : undefined
    const waiting = await app.request('alice', '/api/tools/delete_project/call', { input: { projectId } })
    expect(waiting.status).toBe(202)
    const approvalId = Object(waiting.body).approval?.approvalId

    const paths = [
      [`/api/calls/${callId}`],
      [`/api/calls/${callId}/settlement`, { outcome: 'happened' }],
      [`/api/threads/${chat.id}`],
      [`/api/runs/${runId}`],
      [`/api/runs/${runId}/cancel`, {}],
      [`/api/chat/${chat.id}/stop`, {}],
      [`/api/approvals/${approvalId}/decision`, { decision: 'approve' }],
    ] as const
    for (const [path, body] of paths) {
      const missing = path.replace(/[\w-]{12,}/, crypto.randomUUID())
      const theirs = await app.request('mallory', path, body)
      expect(theirs.status, path).toBe(404)
      expect(theirs.text, path).toBe((await app.request('mallory', missing, body)).text)
    }
    expect((await app.request('mallory', `/api/chat/${chat.id}/stream`)).status).toBe(204)
    const byId = await app.request('mallory', '/api/tools/get_project/call', { input: { projectId }, scope: {} })
    const made = await app.request('mallory', '/api/tools/get_project/call', {
      input: { projectId: 'made-up' },
      scope: {},
    })
    expect([byId.status, made.status]).toEqual([404, 404])

    for (const list of ['/api/ledger', '/api/ledger.csv', '/api/approvals', '/api/threads', '/api/runs'])
      expect((await app.request('mallory', list)).text, list).not.toMatch(/Zeppelin|alice/)
    const spy = app.chat('mallory', chat.id)
    await spy.say('/list_projects {}')
    expect(JSON.stringify(spy.messages)).toContain('Dungeon Crawler')
    expect(JSON.stringify(spy.messages)).not.toContain('Zeppelin')
    expect((await app.request('alice', `/api/threads/${chat.id}`)).text).not.toContain('Dungeon Crawler')
    expect(await app.approvals('alice')).toContainEqual(expect.objectContaining({ approvalId, status: 'pending' }))
  })
})
