import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textFormats } from './formats/table.ts'
import { scanMessage } from './scan-message.ts'
import { type GuardTool, toolIndex } from './tool-index.ts'

const tools: GuardTool[] = [
  {
    name: 'get_page',
    parameters: {
      type: 'object',
      properties: { id: { type: 'string' }, depth: { type: 'integer' } },
      required: ['id'],
    },
  },
  { name: 'search', parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] } },
]
const json = '{"name": "get_page", "arguments": {"id": "7"}}'

const untouched: [what: string, text: string][] = [
  [
    'prose that names a tool',
    'I could use get_page (or search) for that. get_page takes an id; search(query) takes words.',
  ],
  [
    'a line that begins with a tool name',
    'search results are below:\nsearch (the first one) found nothing.\nget_page(id) needs an id',
  ],
  ['a call of a tool that was not offered', '<tool_call>{"name": "delete_page", "arguments": {"id": "7"}}</tool_call>'],
  [
    'arguments that do not fit',
    '<tool_call>{"name": "get_page", "arguments": {"id": "7", "depth": "deep"}}</tool_call>',
  ],
  ['arguments that are no object', '<tool_call>{"name": "get_page", "arguments": ["7"]}</tool_call>'],
  ['a name without arguments', '{"name": "get_page"}'],
  ['an example in a fence', `A call looks like this:\n\n\`\`\`json\n${json}\n\`\`\`\n\nThe id is the page's.`],
  ['an example in a fence, in German', `Ein Aufruf sieht so aus:\n\n\`\`\`json\n${json}\n\`\`\`\n`],
  ['a marked example in a fence', `For example:\n\`\`\`\n<tool_call>${json}</tool_call>\n\`\`\`\n`],
  ['an example without a fence', `Models write, for example: <tool_call>${json}</tool_call>`],
  ['code that holds a call among other things', `\`\`\`python\nresult = get_page(id="7")\nprint(result)\n\`\`\`\n`],
  ['a fence with JSON and a comment', `\`\`\`json\n${json}\n// as sent\nmore\n\`\`\``],
  ['a call in inline code', `Write \`${json}\` or \`<tool_call>${json}</tool_call>\` for that.`],
  ['a quoted call', `The model said "<tool_call>${json}</tool_call>" and stopped.`],
  ['JSON in the middle of a sentence', `The body ${json} is what the server gets.`],
  ['JSON announced as JSON', `Here is the JSON:\n\n${json}`],
  ['calls inside other JSON', `{"log": [\n  ${json},\n  ${json}\n]}`],
  ['calls in a string of other JSON', `{"text": "<tool_call>${json.replaceAll('"', '\\"')}</tool_call>"}`],
  ['JSON about something else', '{"name": "Ada", "arguments": "none"}\n[{"name": "x"}]\n{"id": 7, "type": "page"}'],
  ['a mention of a tag', 'I might call <tool_call> later, and close it with </tool_call>.'],
  ['a mention of a reasoning tag', 'Models put it in <think> and </think> tags.'],
  ['a list or link in Markdown', '[get_page](https://example.com) and [search, get_page] and [ ] to do'],
  ['code as an argument', '[get_page(id=next(ids))]'],
  [
    'keys that reach a prototype',
    '<tool_call>{"name": "get_page", "arguments": {"id": "7", "__proto__": {"a": 1}}}</tool_call>',
  ],
  ['markup', '<search>\n<b>words</b>\n</search>\n<details><summary>More</summary></details>'],
  ['unfinished marks', 'a < b, a <| b, [TOOL, {"na, <tool_ca'],
]

describe('what only looks like a call', () => {
  it.each(untouched)('stays text: %s', (_, text) => {
    expect(scanMessage([text], { tools })).toEqual({ text, reasoning: '', calls: [] })
    expect(scanMessage([...text], { tools })).toEqual({ text, reasoning: '', calls: [] })
  })

  it('is not changed by any cut, even when it is made of the marks themselves', () => {
    const index = toolIndex(tools)
    const marks = textFormats.flatMap((format) => [...format.starts(index)])
    const scrap = fc.oneof(
      fc.constantFrom(
        ...marks,
        json.slice(0, 20),
        json.slice(20),
        '</tool_call>',
        '```',
        '\n',
        ' ',
        '"',
        '}',
        ']',
        ')',
        '\\',
        '//',
        '/*',
      ),
      fc.string({ maxLength: 8 }),
    )
    fc.assert(
      fc.property(fc.array(scrap, { maxLength: 25 }), fc.integer({ min: 1, max: 7 }), (scraps, size) => {
        const text = scraps.join('')
        const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []
        expect(scanMessage(pieces, { tools })).toEqual(scanMessage([text], { tools }))
      }),
      { numRuns: 1_000 },
    )
  })

  it('is handed on unchanged when it is prose', () => {
    const word = fc.constantFrom(
      'the',
      'page',
      'get',
      'search',
      'for',
      '(see',
      'below)',
      '- **one**',
      '1.',
      'a<b',
      '{x}',
      '[1]',
      '$5',
      '"so"',
      '`id`',
      'und',
      'Größe',
    )
    const prose = fc.array(fc.tuple(word, fc.constantFrom(' ', ' ', ' ', '\n', '\n\n', ', ')), { maxLength: 60 })
    fc.assert(
      fc.property(prose, fc.integer({ min: 1, max: 9 }), (words, size) => {
        const text = words.flat().join('')
        const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []
        expect(scanMessage(pieces, { tools })).toEqual({ text, reasoning: '', calls: [] })
      }),
    )
  })
})
