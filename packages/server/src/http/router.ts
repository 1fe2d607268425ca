import { createRoute, type OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi'
import type { Principal } from 'handrail'
import type { Context } from 'hono'
import type { ServerContext } from '../context.ts'
import { HttpError } from './http-error.ts'
import { isCleanText, readJsonBody } from './read-json-body.ts'
import { errorBody } from './schemas.ts'

const bodyBytes = 256 * 1024

type ObjectSchema = z.ZodObject
type Parsed<Schema extends z.ZodType | undefined> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** A route as it stands in the API's description, and is held to. */
export interface RouteDefinition<
  Params extends ObjectSchema | undefined,
  Query extends ObjectSchema | undefined,
  Body extends z.ZodType | undefined,
> {
  method: 'get' | 'post'
  /** As OpenAPI writes it: `/api/calls/{id}`. */
  path: string
  summary: string
  description?: string
  tag: string
  /** Without a principal: for probes and documents. */
  isPublic?: boolean
  params?: Params
  query?: Query
  body?: Body
  /** True where a request may come without a body. */
  bodyIsOptional?: boolean
  /** Largest body in bytes. Default 256 kB. */
  bodyBytes?: number
  /** What of the body will be used, where that is not all of it: only that must be clean. */
  taken?: (body: unknown) => unknown
  responses: RouteConfig['responses']
  /** Statuses of `{ error }` bodies beyond 400, 401 and 500. */
  errors?: readonly (403 | 404 | 409 | 413 | 429 | 503)[]
}

export interface RouteRequest<Params, Query, Body> {
  principal: Principal
  params: Params
  query: Query
  body: Body
  /** A header's text, when it is there. */
  header(name: string): string | undefined
  raw: Request
}

export interface PublicRequest<Params, Query, Body> extends Omit<RouteRequest<Params, Query, Body>, 'principal'> {
  principal: undefined
}

/** Routes of one server: described and held to the same schemas. */
export class Router {
  readonly app: OpenAPIHono
  readonly #context: ServerContext

  constructor(app: OpenAPIHono, context: ServerContext) {
    this.app = app
    this.#context = context
  }

  /** A route for people who are signed in. */
  route<
    Params extends ObjectSchema | undefined = undefined,
    Query extends ObjectSchema | undefined = undefined,
    Body extends z.ZodType | undefined = undefined,
  >(
    definition: RouteDefinition<Params, Query, Body>,
    handle: (request: RouteRequest<Parsed<Params>, Parsed<Query>, Parsed<Body>>) => Promise<Response> | Response,
  ): void {
    this.#add(definition, async (request) => {
      const principal = await this.#context.principals.authenticate(request.raw)
      if (principal === undefined) throw this.#unauthenticated()
      return handle({ ...(await parse(definition, request)), principal })
    })
  }

  /** A route for anybody. */
  publicRoute(
    definition: RouteDefinition<undefined, undefined, undefined>,
    handle: () => Promise<Response> | Response,
  ): void {
    this.#add({ ...definition, isPublic: true }, async (request) => {
      await parse(definition, request)
      return handle()
    })
  }

  #add(
    definition: RouteDefinition<ObjectSchema | undefined, ObjectSchema | undefined, z.ZodType | undefined>,
    handle: (request: ReceivedRequest) => Promise<Response>,
  ): void {
    const route = createRoute(describe(definition))
    this.app.openAPIRegistry.registerPath(route)
    this.app.on(definition.method.toUpperCase(), route.getRoutingPath(), (c) => handle(received(c)))
  }

  #unauthenticated(): HttpError {
    const message = this.#context.isDevMode
      ? 'Say who you are: send the header `X-Handrail-User` with alice, bob, carol or mallory.'
      : 'You are not signed in.'
    return new HttpError('UNAUTHENTICATED', message)
  }
}

interface ReceivedRequest {
  raw: Request
  params: Record<string, string>
  query: Record<string, string | string[]>
}

