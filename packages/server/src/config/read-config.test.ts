import { SetupError } from 'handrail'
import { describe, expect, it } from 'vitest'
import { readConfig } from './read-config.ts'

const secret = 'a secret that has thirty-two characters at least'
const problem = (env: NodeJS.ProcessEnv): string => {
  try {
    readConfig(env)
  } catch (error) {
    expect(error).toBeInstanceOf(SetupError)
    expect(error).toHaveProperty('code', 'BAD_ENVIRONMENT')
    return error instanceof Error ? error.message : ''
  }
  return ''
}

describe('readConfig', () => {
  it('serves this machine on port 4300 from `.handrail`, with the offline interpreter, when nothing is set', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 4300,
      dataFolder: '.handrail',
      databaseUrl: undefined,
      secret: undefined,
      model: { provider: 'offline' },
      logLevel: 'warn',
    })
    expect(readConfig({ PORT: '', HANDRAIL_SECRET: ' ', DATABASE_URL: '' })).toEqual(readConfig({}))
  })

  it.each([
    [{ PORT: 'http' }, 'PORT'],
    [{ PORT: '70000' }, 'PORT'],
    [{ HANDRAIL_SECRET: 'hunter2' }, 'HANDRAIL_SECRET'],
    [{ HANDRAIL_LOG: 'loud' }, 'HANDRAIL_LOG'],
    [{ HANDRAIL_HOST: '0.0.0.0' }, 'HANDRAIL_HOST'],
    [{ HANDRAIL_MODEL: 'gpt-5' }, 'HANDRAIL_MODEL'],
    [{ HANDRAIL_MODEL: 'openai/gpt-5' }, 'OPENAI_API_KEY'],
    [{ HANDRAIL_MODEL: 'mistral/large' }, 'HANDRAIL_MODEL'],
    [{ HANDRAIL_BASE_URL: 'localhost:8080', HANDRAIL_MODEL: 'x' }, 'HANDRAIL_BASE_URL'],
    [{ HANDRAIL_BASE_URL: 'http://localhost:8080/v1' }, 'HANDRAIL_MODEL'],
  ])('refuses %j and names `%s`', (env, variable) => {
    expect(problem(env)).toContain(`\`${variable}\``)
  })

  it('names every variable that is wrong, and no value', () => {
    const message = problem({ PORT: 'x', HANDRAIL_SECRET: 'hunter2' })
    expect(message).toContain('`PORT`')
    expect(message).toContain('`HANDRAIL_SECRET`')
    expect(message).not.toContain('hunter2')
  })

  it('derives the same key from the same secret, another one for another purpose, and never shows the secret', () => {
    const config = readConfig({ HANDRAIL_SECRET: secret, HANDRAIL_HOST: '0.0.0.0' })
    expect(config.secret?.keyFor('seal')).toEqual(readConfig({ HANDRAIL_SECRET: secret }).secret?.keyFor('seal'))
    expect(config.secret?.keyFor('seal')).not.toEqual(config.secret?.keyFor('other'))
    expect(JSON.stringify(config)).not.toContain(secret)
  })

  it.each([
    [{ OPENAI_API_KEY: 'k' }, { provider: 'openai' }],
    [{ ANTHROPIC_API_KEY: 'k' }, { provider: 'anthropic' }],
    [{ GOOGLE_GENERATIVE_AI_API_KEY: 'k' }, { provider: 'google' }],
    [
      { AI_GATEWAY_API_KEY: 'k', OPENAI_API_KEY: 'o' },
      { provider: 'gateway', apiKey: 'k' },
    ],
    [
      { OPENAI_API_KEY: 'k', HANDRAIL_MODEL: 'openai/gpt-5' },
      { provider: 'openai', modelId: 'gpt-5' },
    ],
    [
      { AI_GATEWAY_API_KEY: 'k', HANDRAIL_MODEL: 'openai/gpt-5' },
      { provider: 'gateway', modelId: 'openai/gpt-5' },
    ],
    [
      { AI_GATEWAY_API_KEY: 'k', HANDRAIL_MODEL: 'gateway/xai/grok' },
      { provider: 'gateway', modelId: 'xai/grok' },
    ],
    [
      { HANDRAIL_MODEL: 'ollama/qwen3:8b' },
      { provider: 'ollama', modelId: 'qwen3:8b', baseUrl: 'http://127.0.0.1:11434/v1' },
    ],
    [
      { HANDRAIL_BASE_URL: 'http://llm:8000/v1', HANDRAIL_MODEL: 'org/model' },
      { provider: 'compatible', modelId: 'org/model' },
    ],
    [{ OPENAI_API_KEY: 'k', HANDRAIL_MODEL: 'offline' }, { provider: 'offline' }],
  ])('chooses from %j the model %j', (env, expected) => {
    expect(readConfig(env).model).toMatchObject(expected)
  })
})
