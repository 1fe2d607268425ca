import type { Approval, Approvers } from '../approval/approval.ts'
import { ToolError } from '../errors/tool-error.ts'
import type { StoredCall } from '../ledger/call-record.ts'
import { saltedDigest } from '../ledger/digest.ts'
import { plainText } from '../present/for-person.ts'
import { newId } from '../principal/new-id.ts'
import type { Principal, Scope } from '../principal/principal.ts'
import type { LeaseFence } from '../store/store.ts'
import type { PreviewContext, Tool } from '../tool/tool.ts'
import { quotasOf } from './claim.ts'
import type { GateContext, GovernedPack } from './gate-context.ts'
import { type Stopped, stoppedBy } from './stopped.ts'

export interface Asked {
  view: unknown
  /** Digest of what the preview was based on. */
  basis: string | undefined
  /** What would be done, in the preview's words. */
  title: string | undefined
}

/**
 * What would happen, from readers only. A thing that is not there stops the call before anyone is asked; a preview that
 * breaks is shown as missing and never lets a call through.
 */
export async function previewOf(
  context: GateContext,
  governed: GovernedPack,
  tool: Tool,
  input: unknown,
  principal: Principal,
  scope: Scope,
): Promise<Asked | Stopped> {
  if (tool.preview === undefined) return nothingShown
  try {
    const preview: unknown = await context.store.calls.read(principal.tenantId, async ({ db }) => {
      const services = governed.pack.services.readers({ db, principal, scope })
      return tool.preview?.({ input, services, scope, principal } as PreviewContext<never, never>) // erased types; the gate parsed the input with this tool's schema
    })
    const withBasis = isWithBasis(preview)
    const view = governed.redact(withBasis ? preview.view : preview).value
    if (!withBasis) return { ...nothingShown, view }
    const title = governed.redact(preview.title ?? null).value
    return {
      view,
      basis: saltedDigest('basis', preview.basis),
      title: typeof title === 'string' ? plainText(title) : undefined,
    }
  } catch (error) {
    if (error instanceof ToolError) return stoppedBy(error)
    context.report({ code: 'PREVIEW_THREW', message: `the preview of \`${tool.name}\` threw`, error })
    return nothingShown
  }
}

const nothingShown: Asked = { view: undefined, basis: undefined, title: undefined }

function isWithBasis(preview: unknown): preview is { view: unknown; basis: unknown; title?: unknown } {
  return typeof preview === 'object' && preview !== null && 'view' in preview && 'basis' in preview
}

/** Stores the call as waiting, together with the request for a person's decision on exactly this call. */
export async function ask(
  context: GateContext,
  governed: GovernedPack,
  tool: Tool,
  call: StoredCall,
  how: {
    reason: string
    approvers: Approvers
    form: 'card' | 'conversation'
    asked: Asked
    lease: LeaseFence | undefined
  },
) {
  const { decideWithinMs, decideInConversationWithinMs } = context.limits
  const createdAt = new Date()
  const approvalId = newId()
  const waiting: StoredCall = {
    ...call,
    status: 'awaiting_approval',
    description: governed.say.callAwaitingApproval({ tool: how.asked.title ?? tool.title }),
    approvalId,
  }
  const approval: Approval = {
    approvalId,
    tenantId: call.tenantId,
    callId: call.callId,
    runId: call.runId,
    threadId: call.threadId,
    pack: call.pack,
    toolName: call.toolName,
    toolVersion: call.toolVersion,
    digest: call.payload?.digest ?? '',
    scope: call.scope,
    requestedBy: call.principal,
    approvers: how.approvers,
    form: how.form,
    reason: how.reason,
    description: waiting.description,
    preview: how.asked.view,
    basis: how.asked.basis,
    status: 'pending',
    createdAt,
    decideBy: new Date(
      createdAt.getTime() + (how.form === 'conversation' ? decideInConversationWithinMs : decideWithinMs),
    ),
    executeBy: undefined,
    decision: undefined,
  }
  const outcome = await context.store.calls.ask(
    // The approval it waits under so far: of several who find that it must be asked anew, one does.
    { ...waiting, approvalId: call.approvalId },
    approval,
    quotasOf(context, tool, call.principal.userId),
    how.lease,
  )
  return { outcome, waiting, approval }
}
