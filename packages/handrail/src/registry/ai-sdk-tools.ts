import type { ModelMessage, ToolApprovalStatus, ToolSet } from 'ai'
import { aiSdkSchemaOf } from '../formats/ai-sdk-schemas.ts'
import type { Tool } from '../tool/tool.ts'
import { brokenCallFailure, unboundFailure } from './call-failures.ts'
import { approvalAnswers, assistantParts, callKey } from './call-key.ts'
import type { ToolCaller } from './tool-caller.ts'

export interface AISDKToolsOptions {
  /**
   * Id of the conversation the loop belongs to. Give it where you have one: it keeps calls apart when a provider
   * uses the same call ids in every conversation. Without it the conversation's first user message stands in for it.
   */
  conversationId?: string
}

/** Judges one call, as `toolApproval` of `generateText`, `streamText` and `ToolLoopAgent` wants it. */
export type ToolApprovalJudge = (
  input: unknown,
  options: { toolCallId: string; messages: ModelMessage[] },
) => Promise<ToolApprovalStatus>

export interface AISDKTools {
  tools: ToolSet
  toolApproval: Record<string, ToolApprovalJudge>
}

/** Tools of an AI SDK loop whose every execution and approval goes through `caller`. */
export function aiSdkTools(
  tools: readonly Tool[],
  caller: ToolCaller | undefined,
  { conversationId }: AISDKToolsOptions,
): AISDKTools {
  const toolSet = tools.map((tool): [string, ToolSet[string]] => [
    tool.name,
    {
      description: tool.description,
      inputSchema: aiSdkSchemaOf(tool),
      execute: async (input: unknown, { toolCallId, messages, abortSignal }) => {
        if (caller === undefined) return unboundFailure
        const idempotencyKey = callKey({ conversationId, messages, toolCallId, name: tool.name, input })
        const signal = abortSignal === undefined ? {} : { signal: abortSignal }
        try {
          const outcome = await caller.call({ name: tool.name, input, idempotencyKey, toolCallId, ...signal })
          return outcome.forModel
        } catch {
          return brokenCallFailure
        }
      },
    },
  ])
  const judges = tools.map((tool): [string, ToolApprovalJudge] => [
    tool.name,
    async (input, { toolCallId, messages }) => {
      if (caller === undefined) return { type: 'denied', reason: unboundFailure.error }
      const idempotencyKey = callKey({ conversationId, messages, toolCallId, name: tool.name, input })
      try {
        const decided = await caller.decide({ name: tool.name, input, idempotencyKey, toolCallId })
        if (decided.answer === 'allow') return 'approved'
        if (decided.answer === 'ask') return { type: 'user-approval', reason: decided.reason }
        return { type: 'denied', reason: decided.reason }
      } catch {
        return { type: 'denied', reason: 'It could not be checked whether this is allowed, so nothing was done.' }
      }
    },
  ])
  return { tools: Object.fromEntries(toolSet), toolApproval: Object.fromEntries(judges) }
}

/** Takes the approval responses of the newest message to `caller`, as decisions of the person it is bound to. */
export async function respondToApprovals(
  caller: ToolCaller,
  messages: readonly ModelMessage[],
  { conversationId }: AISDKToolsOptions,
): Promise<void> {
  for (const { toolCallId, approved, reason } of approvalAnswers(messages)) {
    const call = messages
      .flatMap(assistantParts)
      .findLast((part) => part.type === 'tool-call' && part.toolCallId === toolCallId)
    if (call?.type !== 'tool-call') continue
    const { toolName: name, input } = call
    const idempotencyKey = callKey({ conversationId, messages, toolCallId, name, input })
    await caller.respond({ name, idempotencyKey, approve: approved, ...(reason === undefined ? {} : { reason }) })
  }
}
