import { UnreachableError } from './unreachable-error.ts'

export interface ApiAnswer {
  status: number
  body: unknown
}

/** Talks to a running server as one person. The embedded database has one owner, so every command goes this way. */
export class ApiClient {
  readonly url: string
  readonly #user: string

  constructor(url: string, user: string) {
    this.url = url.replace(/\/$/, '')
    this.#user = user
  }

  async get(path: string): Promise<ApiAnswer> {
    return read(await this.#fetch(path, { method: 'GET' }))
  }

  async post(path: string, body: unknown): Promise<ApiAnswer> {
    return read(await this.#fetch(path, { method: 'POST', body: JSON.stringify(body) }))
  }

  /** A stream of server-sent events, as the response has it. */
  async stream(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
    return this.#fetch(path, { method: 'POST', body: JSON.stringify(body), ...(signal ? { signal } : {}) })
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(`${this.url}${path}`, {
        ...init,
        headers: { 'content-type': 'application/json', 'x-handrail-user': this.#user },
      })
    } catch (error) {
      if (init.signal?.aborted) throw error
      throw new UnreachableError(this.url, error)
    }
  }
}

async function read(response: Response): Promise<ApiAnswer> {
  const text = await response.text()
  try {
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  } catch {
    return {
      status: response.status,
      body: { error: { code: 'NOT_JSON', message: `the server answered ${response.status} without JSON` } },
    }
  }
}

/** The sentence in an error body, wherever it is. */
export function messageOf({ status, body }: ApiAnswer): string {
  if (typeof body === 'object' && body !== null && 'error' in body) {
    const { error } = body
    if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message)
  }
  return `the server answered ${status}`
}
