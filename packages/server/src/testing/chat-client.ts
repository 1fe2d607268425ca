import { AbstractChat, type ChatState, type ChatStatus, DefaultChatTransport, isToolUIPart, type UIMessage } from 'ai'

/** The AI SDK's own chat, without a framework around it: the state that `useChat` keeps in React. */
class PlainState implements ChatState<UIMessage> {
  status: ChatStatus = 'ready'
  error: Error | undefined
  messages: UIMessage[]

  constructor(messages: UIMessage[]) {
    this.messages = messages
  }

  pushMessage = (message: UIMessage): void => {
    this.messages = [...this.messages, structuredClone(message)]
  }

  popMessage = (): void => {
    this.messages = this.messages.slice(0, -1)
  }

  replaceMessage = (index: number, message: UIMessage): void => {
    this.messages = this.messages.with(index, structuredClone(message))
  }

  snapshot = <T>(value: T): T => structuredClone(value)
}

export interface ChatClientOptions {
  id: string
  as: string
  /** Where the server is; the transport adds its own paths. */
  origin?: string
  fetch?: (request: Request) => Promise<Response>
  messages?: UIMessage[]
  body?: object
  sendAutomaticallyWhen?: (options: { messages: UIMessage[] }) => boolean
}

/** A chat as an application has it: `useChat`'s logic and its default transport, nothing of ours. */
export class ChatClient extends AbstractChat<UIMessage> {
  constructor(options: ChatClientOptions) {
    const { id, as, origin = 'http://localhost', fetch, messages = [], body, sendAutomaticallyWhen } = options
    super({
      id,
      state: new PlainState(messages),
      transport: new DefaultChatTransport({
        api: `${origin}/api/chat`,
        headers: { 'X-Handrail-User': as },
        ...(body && { body }),
        ...(fetch && { fetch: (input, init) => fetch(new Request(input, init)) }),
      }),
      ...(sendAutomaticallyWhen && { sendAutomaticallyWhen }),
    })
  }

  /** What the last message says. */
  get lastText(): string {
    return textOf(this.lastMessage)
  }

  /** The tool parts of the last message. */
  get lastTools() {
    return (this.lastMessage?.parts ?? []).filter(isToolUIPart)
  }

  /** Waits until nothing is under way. */
  async settled(): Promise<void> {
    while (this.status === 'submitted' || this.status === 'streaming') await new Promise((done) => setTimeout(done, 5))
  }
}

export function textOf(message: UIMessage | undefined): string {
  return (message?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
