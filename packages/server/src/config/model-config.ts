import { SetupError } from 'handrail'

/** Which model answers, as the environment has it. `modelId` is the provider's own name for it. */
export type ModelConfig =
  | { provider: 'offline' }
  | { provider: 'gateway' | 'openai' | 'anthropic' | 'google'; modelId: string; apiKey: string }
  | { provider: 'compatible' | 'ollama'; modelId: string; baseUrl: string; apiKey: string | undefined }

/** Providers with an endpoint of their own, in the order in which a lone key is taken, and what answers by default. */
const keyed = [
  { provider: 'gateway', variable: 'AI_GATEWAY_API_KEY', modelId: 'openai/gpt-6-luna' },
  { provider: 'openai', variable: 'OPENAI_API_KEY', modelId: 'gpt-6-luna' },
  { provider: 'anthropic', variable: 'ANTHROPIC_API_KEY', modelId: 'claude-sonnet-5-5' },
  { provider: 'google', variable: 'GOOGLE_GENERATIVE_AI_API_KEY', modelId: 'gemini-flash-latest' },
] as const
const ollamaUrl = 'http://127.0.0.1:11434/v1'

/**
 * Chooses among what the environment offers.
 *
 * `HANDRAIL_MODEL` is `provider/model`: `openai/gpt-5`, `anthropic/…`, `google/…`, `ollama/qwen3`, `gateway/openai/gpt-5`,
 * or `offline`. With `HANDRAIL_BASE_URL` it is that endpoint's own name, whatever it looks like. Without it the first
 * provider that has a key answers with a model of ours, and without any key the offline interpreter.
 *
 * @throws {SetupError} `BAD_ENVIRONMENT`, naming the variable that is missing or wrong.
 */
export function readModelConfig(env: NodeJS.ProcessEnv): ModelConfig {
  const wanted = read(env, 'HANDRAIL_MODEL')
  const baseUrl = read(env, 'HANDRAIL_BASE_URL')
  if (wanted === 'offline') return { provider: 'offline' }
  if (baseUrl !== undefined) {
    if (!isHttpUrl(baseUrl)) throw bad('`HANDRAIL_BASE_URL` must be a url that starts with http:// or https://')
    if (wanted === undefined)
      throw bad('`HANDRAIL_BASE_URL` needs `HANDRAIL_MODEL`: the model to ask that endpoint for')
    return { provider: 'compatible', modelId: wanted, baseUrl, apiKey: read(env, 'HANDRAIL_API_KEY') }
  }
  if (wanted === undefined) {
    const found = keyed.find(({ variable }) => read(env, variable) !== undefined)
    return found ? withKey(env, found, found.modelId) : { provider: 'offline' }
  }
  const slash = wanted.indexOf('/')
  const [name, modelId] = [wanted.slice(0, Math.max(0, slash)), wanted.slice(slash + 1)]
  if (slash < 1 || modelId === '') throw bad('`HANDRAIL_MODEL` reads `provider/model`, or `offline`')
  if (name === 'ollama') {
    const url = read(env, 'OLLAMA_BASE_URL') ?? ollamaUrl
    if (!isHttpUrl(url)) throw bad('`OLLAMA_BASE_URL` must be a url that starts with http:// or https://')
    return { provider: 'ollama', modelId, baseUrl: url, apiKey: undefined }
  }
  const own = keyed.find(({ provider }) => provider === name)
  if (own && read(env, own.variable) !== undefined) return withKey(env, own, modelId)
  // The gateway has the models of all providers, under just these names.
  const [gateway] = keyed
  if (read(env, gateway.variable) !== undefined) return withKey(env, gateway, wanted)
  if (own)
    throw bad(
      `\`HANDRAIL_MODEL\` names a model of ${name}, which needs \`${own.variable}\` (or \`${gateway.variable}\`)`,
    )
  throw bad(
    '`HANDRAIL_MODEL` names a provider that is not known here; known are openai, anthropic, google, ollama and gateway. For any other set `HANDRAIL_BASE_URL`',
  )
}

function withKey(env: NodeJS.ProcessEnv, { provider, variable }: (typeof keyed)[number], modelId: string): ModelConfig {
  return { provider, modelId, apiKey: read(env, variable) ?? '' }
}

function read(env: NodeJS.ProcessEnv, variable: string): string | undefined {
  return env[variable]?.trim() || undefined
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}

function bad(problem: string): SetupError {
  return new SetupError('BAD_ENVIRONMENT', `The environment cannot be used: ${problem}.`)
}
