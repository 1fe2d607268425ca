import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createGateway, type LanguageModel, wrapLanguageModel } from 'ai'
import { guardMiddleware, type Pack } from 'handrail'
import { createOfflineModel } from 'handrail/offline'
import type { ModelConfig } from '../config/model-config.ts'

export interface ChosenModel {
  model: LanguageModel
  /** For people: who answers. */
  label: string
  isOffline: boolean
}

/** The model that the environment names; the offline interpreter, which knows the packs' words, when it names none. */
export function chooseModel(config: ModelConfig, packs: readonly Pack[]): ChosenModel {
  if (config.provider === 'offline') {
    return { model: createOfflineModel({ packs }), label: 'the offline interpreter', isOffline: true }
  }
  return { model: onlineModel(config), label: `${config.provider}: ${config.modelId}`, isOffline: false }
}

function onlineModel(config: Exclude<ModelConfig, { provider: 'offline' }>): LanguageModel {
  const { modelId } = config
  switch (config.provider) {
    case 'gateway':
      return createGateway({ apiKey: config.apiKey })(modelId)
    case 'openai':
      return createOpenAI({ apiKey: config.apiKey })(modelId)
    case 'anthropic':
      return createAnthropic({ apiKey: config.apiKey })(modelId)
    case 'google':
      return createGoogle({ apiKey: config.apiKey })(modelId)
    case 'compatible':
    case 'ollama': {
      const { baseUrl: baseURL, apiKey } = config
      // Without `includeUsage` a streamed answer says nothing of its tokens.
      const settings = { name: config.provider, baseURL, includeUsage: true, ...(apiKey && { apiKey }) }
      const model = createOpenAICompatible(settings).chatModel(modelId)
      // Local models write calls as text more often than not.
      return wrapLanguageModel({ model, middleware: guardMiddleware() })
    }
  }
}
