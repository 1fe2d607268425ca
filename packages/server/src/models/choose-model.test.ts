import { newId } from 'handrail'
import { startFakeOpenAIServer } from 'handrail/testing'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../config/read-config.ts'
import { ChatClient } from '../testing/chat-client.ts'
import { openTestServer } from '../testing/open-test-server.ts'
import { probe } from '../testing/probe-pack.ts'
import { chooseModel } from './choose-model.ts'

describe('chooseModel', () => {
  it('asks any OpenAI-compatible endpoint, with its tools, and counts what it cost', async () => {
    await using endpoint = await startFakeOpenAIServer({
      apiKey: 'right',
      turns: [
        { toolCalls: [{ name: 'probe_echo', input: { text: 'ping' } }], usage: { inputTokens: 30, outputTokens: 7 } },
        { text: 'It said ping.', usage: { inputTokens: 40, outputTokens: 5 } },
      ],
    })
    const env = { HANDRAIL_BASE_URL: endpoint.baseURL, HANDRAIL_MODEL: 'org/model', HANDRAIL_API_KEY: 'right' }
    const server = await openTestServer({ packs: [probe], env })
    expect(server.context.model).toMatchObject({ label: 'compatible: org/model', isOffline: false })
    const chat = new ChatClient({ id: newId(), as: 'alice', fetch: server.fetch })
    await chat.sendMessage({ text: 'Echo ping' })
    expect(chat.lastTools).toMatchObject([{ state: 'output-available', output: { data: { text: 'ping' } } }])
    expect(chat.lastText).toBe('It said ping.')
    const [request] = endpoint.requests
    expect(request?.body).toMatchObject({ model: 'org/model', stream: true, stream_options: { include_usage: true } })
    const { body } = await server.get('/api/runs', 'alice')
    expect(body.items).toMatchObject([{ status: 'done', usage: { inputTokens: 70, outputTokens: 12 } }])
    await server.close()
  })

  it('ends the run with a sentence for the person when the endpoint refuses', async () => {
    await using endpoint = await startFakeOpenAIServer({ apiKey: 'right', turns: [] })
    const env = { HANDRAIL_BASE_URL: endpoint.baseURL, HANDRAIL_MODEL: 'org/model', HANDRAIL_API_KEY: 'wrong' }
    const server = await openTestServer({ packs: [probe], env })
    const chat = new ChatClient({ id: newId(), as: 'alice', fetch: server.fetch })
    await chat.sendMessage({ text: 'Hello' })
    expect(chat.status).toBe('ready')
    expect(chat.lastText).not.toBe('')
    expect(chat.lastText).not.toContain('wrong')
    expect((await server.get('/api/runs', 'alice')).body.items).toMatchObject([{ status: 'failed' }])
    await server.close()
  })

  it.each([
    [{}, 'offline-interpreter'],
    [{ OPENAI_API_KEY: 'k', HANDRAIL_MODEL: 'openai/gpt-5' }, 'gpt-5'],
    [{ ANTHROPIC_API_KEY: 'k', HANDRAIL_MODEL: 'anthropic/claude-x' }, 'claude-x'],
    [{ GOOGLE_GENERATIVE_AI_API_KEY: 'k', HANDRAIL_MODEL: 'google/gemini-x' }, 'gemini-x'],
    [{ AI_GATEWAY_API_KEY: 'k', HANDRAIL_MODEL: 'openai/gpt-5' }, 'openai/gpt-5'],
    [{ HANDRAIL_MODEL: 'ollama/qwen3' }, 'qwen3'],
  ])('takes from %j the model `%s`', (env, modelId) => {
    expect(chooseModel(readConfig(env).model, [probe]).model).toMatchObject({ modelId })
  })
})
