import { plainText, type ToolCallRecord } from 'handrail'
import { ApiClient, messageOf } from '../api-client.ts'
import { callLine } from '../call-line.ts'
import { type Command, readFlags, readJsonObject, serverFlags } from '../command.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { UsageError } from '../usage-error.ts'

export const callCommand: Command = {
  name: 'call',
  summary: 'Calls one tool through the gate',
  usage: `handrail call <tool> ['<json>'] [--pack NAME] [--scope '<json>'] [--key KEY] [--as NAME] [--json]

  --scope   what the call is about, such as '{"projectId":"…"}'
  --key     the same key again gets the stored outcome instead of a second effect`,

  async run(args, terminal) {
    const { values, positionals } = readFlags(args, {
      ...serverFlags,
      pack: { type: 'string' },
      scope: { type: 'string' },
      key: { type: 'string' },
    })
    const [tool, input = '{}', ...rest] = positionals
    if (tool === undefined) throw new UsageError('Name the tool to call.')
    if (rest.length > 0)
      throw new UsageError(`Give the arguments as one JSON text in quotes; ${rest.length} more came after it.`)
    const body = {
      input: readJsonObject('The input', input),
      ...(values.pack ? { pack: values.pack } : {}),
      ...(values.scope ? { scope: readJsonObject('--scope', values.scope) } : {}),
      ...(values.key ? { idempotencyKey: values.key } : {}),
    }
    const answer = await new ApiClient(values.url, values.as).post(`/api/tools/${encodeURIComponent(tool)}/call`, body)
    if (values.json) {
      terminal.out(JSON.stringify(answer.body, null, 2))
      return isRecord(answer.body) ? exitCodeOf(answer.body) : exitCode.failed
    }
    if (!isRecord(answer.body)) {
      terminal.error(messageOf(answer))
      return exitCode.failed
    }
    show(answer.body, terminal.out)
    return exitCodeOf(answer.body)
  },
}

function isRecord(body: unknown): body is ToolCallRecord {
  return typeof body === 'object' && body !== null && 'callId' in body && 'status' in body
}

function exitCodeOf({ status }: ToolCallRecord): ExitCode {
  if (status === 'done') return exitCode.ok
  return status === 'awaiting_approval' ? exitCode.waiting : exitCode.failed
}

function show(record: ToolCallRecord, out: (text: string) => void): void {
  out(callLine(record))
  const { result } = record
  if (result === undefined) return
  if (result.success) out(JSON.stringify(result.data, null, 2))
  else if ('requiresConfirmation' in result) {
    if (result.preview !== undefined) out(JSON.stringify(result.preview, null, 2))
    out(
      `${plainText(result.message)}\nApproval ${result.approvalId} decides it: POST {"decision":"approve"} or {"decision":"decline"} to /api/approvals/${result.approvalId}/decision.`,
    )
  } else {
    out(`${result.code}: ${plainText(result.error)}`)
    if (result.next) out(plainText(result.next))
  }
}
