import { randomUUID } from 'node:crypto'
import { plainText, type ToolCallRecord } from 'handrail'
import { ApiClient, messageOf } from '../api-client.ts'
import { type ChatTurn, printTurn } from '../chat-turn.ts'
import { type Command, readFlags, readJsonObject, serverFlags, type Terminal } from '../command.ts'
import { exitCode } from '../exit-code.ts'

export const chatCommand: Command = {
  name: 'chat',
  summary: 'Talks to the assistant; asks before anything that needs approval',
  usage: `handrail chat [--pack NAME] [--scope '<json>'] [--thread ID] [--as NAME]

Type what you want, an empty line or Ctrl-D ends. Input may come from a pipe, one message a line; what needs approval
then reads its answer (yes, no, or a reason to decline) from the next line.`,

  async run(args, terminal) {
    const { values } = readFlags(args, {
      ...serverFlags,
      pack: { type: 'string' },
      scope: { type: 'string' },
      thread: { type: 'string' },
    })
    const client = new ApiClient(values.url, values.as)
    const about = {
      ...(values.pack ? { pack: values.pack } : {}),
      ...(values.scope ? { scope: readJsonObject('--scope', values.scope) } : {}),
    }
    const id = values.thread ?? randomUUID()
    const health = await client.get('/healthz')
    terminal.out(`Talking to ${client.url} as ${values.as}${modelOf(health.body)}. An empty line ends.`)
    for (;;) {
      const text = await terminal.ask('\n> ')
      if (text === undefined || text.trim() === '') return exitCode.ok
      const message = { id: randomUUID(), role: 'user', parts: [{ type: 'text', text }] }
      const response = await client.stream('/api/chat', { id, messages: [message], ...about })
      if (!response.ok) {
        terminal.error(messageOf({ status: response.status, body: await response.json().catch(() => undefined) }))
        continue
      }
      await settle(client, id, await printTurn(response, terminal), terminal)
    }
  },
}

function modelOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'model' in body
    ? `, ${plainText(String(body.model))} answers`
    : ''
}

/** Asks the person about every call that waits, then goes on with the run, until nothing waits any more. */
async function settle(client: ApiClient, id: string, turn: ChatTurn, terminal: Terminal): Promise<void> {
  let { waiting, messageId } = turn
  while (waiting.length > 0) {
    const parts: unknown[] = []
    for (const call of waiting) {
      const answer = await askAbout(client, call, terminal)
      if (answer === undefined) return
      parts.push({
        type: `tool-${call.toolName}`,
        toolCallId: call.callId,
        state: 'approval-responded',
        input: {},
        approval: {
          id: call.approval?.approvalId,
          approved: answer.approve,
          ...(answer.reason ? { reason: answer.reason } : {}),
        },
      })
    }
    const response = await client.stream('/api/chat', {
      id,
      messages: [{ id: messageId ?? randomUUID(), role: 'assistant', parts }],
    })
    if (!response.ok) {
      terminal.error(messageOf({ status: response.status, body: await response.json().catch(() => undefined) }))
      return
    }
    const known = new Set(waiting.map(({ callId }) => callId))
    const next = await printTurn(response, terminal)
    messageId = next.messageId ?? messageId
    waiting = next.waiting.filter(({ callId }) => !known.has(callId))
  }
}

interface ShownApproval {
  approvalId: string
  reason: string
  input?: unknown
  preview?: unknown
}

async function askAbout(
  client: ApiClient,
  call: ToolCallRecord,
  terminal: Terminal,
): Promise<{ approve: boolean; reason?: string } | undefined> {
  const { body } = await client.get('/api/approvals?status=pending&limit=100')
  const { items } = (body ?? { items: [] }) as { items?: ShownApproval[] } // our own server's shape, pinned there
  const approval = items?.find(({ approvalId }) => approvalId === call.approval?.approvalId)
  terminal.out(`\n${plainText(approval?.reason ?? call.description)}`)
  terminal.out(`  ${call.toolName} ${plainText(JSON.stringify(approval?.input ?? {}))}`)
  if (approval?.preview !== undefined) terminal.out(`  ${plainText(JSON.stringify(approval.preview))}`)
  const answer = await terminal.ask('Approve? yes, no, or why not: ')
  if (answer === undefined) return undefined
  const word = answer.trim().toLowerCase()
  if (word === 'yes' || word === 'y') return { approve: true }
  return word === 'no' || word === 'n' || word === '' ? { approve: false } : { approve: false, reason: answer.trim() }
}
