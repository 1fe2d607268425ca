import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../testing/open-test-server.ts'
import { probe } from '../testing/probe-pack.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer({ packs: [probe] })
})
afterAll(() => server.close())

const follow = async (as: string) => {
  const response = await server.fetch(
    new Request('http://localhost/api/events', { headers: { 'x-handrail-user': as } }),
  )
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    reader,
    async until(what: string) {
      while (!text.includes(what)) {
        const { value, done } = await reader.read()
        if (done) break
        text += value
      }
      return text
    },
  }
}

describe('GET /api/events', () => {
  it('tells of calls, approvals and changes of the own workspace by id alone, and of no other', async () => {
    const alice = await follow('alice')
    const mallory = await follow('mallory')
    const asked = await server.post('/api/tools/probe_act/call', { input: { note: 'canary' } }, 'alice')
    const { approvalId } = asked.body.approval
    await server.post(`/api/approvals/${approvalId}/decision`, { decision: 'approve' }, 'alice')
    const seen = await alice.until(`event: changed\ndata: {"topic":"changed","id":"${asked.body.callId}"}`)
    expect(seen).toContain(`event: approval\ndata: {"topic":"approval","id":"${approvalId}"}`)
    expect(seen).toContain(`event: call\ndata: {"topic":"call","id":"${asked.body.callId}"}`)
    expect(seen).not.toContain('canary')

    const own = await server.post('/api/tools/probe_echo/call', { input: { text: 'hi' } }, 'mallory')
    const theirs = await mallory.until(own.body.callId)
    expect(theirs).not.toContain(asked.body.callId)
    await alice.reader.cancel()
    await mallory.reader.cancel()
  })

  it('ends when the server stops', async () => {
    const short = await openTestServer({ packs: [probe] })
    const response = await short.fetch(
      new Request('http://localhost/api/events', { headers: { 'x-handrail-user': 'alice' } }),
    )
    await short.close()
    expect(await response.text()).toBe(': connected\n\n')
  })
})
