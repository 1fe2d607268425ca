import type { ServerContext } from './context.ts'

/** The first thing a person reads: where it is, what answers, who they may be, and what to do next. */
export function welcome(url: string, { isDevMode, model, demoScope, packs }: ServerContext): string {
  const answers = model.isOffline
    ? `Answering: ${model.label} (simple requests only). For a language model set OPENAI_API_KEY, ANTHROPIC_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY or AI_GATEWAY_API_KEY, or HANDRAIL_MODEL=ollama/qwen3.`
    : `Answering: ${model.label}`
  const lines = [`Handrail is running at ${url}`, answers]
  if (!isDevMode) {
    const signIn =
      'HANDRAIL_SECRET is set, or the application signs people in: the demo people are off. Who is who comes from the application that starts the server (`people`).'
    return `${lines.join('\n')}\n${signIn}\nAPI: ${url}/docs`
  }
  const [pack] = packs
  const scope = (pack && demoScope('acme', pack.name)) ?? {}
  const example = JSON.stringify({ input: {}, scope })
  return [
    ...lines,
    'Dev mode, this machine only. Demo people: alice (owner), bob (member), carol (reader) in workspace acme; mallory (owner) in workspace other.',
    '',
    'Next:',
    '  npx handrail chat',
    `  curl -H 'X-Handrail-User: alice' -H 'content-type: application/json' -d '${example}' ${url}/api/tools/list_game_systems/call`,
    `  curl -H 'X-Handrail-User: alice' ${url}/api/ledger      (all routes: ${url}/docs)`,
  ].join('\n')
}
