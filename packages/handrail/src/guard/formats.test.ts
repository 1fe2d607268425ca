import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textFormats } from './formats/table.ts'
import { scanMessage } from './scan-message.ts'
import type { GuardTool } from './tool-index.ts'

const tools: GuardTool[] = [
  {
    name: 'get_page',
    parameters: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        depth: { type: 'integer' },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['id'],
    },
  },
  { name: 'list-users', parameters: { type: 'object', properties: { role: { type: 'string' } } } },
  { name: 'ping', parameters: { type: 'object', properties: {} } },
  { name: 'run_code', parameters: { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] } },
]

const page = { name: 'get_page', arguments: { id: '7', depth: 2 } }
const users = { name: 'list-users', arguments: { role: 'admin' } }
const ping = { name: 'ping', arguments: {} }
const pageJson = '{"name": "get_page", "arguments": {"id": "7", "depth": 2}}'
const usersJson = '{"name": "list-users", "arguments": {"role": "admin"}}'
const code = 'def f(a):\n    return {"a": a}\n\nprint(f("<b>"))'

/** What a model wrote, the format it is in, the calls in it. */
const written: [format: string, text: string, calls: unknown[]][] = [
  ['hermes', `<tool_call>\n${pageJson}\n</tool_call>`, [page]],
  ['hermes', `<tool_call>${pageJson}</tool_call>\n<tool_call>${usersJson}</tool_call>`, [page, users]],
  ['hermes', `<tool_call>[${pageJson}, ${usersJson}]</tool_call>`, [page, users]],
  ['hermes', `<tool_call>${pageJson}\n${usersJson}</tool_call>`, [page, users]],
  ['hermes', `<tool_call>${pageJson}\n<tool_call>${usersJson}</tool_call>`, [page, users]],
  ['hermes', `<tool_call>${pageJson}`, [page]],
  ['hermes', `<tool_call>${pageJson}</tool_`, [page]],
  [
    'hermes',
    '<tool_call>get_page<arg_key>id</arg_key><arg_value>7</arg_value><arg_key>depth</arg_key><arg_value>2</arg_value></tool_call>',
    [page],
  ],
  [
    'hermes',
    '<tool_call>get_page\n<arg_key>id</arg_key>\n<arg_value>7</arg_value>\n<arg_key>depth</arg_key>\n<arg_value>2</arg_value>\n</tool_call>',
    [page],
  ],
  ['hermes', '<tool_call>ping</tool_call>', [ping]],
  [
    'hermes',
    '<tool_call>\n<function=get_page>\n<parameter=id>\n7\n</parameter>\n<parameter=depth>\n2\n</parameter>\n</function>\n</tool_call>',
    [page],
  ],
  [
    'hermes',
    `<tool_call>\n<function=run_code>\n<parameter=code>\n${code}\n</parameter>\n</function>\n</tool_call>`,
    [{ name: 'run_code', arguments: { code } }],
  ],
  ['function-tags', '<function=get_page>{"id": "7", "depth": 2}</function>', [page]],
  [
    'function-tags',
    '<function=get_page>\n<parameter=id>7</parameter>\n<parameter=depth>2</parameter>\n</function>\n</tool_call>',
    [page],
  ],
  [
    'function-tags',
    '<function name="get_page"><param name="id">7</param><param name="depth">2</param></function>',
    [page],
  ],
  [
    'function-tags',
    '<invoke name="get_page"><parameter name="id">7</parameter><parameter name="depth">2</parameter></invoke>',
    [page],
  ],
  ['pythonic-list', '[get_page(id="7", depth=2), ping()]', [page, ping]],
  [
    'pythonic-list',
    "I will look. [get_page(id='7', tags=['a', 'b'])]",
    [{ name: 'get_page', arguments: { id: '7', tags: ['a', 'b'] } }],
  ],
  ['lfm2', '<|tool_call_start|>[get_page(id="7", depth=2)]<|tool_call_end|>', [page]],
  ['lfm2', `<|tool_call_start|>[${pageJson}]<|tool_call_end|>`, [page]],
  [
    'deepseek',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_page\n```json\n{"id": "7", "depth": 2}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [page],
  ],
  [
    'deepseek',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_page<｜tool▁sep｜>{"id": "7", "depth": 2}<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>ping<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [page, ping],
  ],
  [
    'deepseek',
    '<｜tool_calls_begin｜><｜tool_call_begin｜>get_page<｜tool_sep｜>{"id": "7", "depth": 2}<｜tool_call_end｜><｜tool_calls_end｜>',
    [page],
  ],
  [
    'dsml',
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_page">\n<｜DSML｜parameter name="id" string="true">7</｜DSML｜parameter>\n<｜DSML｜parameter name="depth" string="false">2</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    [page],
  ],
  ['function-call-tag', `<function_call>${pageJson}</function_call>`, [page]],
  ['function-call-tag', '<function_calls>\nget_page(id="7", depth=2)\nping()\n</function_calls>', [page, ping]],
  [
    'function-call-tag',
    '<function_calls>\n<invoke name="get_page">\n<parameter name="id">7</parameter>\n<parameter name="depth">2</parameter>\n</invoke>\n</function_calls>',
    [page],
  ],
  ['function-call-tag', `<tool_calls>[${pageJson}]</tool_calls>`, [page]],
  ['gemma4', '<|tool_call>call:get_page{id:<|"|>7<|"|>,depth:2}<tool_call|>', [page]],
  ['gemma4', '<|tool_call>call:get_page{id:<|"|>7<|"|>,depth:2}call:ping{}<tool_call|>', [page, ping]],
  ['functiongemma', '<start_function_call>call:get_page{id:<escape>7<escape>,depth:2}<end_function_call>', [page]],
  ['mistral', `[TOOL_CALLS] [${pageJson}, ${usersJson}]`, [page, users]],
  [
    'mistral',
    '[TOOL_CALLS]get_page[ARGS]{"id": "7", "depth": 2}[TOOL_CALLS]ping[CALL_ID]123456789[ARGS]{}',
    [page, ping],
  ],
  ['mistral', '[TOOL_CALLS]get_page{"id": "7", "depth": 2}', [page]],
  [
    'kimi',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_page:0<|tool_call_argument_begin|>{"id": "7", "depth": 2}<|tool_call_end|><|tool_call_begin|>functions.ping:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
    [page, ping],
  ],
  ['kimi', '<|tool_call_begin|>functions.get_page:0<|tool_call_argument_begin|>{"id": "7", "depth": 2}', [page]],
  ['llama', `<|python_tag|>${pageJson}; ${usersJson}`, [page, users]],
  ['llama', '<|python_tag|>get_page.call(id="7", depth=2)<|eom_id|>', [page]],
  ['llama', '<|python_start|>[get_page(id="7", depth=2)]<|python_end|>', [page]],
  [
    'cohere',
    '<|START_ACTION|>[\n {"tool_call_id": "0", "tool_name": "get_page", "parameters": {"id": "7", "depth": 2}}\n]<|END_ACTION|>',
    [page],
  ],
  ['fence', 'Action:\n```json\n[{"tool_name": "get_page", "parameters": {"id": "7", "depth": 2}}]\n```', [page]],
  [
    'minimax',
    '<minimax:tool_call>\n<invoke name="get_page">\n<parameter name="id">7</parameter>\n<parameter name="depth">2</parameter>\n</invoke>\n</minimax:tool_call>',
    [page],
  ],
  [
    'longcat',
    '<longcat_tool_call>get_page<longcat_arg_key>id</longcat_arg_key>\n<longcat_arg_value>7</longcat_arg_value>\n<longcat_arg_key>depth</longcat_arg_key>\n<longcat_arg_value>2</longcat_arg_value></longcat_tool_call>',
    [page],
  ],
  ['apertus', '<|tools_prefix|>[{"get_page": {"id": "7", "depth": 2}}, {"ping": {}}]<|tools_suffix|>', [page, ping]],
  [
    'seed-oss',
    '<seed:tool_call>\n<function=get_page>\n<parameter=id>7</parameter>\n<parameter=depth>2</parameter>\n</function>\n</seed:tool_call>',
    [page],
  ],
  ['granite', `<|tool_call|>[${pageJson}]`, [page]],
  ['granite', `<|tool_call|>[${pageJson}]<|/tool_call|>`, [page]],
  [
    'harmony',
    '<|channel|>commentary to=functions.get_page <|constrain|>json<|message|>{"id": "7", "depth": 2}<|call|>',
    [page],
  ],
  [
    'harmony',
    '<|start|>assistant to=functions.get_page<|channel|>commentary json<|message|>{"id": "7", "depth": 2}',
    [page],
  ],
  [
    'internlm',
    '<|action_start|><|plugin|>\n{"name": "get_page", "parameters": {"id": "7", "depth": 2}}<|action_end|>',
    [page],
  ],
  ['nemotron', `<TOOLCALL>[${pageJson}]</TOOLCALL>`, [page]],
  ['gigachat', `<|function_call|>${pageJson}</s>`, [page]],
  ['functools', ` functools[${pageJson}]`, [page]],
  ['tool-tags', '<get_page>\n<id>7</id>\n<depth>2</depth>\n</get_page>', [page]],
  ['bare-json', pageJson, [page]],
  ['bare-json', `[${pageJson}, ${usersJson}]`, [page, users]],
  ['bare-json', '{"type": "function", "name": "get_page", "parameters": {"id": "7", "depth": "2"}}', [page]],
  [
    'bare-json',
    '{"type": "function", "function": {"name": "get_page", "arguments": "{\\"id\\": \\"7\\", \\"depth\\": 2}"}}',
    [page],
  ],
  ['bare-json', `{"tool_calls": [${pageJson}]}`, [page]],
  ['bare-json', '{"arguments": {"id": "7", "depth": 2}, "name": "get_page"}', [page]],
  ['bare-json', `I need the page first.\n\n${pageJson}`, [page]],
  ['bare-call', 'get_page(id="7", depth=2)\nping()', [page, ping]],
  ['bare-call', 'get_page\n{"id": "7", "depth": 2}', [page]],
  ['fence', `\`\`\`json\n${pageJson}\n\`\`\``, [page]],
  ['fence', `Let me call the tool:\n\n\`\`\`json\n${pageJson}\n\`\`\`\n`, [page]],
  ['fence', '```tool_code\nprint(get_page(id="7", depth=2))\n```', [page]],
  ['fence', `\`\`\`xml\n<tool_call>\n${pageJson}\n</tool_call>\n\`\`\``, [page]],
]

