import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { completionOf, streamFramesOf } from './fake-openai-replies.ts'
import { type ScriptedTurn, waitBeforeChunk } from './scripted-turn.ts'

/** A turn that the server fails in, as providers do. */
export interface FailingTurn {
  /** HTTP status: 429, 500 … */
  status: number
  message?: string
  /** Sent as `Retry-After`, in seconds. */
  retryAfter?: number
}

/** A turn that the server answers; of a streamed one it can cut the connection after so many frames. */
export interface AnsweredTurn extends ScriptedTurn {
  cutAfterFrames?: number
}

export type FakeOpenAITurn = AnsweredTurn | FailingTurn

/** What the server was asked. */
export interface FakeOpenAIRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
  /** The JSON body; undefined for a GET. */
  body: FakeOpenAIBody | undefined
  /** The client went away before the answer was complete. */
  aborted: boolean
}

/** The parts of a chat completion's request that tests look at. */
export interface FakeOpenAIBody {
  model: string
  messages: { role: string; content?: unknown; tool_calls?: unknown[]; tool_call_id?: string }[]
  tools?: { type: 'function'; function: { name: string; description?: string; parameters: unknown } }[]
  stream?: boolean
  stream_options?: { include_usage?: boolean }
  [more: string]: unknown
}

export interface FakeOpenAIServer extends AsyncDisposable {
  /** With `/v1`, as clients want it. */
  readonly baseURL: string
  readonly requests: readonly FakeOpenAIRequest[]
  close(): Promise<void>
}

export interface FakeOpenAIServerOptions {
  /** One entry per completion, or one function for all of them. A request beyond the script gets a 500 that says so. */
  turns: readonly FakeOpenAITurn[] | ((body: FakeOpenAIBody, turn: number) => FakeOpenAITurn | Promise<FakeOpenAITurn>)
  /** Default 0: any free port. */
  port?: number
  /** Refuses requests without this key; by default every key is good. */
  apiKey?: string
  /** Ids that `/v1/models` lists. */
  models?: readonly string[]
}

/**
 * A server on the loopback that speaks OpenAI's `/v1/chat/completions` (streamed, tool-call arguments in pieces, and
 * whole) and `/v1/models`, and says what a test wants it to.
 *
 * @example
 * await using server = await startFakeOpenAIServer({ turns: [{ status: 429, retryAfter: 1 }, { text: 'Hello.' }] })
 * const model = createOpenAICompatible({ name: 'fake', baseURL: server.baseURL }).chatModel('any')
 */
export async function startFakeOpenAIServer(options: FakeOpenAIServerOptions): Promise<FakeOpenAIServer> {
  const { turns, port = 0, apiKey, models = ['fake-model'] } = options
  const requests: FakeOpenAIRequest[] = []
  let turnCount = 0

  async function complete(request: FakeOpenAIRequest, body: FakeOpenAIBody, response: ServerResponse): Promise<void> {
    const index = turnCount++
    const turn = typeof turns === 'function' ? await turns(body, index) : turns[index]
    if (turn === undefined)
      return fail(response, { status: 500, message: `The script has no turn for request ${index + 1}` })
    if ('status' in turn) return fail(response, turn)
    const gone = new AbortController()
    response.on('close', () => {
      if (response.writableFinished || gone.signal.aborted) return
      request.aborted = true
      gone.abort()
    })
    try {
      if (body.stream) await stream(response, body, turn, index, gone.signal)
      else {
        await waitBeforeChunk(turn.delayChunks, gone.signal)
        sendJson(response, 200, completionOf(turn, body.model, index))
      }
    } catch (error) {
      if (!gone.signal.aborted) throw error
    }
  }

  const server = createServer(async (incoming, response) => {
    const path = new URL(incoming.url ?? '/', 'http://localhost').pathname
    const request: FakeOpenAIRequest = {
      method: incoming.method ?? 'GET',
      path,
      headers: incoming.headers,
      body: undefined,
      aborted: false,
    }
    requests.push(request)
    try {
      if (apiKey !== undefined && incoming.headers.authorization !== `Bearer ${apiKey}`) {
        fail(response, { status: 401, message: 'Incorrect API key provided' })
      } else if (request.method === 'GET' && path === '/v1/models') {
        sendJson(response, 200, {
          object: 'list',
          data: models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'fake' })),
        })
      } else if (request.method === 'POST' && path === '/v1/chat/completions') {
        const body = await readBody(incoming)
        request.body = body
        if (body === undefined) fail(response, { status: 400, message: 'The body is not a chat completion request' })
        else await complete(request, body, response)
      } else fail(response, { status: 404, message: `There is no ${request.method} ${path}` })
    } catch (error) {
      // A script that throws must be seen by the test, and not end the process.
      if (response.headersSent) response.destroy()
      else fail(response, { status: 500, message: `The script failed: ${String(error)}` })
    }
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  const address = server.address()
  const boundPort = typeof address === 'object' && address !== null ? address.port : port

  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { baseURL: `http://127.0.0.1:${boundPort}/v1`, requests, close, [Symbol.asyncDispose]: close }
}

async function stream(
  response: ServerResponse,
  body: FakeOpenAIBody,
  turn: AnsweredTurn,
  index: number,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  response.flushHeaders()
  const frames = streamFramesOf(turn, body.model, index, body.stream_options?.include_usage === true)
  for (const [position, frame] of frames.entries()) {
    if (position === turn.cutAfterFrames) {
      // What was written must have left before the connection breaks.
      await new Promise<void>((resolve) => response.write('', () => resolve()))
      response.destroy()
      return
    }
    await waitBeforeChunk(turn.delayChunks, signal)
    response.write(`data: ${frame}\n\n`)
  }
  response.end()
}

async function readBody(incoming: IncomingMessage): Promise<FakeOpenAIBody | undefined> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    const isRequest = typeof body === 'object' && body !== null && 'messages' in body && Array.isArray(body.messages)
    return isRequest ? (body as FakeOpenAIBody) : undefined // tests read what they themselves caused to be sent
  } catch {
    return undefined
  }
}

function fail(
  response: ServerResponse,
  { status, message = `Scripted failure ${status}`, retryAfter }: FailingTurn,
): void {
  if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter))
  sendJson(response, status, { error: { message, type: 'fake_error', param: null, code: null } })
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
