import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { systemTexts } from '../services/game-systems/system-fields.ts'
import { gameDesignDocument } from './game-design-document.ts'
import { readMarkdownText, writeMarkdownText } from './markdown-text.ts'
import type { PictureSystem, ProjectPicture } from './project-picture.ts'
import { readSystemMarkdown } from './read-system-markdown.ts'
import { renderDocument } from './render-document.ts'
import { roadmap } from './roadmap.ts'
import { allSystemsDocument, systemDocument } from './system-document.ts'
import { versionRequirements } from './version-requirements.ts'

function system(name: string, more: Partial<PictureSystem> = {}): PictureSystem {
  return {
    name,
    systemSlug: name.toLowerCase(),
    version: 'v0.1',
    status: 'draft',
    mvpCriticality: 'important',
    purpose: null,
    coreMechanics: null,
    inputs: null,
    outputs: null,
    failureStates: null,
    scalingBehavior: null,
    currentState: null,
    targetState: null,
    implementationNotes: null,
    openQuestions: null,
    ...more,
  }
}

const combat = system('Combat', {
  mvpCriticality: 'core',
  purpose: 'Lets heroes fight.',
  outputs: '- Damage\n- Noise',
  failureStates: 'A hit counts twice.',
  openQuestions: 'Do critical hits exist?',
})
const loot = system('Loot', { mvpCriticality: 'later', targetState: 'Every chest holds something.' })
const old = system('Old', { status: 'deprecated' })
const needs = { source: 'loot', target: 'combat', type: 'requires', description: 'Enemies drop things.' } as const
const plan = {
  versionLabel: 'v0.1',
  title: 'First',
  description: 'Something to fight.',
  status: 'finalized',
  createdBy: 'alice',
  finalizedBy: 'bob',
  finalizedOn: '2026-11-21',
  systems: [
    { ...combat, phase: 1 },
    { ...loot, phase: 2 },
  ],
  dependencies: [needs],
} as const

const picture: ProjectPicture = {
  project: { name: 'Crawler', description: 'Go down, come back.', genre: 'RPG', platform: null, createdBy: 'alice' },
  systems: [combat, old, loot],
  layers: [['combat', 'old'], ['loot']],
  criticalPath: ['combat', 'loot'],
  dependencies: [needs],
  plans: [{ ...plan, systems: [...plan.systems], dependencies: [...plan.dependencies] }],
  brainstorms: [
    { title: 'Tale', author: 'Bob', tags: ['Story'], accepted: [{ title: 'The Town', content: 'It sleeps.' }] },
    { title: 'Keys', author: 'Carol', tags: ['controls'], accepted: [] },
  ],
  changes: [{ system: 'Combat', version: 'v0.1', summary: 'Created', author: 'alice' }],
}
const [firstPlan] = picture.plans
if (!firstPlan) throw new Error('The picture has no plan')

