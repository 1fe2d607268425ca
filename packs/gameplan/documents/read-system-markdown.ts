import type { EdgeType } from '../graph/edge.ts'
import { type SystemText, systemTexts } from '../services/game-systems/system-fields.ts'
import { sectionHeadings } from './describe-system.ts'
import { readMarkdownText } from './markdown-text.ts'

/** What a system's markdown says. Values are as written; whoever stores them checks them. */
export interface SystemMarkdown {
  name: string | undefined
  systemSlug: string | undefined
  version: string | undefined
  status: string | undefined
  mvpCriticality: string | undefined
  texts: Partial<Record<SystemText, string>>
  dependencies: { type: EdgeType; target: string; description: string | undefined }[]
  /** Headings it has no field for; what stands below them is appended to the implementation notes. */
  otherHeadings: string[]
}

type Part = SystemText | 'systemSlug' | 'version' | 'status' | 'mvpCriticality' | 'dependencies' | 'neededBy'

const partByHeading: ReadonlyMap<string, Part> = new Map<string, Part>([
  ...systemTexts.map((field) => [sectionHeadings[field].toLowerCase(), field] as const),
  ['mechanics', 'coreMechanics'],
  ['scaling behaviour', 'scalingBehavior'],
  ['scaling', 'scalingBehavior'],
  ['system id', 'systemSlug'],
  ['version', 'version'],
  ['status', 'status'],
  ['mvp criticality', 'mvpCriticality'],
  ['criticality', 'mvpCriticality'],
  ['dependencies', 'dependencies'],
  ['depends on', 'dependencies'],
  ['needed by', 'neededBy'],
])

/**
 * Reads a system document: the first H1 is the name, the sections are known by their headings, whatever their level.
 *
 * @example
 * readSystemMarkdown('# Combat System\n\n## System ID\n\ncombat-system\n').systemSlug // 'combat-system'
 */
export function readSystemMarkdown(markdown: string): SystemMarkdown {
  const { name, sections } = splitSections(markdown)
  const found: SystemMarkdown = {
    name,
    systemSlug: undefined,
    version: undefined,
    status: undefined,
    mvpCriticality: undefined,
    texts: {},
    dependencies: [],
    otherHeadings: [],
  }
  const append = (field: SystemText, content: string) => {
    if (content === '') return
    const before = found.texts[field]
    found.texts[field] = before === undefined ? content : `${before}\n\n${content}`
  }
  const others: string[] = []
  for (const { heading, lines } of sections) {
    const part = partByHeading.get(heading.toLowerCase())
    const content = readMarkdownText(trimBlankLines(lines).join('\n'))
    if (part === undefined) {
      found.otherHeadings.push(heading)
      others.push(content === '' ? heading : `${heading}:\n${content}`)
    } else if (part === 'dependencies') {
      found.dependencies.push(...lines.flatMap(dependencyOf))
    } else if (part === 'systemSlug' || part === 'version' || part === 'status' || part === 'mvpCriticality') {
      found[part] = content.replaceAll('`', '').trim() || undefined
    } else if (part !== 'neededBy') {
      append(part, isGap(content) ? '' : content)
    }
  }
  for (const other of others) append('implementationNotes', other)
  return found
}

function splitSections(markdown: string): {
  name: string | undefined
  sections: { heading: string; lines: string[] }[]
} {
  let name: string | undefined
  let fence: string | undefined
  const sections: { heading: string; lines: string[] }[] = []
  for (const line of markdown.split(/\r\n|\r|\n/)) {
    const mark = /^\s{0,3}(`{3}|~{3})/.exec(line)?.[1]
    if (mark !== undefined && (fence === undefined || fence === mark)) fence = fence === undefined ? mark : undefined
    const heading = fence === undefined && mark === undefined ? headingOf(line) : undefined
    if (heading === undefined) sections.at(-1)?.lines.push(line)
    else if (heading.level === 1 && name === undefined) name = heading.text
    else sections.push({ heading: heading.text, lines: [] })
  }
  return { name, sections }
}

function headingOf(line: string): { level: number; text: string } | undefined {
  const marks = /^\s{0,3}(#{1,6})(?=\s|$)/.exec(line)
  if (!marks?.[1]) return undefined
  const text = readMarkdownText(line.slice(marks[0].length).trim())
  return { level: marks[1].length, text: withoutClosingMarks(text) }
}

/** `Purpose ##` is the heading *Purpose*. */
function withoutClosingMarks(text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === '#') end -= 1
  return end < text.length && (end === 0 || text[end - 1] === ' ') ? text.slice(0, end).trim() : text
}

/** Reads `- requires inventory: why`, `- requires: inventory` and `- requires Inventory (inventory)`. */
function dependencyOf(line: string): { type: EdgeType; target: string; description: string | undefined }[] {
  const item = /^\s*[-*+]\s+(requires|enhances|optional)\b[\s:]*/i.exec(line)
  if (!item?.[1]) return []
  const rest = readMarkdownText(line.slice(item[0].length).replaceAll('`', '').trim())
  const inParentheses = /\(([a-z0-9-]+)\)/.exec(rest)
  const slug = inParentheses?.[1] ?? /^[a-z0-9-]+/.exec(rest)?.[0]
  if (slug === undefined) return []
  const colon = rest.indexOf(':')
  const description = colon === -1 ? '' : rest.slice(colon + 1).trim()
  const type = item[1].toLowerCase() as EdgeType // the pattern lets the three types pass only
  return [{ type, target: slug, description: description === '' ? undefined : description }]
}

function trimBlankLines(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '')
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return first === -1 ? [] : lines.slice(first, last + 1)
}

/** An export says in italics what is not written; an import does not take that for content. */
function isGap(content: string): boolean {
  return content === '*The purpose is not written yet.*'
}
