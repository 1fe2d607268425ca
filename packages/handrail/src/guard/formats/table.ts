import type { TextFormat } from '../text-format.ts'
import { apertus } from './apertus.ts'
import { bareCall } from './bare-call.ts'
import { bareJson } from './bare-json.ts'
import { cohere } from './cohere.ts'
import { deepseek } from './deepseek.ts'
import { dsml } from './dsml.ts'
import { functionCallTag } from './function-call-tag.ts'
import { functionTags } from './function-tags.ts'
import { functiongemma } from './functiongemma.ts'
import { functools } from './functools.ts'
import { gemma4 } from './gemma4.ts'
import { gigachat } from './gigachat.ts'
import { granite } from './granite.ts'
import { harmony } from './harmony.ts'
import { hermes } from './hermes.ts'
import { internlm } from './internlm.ts'
import { kimi } from './kimi.ts'
import { lfm2 } from './lfm2.ts'
import { llama } from './llama.ts'
import { longcat } from './longcat.ts'
import { minimax } from './minimax.ts'
import { mistral } from './mistral.ts'
import { nemotron } from './nemotron.ts'
import { pythonicList } from './pythonic-list.ts'
import { seedOss } from './seed-oss.ts'
import { toolTags } from './tool-tags.ts'

/**
 * Every way of writing a call as text that the guard knows. Where two begin alike, the first is tried first. Calls in
 * a Markdown fence are found by `fence-reader.ts`, which reads these inside it.
 */
export const textFormats: readonly TextFormat[] = [
  hermes,
  pythonicList,
  functionTags,
  lfm2,
  deepseek,
  dsml,
  functionCallTag,
  gemma4,
  functiongemma,
  mistral,
  kimi,
  llama,
  cohere,
  minimax,
  longcat,
  apertus,
  seedOss,
  granite,
  harmony,
  internlm,
  nemotron,
  gigachat,
  functools,
  toolTags,
  bareJson,
  bareCall,
]