describe('calls written as text', () => {
  it.each(written)('are found as %s: %s', (_, text, calls) => {
    expect(scanMessage([text], { tools }).calls).toEqual(calls)
  })

  it('have an example for every format of the table', () => {
    const shown = new Set(written.map(([format]) => format))
    expect(textFormats.map((format) => format.name).filter((name) => !shown.has(name))).toEqual([])
  })

  it('leave the text around them as text', () => {
    const message = scanMessage([`Let me look.\n<tool_call>${pageJson}</tool_call>\nOne moment.`], { tools })
    expect(message).toEqual({ text: 'Let me look.\n\nOne moment.', reasoning: '', calls: [page] })
  })

  it('are the same, and leave the same text, however the message is cut', () => {
    const whole = written.map(([, text]) => `Well.\n${text}\nDone. `)
    const message = fc.array(fc.constantFrom(...whole, 'Some prose, {with} [brackets](url) & <b>tags</b>. '), {
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(message, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (pieces, sizes) => {
        const text = pieces.join('')
        expect(scanMessage(cut(text, sizes), { tools })).toEqual(scanMessage([text], { tools }))
      }),
      { numRuns: 300 },
    )
  })

  it('are found letter by letter too', () => {
    for (const [, text, calls] of written) expect(scanMessage([...text], { tools }).calls, text).toEqual(calls)
  })
})

function cut(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = []
  let at = 0
  for (let turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    pieces.push(text.slice(at, at + size))
    at += size
  }
  return pieces
}
