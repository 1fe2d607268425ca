import { describe, expect, it } from 'vitest'
import { de } from './de.ts'
import { en } from './en.ts'
import { sentencesFor } from './sentences.ts'

/** Arguments for every sentence: each has what any of them takes. */
const about = {
  tool: '<TOOL>',
  name: '<NAME>',
  names: ['first', 'second'],
  packs: ['one', 'two'],
  role: '<ROLE>',
  pack: '<PACK>',
  what: '<WHAT>',
  callId: '<CALL>',
  limit: 1_000,
  retryAt: new Date('2026-11-02T10:05:00Z'),
  description: '<DESCRIPTION>',
  reason: '<REASON>',
  by: '<BY>',
  decision: 'approve',
  status: '<STATUS>',
  steps: 5,
  done: ['<DONE>'],
  issues: [
    { path: 'a.b', message: 'expected string' },
    { path: '', message: 'unknown key' },
  ],
  risk: 'high',
  requiresApproval: true,
  kind: 'too-large',
  path: 'a.b',
  key: '__proto__',
}

function say(catalogue: object, key: string, changes: object = {}): string {
  const sentence: unknown = Reflect.get(catalogue, key)
  return typeof sentence === 'function' ? String(sentence({ ...about, ...changes })) : ''
}

const keys = Object.keys(en)
const variants: readonly object[] = [
  {},
  ...['too-deep', 'unsafe-key', 'not-json', 'control-text'].map((kind) => ({ kind })),
  { path: '', kind: 'not-json' },
  {
    role: '',
    names: [],
    packs: ['only'],
    retryAt: undefined,
    by: '',
    decision: 'decline',
    steps: 1,
    done: [],
    requiresApproval: false,
    risk: 'low',
  },
  { decision: 'expired' },
]

describe('sentences', () => {
  it('are the same in both languages, key by key', () => {
    expect(Object.keys(de).sort()).toEqual(keys.toSorted())
    expect(sentencesFor('de')).toBe(de)
    expect(sentencesFor('en')).toBe(en)
  })

  it.each(keys)('say %s in both languages, in words of their own', (key) => {
    for (const changes of variants) {
      const [english, german] = [say(en, key, changes), say(de, key, changes)]
      for (const text of [english, german]) {
        expect(text.trim()).not.toBe('')
        expect(text).not.toMatch(/\$\{|\{\{|undefined|null|NaN|\[object|Invalid Date/)
        expect(text).not.toMatch(/ {2}|\s$| [.,;]/)
      }
      if (key !== 'reportLine') expect(german).not.toBe(english)
    }
  })

  it.each(keys)('say %s in German without English', (key) => {
    for (const changes of variants) {
      const german = say(de, key, { ...changes, issues: [{ path: 'a', message: '<MESSAGE>' }] })
      expect(german).not.toMatch(
        /\b(?:the|and|or|not|were|is|this|call|tool|again|nothing|failed|done|approval|please|with|of|tools|risk)\b/,
      )
    }
  })

  it.each(keys)('say %s in English without German', (key) => {
    for (const changes of variants) {
      expect(say(en, key, changes)).not.toMatch(/\b(?:der|die|das|und|oder|nicht|wurde|ist|bitte|Werkzeug)\b|[äöüß„]/)
    }
  })

  it.each(keys)('put what they are given into %s', (key) => {
    for (const catalogue of [en, de]) {
      const source = String(Reflect.get(catalogue, key))
      for (const [name, mark] of [
        ['tool', '<TOOL>'],
        ['name', '<NAME>'],
        ['role', '<ROLE>'],
        ['pack', '<PACK>'],
        ['what', '<WHAT>'],
        ['callId', '<CALL>'],
        ['description', '<DESCRIPTION>'],
        ['reason', '<REASON>'],
        ['by', '<BY>'],
        ['status', '<STATUS>'],
      ] as const) {
        if (new RegExp(`^\\(\\{[^}]*\\b${name}\\b[^}]*\\}\\)`).test(source))
          expect([key, say(catalogue, key)]).toEqual([key, expect.stringContaining(mark)])
      }
    }
  })

  it("write the prompt's section on tools as promised", () => {
    expect(en.toolsHeading()).toBe('## Available Tools')
    expect(
      en.toolLine({
        name: 'search_emails',
        description: 'Search emails by keyword',
        risk: 'low',
        requiresApproval: false,
      }),
    ).toBe('- search_emails: Search emails by keyword (risk: low)')
    expect(
      en.toolLine({ name: 'delete_email', description: 'Delete an email', risk: 'high', requiresApproval: true }),
    ).toBe('- delete_email: Delete an email (risk: high, requires approval)')
    expect(en.noTools()).toBe('No tools are currently available.')
  })

  it('say when, how many, and what was expected', () => {
    expect(en.rateLimited({ tool: 'Search', limit: 600, retryAt: new Date('2026-11-02T10:05:00Z') })).toBe(
      'The limit of 600 calls an hour is used up; "Search" was not carried out. It is possible again after 2026-11-02 10:05 UTC.',
    )
    expect(de.rateLimited({ tool: 'Suche', limit: 1_000, retryAt: new Date('2026-11-02T10:05:00Z') })).toBe(
      'Die Grenze von 1.000 Aufrufen je Stunde ist erreicht; „Suche“ wurde nicht ausgeführt. Wieder möglich ab 02.11.2026, 10:05 Uhr (UTC).',
    )
    expect(en.invalidInput({ tool: 'create', issues: [{ path: 'name', message: 'expected string' }] })).toBe(
      'The arguments of `create` are not valid. `name`: expected string.',
    )
    expect(en.declined({ tool: 'Send', reason: undefined })).toBe('The person declined "Send". Nothing was changed.')
    expect(de.declined({ tool: 'Senden', reason: 'zu früh' })).toBe(
      '„Senden“ wurde abgelehnt. Begründung: „zu früh“. Es wurde nichts geändert.',
    )
    expect(de.nearestTools({ names: ['a', 'b'] })).toBe('Gemeint sein könnte `a` oder `b`.')
  })
})
