import type { Block, GameDocument, Section } from './document.ts'
import { oneLineMarkdown, writeMarkdownText } from './markdown-text.ts'

/**
 * A document as markdown.
 *
 * @example
 * renderMarkdown({ type: 'roadmap', title: 'Game: Roadmap', blocks: [], sections: [] }) // '# Game: Roadmap\n'
 */
export function renderMarkdown(document: GameDocument): string {
  const parts = [
    `# ${oneLineMarkdown(document.title)}`,
    ...document.blocks.map(renderBlock),
    ...document.sections.flatMap((section) => renderSection(section, 2)),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function renderSection(section: Section, level: number): string[] {
  return [
    `${'#'.repeat(Math.min(level, 6))} ${oneLineMarkdown(section.heading)}`,
    ...section.blocks.map(renderBlock),
    ...section.sections.flatMap((inner) => renderSection(inner, level + 1)),
  ]
}

function renderBlock(block: Block): string {
  switch (block.kind) {
    case 'text':
      return writeMarkdownText(block.text)
    case 'gap':
      return `*${oneLineMarkdown(block.text)}*`
    case 'list':
      return block.items.map((item) => `- ${oneLineMarkdown(item)}`).join('\n')
    case 'facts':
      return block.facts
        .map(({ label, value }) => `- **${oneLineMarkdown(label)}:** ${oneLineMarkdown(value)}`)
        .join('\n')
    case 'table':
      return [row(block.columns), row(block.columns.map(() => '---')), ...block.rows.map(row)].join('\n')
  }
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => oneLineMarkdown(cell).replaceAll('\\', '\\\\').replaceAll('|', '\\|')).join(' | ')} |`
}
