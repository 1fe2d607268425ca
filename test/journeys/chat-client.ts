import {
  AbstractChat,
  type ChatState,
  DefaultChatTransport,
  getToolName,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from 'ai'
import type { RunData, ToolCallRecord } from 'handrail'

type Message = UIMessage<unknown, RunData & { call: ToolCallRecord }>

/** What `useChat` keeps in React, kept in a field. */
class PlainState implements ChatState<Message> {
  status: ChatState<Message>['status'] = 'ready'
  error: Error | undefined = undefined
  messages: Message[] = []
  pushMessage(message: Message): void {
    this.messages = [...this.messages, message]
  }
  popMessage(): void {
    this.messages = this.messages.slice(0, -1)
  }
  replaceMessage(index: number, message: Message): void {
    this.messages = this.messages.with(index, message)
  }
  snapshot<T>(thing: T): T {
    return structuredClone(thing)
  }
}

/** The AI SDK's own client, unmodified, without a browser around it: what `useChat` with its default transport does. */
export class ChatClient extends AbstractChat<Message> {
  constructor(url: string, user: string, id: string = crypto.randomUUID()) {
    super({
      id,
      state: new PlainState(),
      transport: new DefaultChatTransport({ api: `${url}/api/chat`, headers: { 'x-handrail-user': user } }),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    })
  }

  /** Says something and reads the whole answer. */
  async say(text: string): Promise<void> {
    await this.sendMessage({ text })
    if (this.error) throw this.error
  }

  /** Answers the one card that waits, and reads what comes of it. */
  async answerCard(approved: boolean): Promise<void> {
    const [card, second] = this.calls().filter(({ state }) => state === 'approval-requested')
    if (card?.approvalId === undefined || second) throw new Error('there must be exactly one card to answer')
    await this.addToolApprovalResponse({ id: card.approvalId, approved })
    while (this.status !== 'ready') {
      if (this.error) throw this.error
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** Every tool call of the conversation, in order, as a UI would draw it. */
  calls() {
    return this.parts()
      .filter(isToolUIPart)
      .map((part) => ({
        toolName: getToolName(part),
        callId: part.toolCallId,
        state: part.state,
        approvalId: part.approval?.id,
        isApproved: part.approval?.approved,
      }))
  }

  /** The records that came along: the described cards. */
  cards(): ToolCallRecord[] {
    return this.parts().flatMap((part) => (part.type === 'data-call' ? [part.data] : []))
  }

  /** What a person is shown when they are asked, as it stands now. */
  approvals(): RunData['approval'][] {
    return this.parts().flatMap((part) => (part.type === 'data-approval' ? [part.data] : []))
  }

  answerText(): string {
    return this.parts()
      .flatMap((part) => (part.type === 'text' ? [part.text] : []))
      .join('\n')
  }

  private parts() {
    return this.messages.filter(({ role }) => role === 'assistant').flatMap(({ parts }) => parts)
  }
}
