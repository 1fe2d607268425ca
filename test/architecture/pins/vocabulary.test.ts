import type {
  ApprovalStatus,
  CallStatus,
  ErrorCode,
  LedgerEvent,
  Risk,
  Run,
  RunData,
  ToolEffect,
  ToolKind,
} from 'handrail'
import { describe, expect, it } from 'vitest'
import { exitCode } from '../../../packages/cli/src/exit-code.ts'
import { sourceFiles } from '../source-files.ts'
import { outsiders } from './outsiders.ts'

// `satisfies` lets the type check fail on a word too few or too many; the source is read so that the tests do, too.
const words = {
  'packages/handrail/src/errors/error-code.ts ErrorCode': {
    UNKNOWN_TOOL: true,
    VALIDATION: true,
    FORBIDDEN: true,
    NOT_FOUND: true,
    CONFLICT: true,
    RATE_LIMITED: true,
    TIMEOUT: true,
    CANCELLED: true,
    DECLINED: true,
    EXPIRED: true,
    REFUSED: true,
    UNKNOWN_OUTCOME: true,
    UNAVAILABLE: true,
    INTERNAL: true,
  } satisfies Record<ErrorCode, true>,
  'packages/handrail/src/ledger/call-record.ts CallStatus': {
    running: true,
    awaiting_approval: true,
    done: true,
    failed: true,
    refused: true,
    declined: true,
    expired: true,
    cancelled: true,
    unknown: true,
  } satisfies Record<CallStatus, true>,
  'packages/handrail/src/ledger/ledger-entry.ts LedgerEvent': {
    asked: true,
    decided: true,
    started: true,
    ended: true,
    settled: true,
    erased: true,
  } satisfies Record<LedgerEvent, true>,
  'packages/handrail/src/approval/approval.ts ApprovalStatus': {
    pending: true,
    approved: true,
    declined: true,
    expired: true,
    used: true,
    withdrawn: true,
  } satisfies Record<ApprovalStatus, true>,
  'packages/handrail/src/store/run-store.ts RunStatus': {
    running: true,
    waiting: true,
    done: true,
    failed: true,
    cancelled: true,
  } satisfies Record<Run['status'], true>,
  'packages/handrail/src/tool/tool.ts ToolKind': {
    read: true,
    create: true,
    update: true,
    delete: true,
    action: true,
  } satisfies Record<ToolKind, true>,
  'packages/handrail/src/tool/tool.ts ToolEffect': {
    transaction: true,
    external: true,
  } satisfies Record<ToolEffect, true>,
  'packages/handrail/src/tool/tool.ts Risk': { low: true, medium: true, high: true } satisfies Record<Risk, true>,
}

const dataParts = {
  'data-run': true,
  'data-call': true,
  'data-approval': true,
  'data-log': true,
  'data-changed': true,
} satisfies Record<`data-${keyof RunData}`, true>

describe('the words outsiders see', () => {
  it.each(Object.entries(words))('%s', (place, pinned) => {
    const [path, type] = place.split(' ')
    const file = sourceFiles().find((source) => source.path === path)
    const union = new RegExp(`export type ${type} =((?:\\s*\\|?\\s*'[^']+')+)\\s*\\n(?!\\s*\\|)`).exec(file?.text ?? '')
    const actual = [...(union?.[1] ?? '').matchAll(/'([^']+)'/g)].map((match) => match[1])
    expect(actual.sort(), outsiders(place)).toEqual(Object.keys(pinned).sort())
  })

  it('data parts of the stream', () => {
    const written = sourceFiles()
      .filter(({ path, isTest }) => /^packages\/(handrail|server)\/src\//.test(path) && !isTest)
      .flatMap(({ text }) => [...text.matchAll(/type: '(data-[\w-]+)'/g)].map((match) => match[1]))
    expect([...new Set(written)].sort(), outsiders('data parts of the stream')).toEqual(Object.keys(dataParts).sort())
  })

  it('exit codes of the command line', () => {
    expect(exitCode, outsiders('exit codes')).toEqual({ ok: 0, failed: 1, usage: 2, unreachable: 3, waiting: 4 })
  })
})