function received(c: Context): ReceivedRequest {
  const query = Object.entries(c.req.queries()).map(([name, values]) => [
    name,
    values.length === 1 ? values[0] : values,
  ])
  return { raw: c.req.raw, params: c.req.param(), query: Object.fromEntries(query) }
}

async function parse<
  Params extends ObjectSchema | undefined,
  Query extends ObjectSchema | undefined,
  Body extends z.ZodType | undefined,
>(definition: RouteDefinition<Params, Query, Body>, { raw, params, query }: ReceivedRequest) {
  const own = check(definition.params, params, 'path')
  const asked = check(definition.query ?? z.strictObject({}), query, 'query')
  return {
    params: own as Parsed<Params>, // checked by this schema
    query: (definition.query ? asked : undefined) as Parsed<Query>, // checked by this schema
    body: (await readBody(definition, raw)) as Parsed<Body>, // checked by this schema
    header: (name: string) => raw.headers.get(name) ?? undefined,
    raw,
  }
}

type BodyDefinition = Pick<
  RouteDefinition<undefined, undefined, z.ZodType | undefined>,
  'body' | 'bodyIsOptional' | 'bodyBytes' | 'taken' | 'method'
>

async function readBody(
  { body, bodyIsOptional, bodyBytes: limit = bodyBytes, taken, method }: BodyDefinition,
  raw: Request,
): Promise<unknown> {
  if (method === 'get') return undefined
  const value = await readJsonBody(raw, limit, taken)
  if (value === undefined && (bodyIsOptional || body === undefined)) return undefined
  if (value === undefined) throw new HttpError('VALIDATION', 'A JSON body is needed.')
  return check(body ?? z.strictObject({}), value, 'body')
}

function check(schema: z.ZodType | undefined, value: unknown, where: 'path' | 'query' | 'body'): unknown {
  if (schema === undefined) return undefined
  if (where !== 'body') requireCleanTexts(value, where)
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues
    .slice(0, 20)
    .map(({ path, message }) => ({ path: path.length > 0 ? `${where}.${z.core.toDotPath(path)}` : where, message }))
  const [first] = issues
  throw new HttpError(
    'VALIDATION',
    `The request cannot be used: \`${first?.path ?? where}\`: ${first?.message ?? ''}.`,
    {
      details: { issues },
    },
  )
}

function requireCleanTexts(value: unknown, where: string): void {
  const texts = typeof value === 'object' && value !== null ? Object.entries(value).flat(2) : []
  if (texts.every((text) => isCleanText(String(text)))) return
  throw new HttpError('VALIDATION', `A text of the ${where} holds NUL or half of a surrogate pair.`)
}

function describe(
  definition: RouteDefinition<ObjectSchema | undefined, ObjectSchema | undefined, z.ZodType | undefined>,
): RouteConfig {
  const { method, path, summary, description, tag, isPublic, params, query, body, bodyIsOptional, errors } = definition
  const errorStatuses = isPublic ? [] : [...(params || query || body ? [400] : []), 401, ...(errors ?? []), 500]
  const errorResponses = errorStatuses
    .filter((status) => !(status in definition.responses))
    .map((status) => [
      status,
      { description: errorDescriptions[status] ?? 'Error', content: { 'application/json': { schema: errorBody } } },
    ])
  return {
    method,
    path,
    summary,
    ...(description && { description }),
    tags: [tag],
    ...(isPublic ? { security: [] } : {}),
    request: {
      ...(params && { params }),
      ...(query && { query }),
      ...(body && { body: { required: !bodyIsOptional, content: { 'application/json': { schema: body } } } }),
    },
    responses: { ...definition.responses, ...Object.fromEntries(errorResponses) },
  }
}

const errorDescriptions: Readonly<Record<number, string>> = {
  400: 'The request cannot be used as it is',
  401: 'Nobody is signed in',
  403: 'This person may not do this',
  404: 'There is no such thing, or it is not yours',
  409: 'The request contradicts what is stored',
  413: 'The body is too large',
  429: 'Too many for now; `Retry-After` says when',
  500: 'A fault of the server',
  503: 'Something the server needs is not there just now',
}