const headings = (markdown: string) => markdown.split('\n').filter((line) => /^##? /.test(line))

describe('the game design document', () => {
  const markdown = renderDocument(gameDesignDocument(picture), 'markdown')

  it('follows its outline', () => {
    expect(headings(markdown)).toEqual([
      '# Crawler: Game Design Document',
      '## Change Log',
      '## Overview',
      '## Core Loop',
      '## Controls',
      '## Game Systems',
      '## Progression, Economy and Balance',
      '## Levels and World',
      '## Story and Characters',
      '## Art and Audio',
      '## UI and UX',
      '## Technical',
      '## Monetisation and Legal',
      '## MVP Scope and Milestones',
      '## Metrics',
      '## Out of Scope',
      '## Assumptions and Open Questions',
      '## Glossary',
    ])
  })

  it('tells each system by its sections, without deprecated ones', () => {
    expect(markdown).toContain(
      [
        '### Combat',
        '- **System:** combat\n- **Version:** v0.1\n- **Status:** draft\n- **MVP criticality:** core',
        '#### Purpose',
        'Lets heroes fight.',
        '#### Outputs',
        '- Damage\n- Noise',
        '#### Failure States',
        'A hit counts twice.',
        '#### Needed By',
        '- loot (requires)',
        '#### Open Questions',
        'Do critical hits exist?',
        '### Loot',
      ].join('\n\n'),
    )
    expect(markdown).not.toContain('### Old')
    expect(markdown).toContain('- Old: deprecated')
  })

  it('takes decided ideas from brainstorms, names undecided ones, and says what is missing', () => {
    expect(markdown).toContain('## Story and Characters\n\nThe Town\n\nIt sleeps.')
    expect(markdown).toContain('## Controls\n\nIdeas that are not decided: "Keys" by Carol.')
    expect(markdown).toContain('*The platforms are not decided yet.*')
  })
})

describe('the product requirements of a version', () => {
  const markdown = renderDocument(versionRequirements(picture, firstPlan), 'markdown')

  it('follow their outline', () => {
    expect(headings(markdown)).toEqual([
      '# Crawler v0.1: Product Requirements',
      '## Problem',
      '## Goals and Non-Goals',
      '## Users and Stories',
      '## Functional Requirements',
      '## Non-Functional Requirements',
      '## Success Metrics',
      '## Dependencies',
      '## Risks and Assumptions',
      '## Milestones and Rollout',
      '## Open Questions',
      '## Approval',
    ])
  })

  it('have stable ids, priorities and acceptance criteria', () => {
    expect(markdown).toContain('| FR-combat | Combat | Must | 1 |\n| FR-loot | Loot | Could | 2 |')
    expect(markdown).toContain(
      '### FR-combat: Combat (Must)\n\nLets heroes fight.\n\n- Gives: Damage\n- Gives: Noise\n- Does not happen: A hit counts twice.',
    )
    expect(markdown).toContain('- Phase 1: Combat\n- Phase 2: Loot')
    expect(markdown).toContain('Finalized by bob.')
  })
})

describe('the roadmap', () => {
  it('shows versions with their phases and what no version has', () => {
    const markdown = renderDocument(roadmap({ ...picture, plans: [] }), 'markdown')
    expect(markdown).toContain('## Not Planned Yet\n\n- Step 1: Combat\n- Step 2: Loot')
    const planned = renderDocument(roadmap(picture), 'markdown')
    expect(planned).toContain('### v0.1: First\n\n- **Status:** finalized\n- **Finalized:** 2026-11-21')
    expect(planned).toContain('| 1 | Combat | core | draft |\n| 2 | Loot | later | draft |')
    expect(planned).toContain('*Every system is in a version.*')
  })
})

describe('every document', () => {
  const documents = [
    gameDesignDocument(picture),
    versionRequirements(picture, firstPlan),
    roadmap(picture),
    allSystemsDocument(picture),
    systemDocument(picture, combat),
  ]

  it('says the same each time it is made of the same', () => {
    for (const format of ['markdown', 'html', 'json'] as const) {
      for (const document of documents) {
        expect(renderDocument(document, format)).toBe(renderDocument(structuredClone(document), format))
      }
    }
  })

  it('as JSON can be read back to its tree', () => {
    for (const document of documents) expect(JSON.parse(renderDocument(document, 'json'))).toEqual(document)
  })

  it('stands for a project with nothing in it', () => {
    const empty: ProjectPicture = {
      project: { name: 'New', description: null, genre: null, platform: null, createdBy: 'alice' },
      systems: [],
      layers: [],
      criticalPath: [],
      dependencies: [],
      plans: [],
      brainstorms: [],
      changes: [],
    }
    for (const document of [gameDesignDocument(empty), roadmap(empty), allSystemsDocument(empty)]) {
      expect(renderDocument(document, 'markdown')).toContain('There are no')
      expect(renderDocument(document, 'html')).toContain('<h1>New: ')
    }
  })
})

describe('what people wrote', () => {
  const hostile = system('<img src=x onerror=alert(1)> | & "Loot"', {
    purpose: '# Not a heading\n```\n<script>alert(1)</script>\n===\n\r# Nor this',
    openQuestions: `"><svg onload='alert(1)'>`,
  })
  const document = allSystemsDocument({ ...picture, systems: [hostile] })

  it('cannot become a tag or an attribute of the page', () => {
    const html = renderDocument(document, 'html')
    expect(html).not.toMatch(/<(img|script|svg)/)
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; | &amp; &quot;Loot&quot;')
    expect(html).toContain('&quot;&gt;&lt;svg onload=&#39;alert(1)&#39;&gt;')
  })

  it('cannot open a heading, a fence, a table cell or a tag in markdown', () => {
    const markdown = renderDocument(document, 'markdown')
    expect(markdown.split(/\r\n|\r|\n/).filter((line) => line.startsWith('#'))).toEqual([
      '# Crawler: Game Systems',
      '## &lt;img src=x onerror=alert(1)> | &amp; "Loot"',
      '### Purpose',
      '### Open Questions',
    ])
    expect(markdown).not.toMatch(/^(```|===)/m)
    expect(markdown).not.toContain('<script')
    const cells = renderDocument(
      gameDesignDocument({
        ...picture,
        changes: [{ system: 'A|B', version: 'v1', summary: 'x\n|y\\|', author: 'bob' }],
      }),
      'markdown',
    )
    expect(cells).toContain('| A\\|B | v1 | x \\|y\\\\\\| | bob |')
  })

  it('comes back from markdown as it was', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(readMarkdownText(writeMarkdownText(text))).toBe(text)
      }),
    )
  })
})

const anyLine = fc.oneof(
  fc.string(),
  fc.constantFrom(
    '# a',
    '\\# a',
    '\\\\# a',
    '===',
    '---',
    '```',
    '~~~ x',
    '  ## b',
    '&lt;',
    '<b>',
    '- a',
    '\\',
    '&amp;#',
  ),
)
const anyText = fc.array(anyLine, { minLength: 1, maxLength: 6 }).map((lines) => lines.join('\n').replaceAll('\r', ''))

describe('the document of a system', () => {
  it('can be imported again', () => {
    const markdown = renderDocument(systemDocument(picture, loot), 'markdown')
    expect(readSystemMarkdown(markdown)).toEqual({
      name: 'Loot',
      systemSlug: 'loot',
      version: 'v0.1',
      status: 'draft',
      mvpCriticality: 'later',
      texts: { targetState: 'Every chest holds something.' },
      dependencies: [{ type: 'requires', target: 'combat', description: 'Enemies drop things.' }],
      otherHeadings: [],
    })
  })

  it('gives back every text of any system', () => {
    const isKept = (text: string) => text.trim() !== '' && !/^\s*\n|\n\s*$/.test(text)
    const texts = fc.record(Object.fromEntries(systemTexts.map((field) => [field, anyText.filter(isKept)])))
    fc.assert(
      fc.property(texts, (written) => {
        const markdown = renderDocument(systemDocument(picture, system('Any', written)), 'markdown')
        const { texts: read, otherHeadings } = readSystemMarkdown(markdown)
        expect(read).toEqual(written)
        expect(otherHeadings).toEqual([])
      }),
      { numRuns: 200 },
    )
  })
})

describe('reading markdown', () => {
  it('knows sections by their words, whatever their level, and keeps the others as notes', () => {
    const read = readSystemMarkdown(
      '# Combat #\n\n### system id\n`combat`\n#### Scaling Behaviour ##\nGrows.\n## Lore\nOld swords.\n## Implementation Notes\nUse integers.\n',
    )
    expect(read).toMatchObject({
      name: 'Combat',
      systemSlug: 'combat',
      texts: { scalingBehavior: 'Grows.', implementationNotes: 'Use integers.\n\nLore:\nOld swords.' },
      otherHeadings: ['Lore'],
    })
  })

  it('takes no heading out of a fenced block', () => {
    const read = readSystemMarkdown('# A\n## Core Mechanics\n```\n# comment\n## Purpose\n```\n## Purpose\nReal.\n')
    expect(read.texts).toEqual({ coreMechanics: '```\n# comment\n## Purpose\n```', purpose: 'Real.' })
  })

  it('reads dependencies in the ways people write them', () => {
    const read = readSystemMarkdown(
      '# A\n## Depends on\n- requires: combat\n* Enhances Loot System (loot-system): better drops\n- optional `magic`\n- something else\n',
    )
    expect(read.dependencies).toEqual([
      { type: 'requires', target: 'combat', description: undefined },
      { type: 'enhances', target: 'loot-system', description: 'better drops' },
      { type: 'optional', target: 'magic', description: undefined },
    ])
  })

  it('gets through 200,000 characters of anything', () => {
    for (const piece of ['#', '\\', '`', ' ', '- ', '\n#', '=', '(a', '\r\n']) {
      const read = readSystemMarkdown(piece.repeat(200_000 / piece.length))
      expect(read.dependencies, piece).toEqual([])
    }
  })
})
