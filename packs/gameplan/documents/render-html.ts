import type { Block, GameDocument, Section } from './document.ts'

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a}' +
  'table{border-collapse:collapse;width:100%}th,td{border:1px solid #ccc;padding:.3rem .6rem;text-align:left}' +
  'dt{font-weight:600}.gap{color:#666;font-style:italic}'

/** A document as a page of its own that loads nothing and runs nothing; every text in it is escaped. */
export function renderHtml(document: GameDocument): string {
  const title = escapeHtml(document.title)
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    `<h1>${title}</h1>`,
    ...document.blocks.map(renderBlock),
    ...document.sections.map((section) => renderSection(section, 2)),
    '</body>',
    '</html>',
    '',
  ]
    .filter((part, index, all) => part !== '' || index === all.length - 1)
    .join('\n')
}

function renderSection(section: Section, level: number): string {
  const tag = `h${Math.min(level, 6)}`
  return [
    '<section>',
    `<${tag}>${escapeHtml(section.heading)}</${tag}>`,
    ...section.blocks.map(renderBlock),
    ...section.sections.map((inner) => renderSection(inner, level + 1)),
    '</section>',
  ]
    .filter((part) => part !== '')
    .join('\n')
}

function renderBlock(block: Block): string {
  switch (block.kind) {
    case 'text':
      return paragraphs(block.text)
    case 'gap':
      return `<p class="gap">${escapeHtml(block.text)}</p>`
    case 'list':
      return list(block.items)
    case 'facts':
      return block.facts.length === 0
        ? ''
        : `<dl>${block.facts.map(({ label, value }) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>`
    case 'table':
      return [
        '<table>',
        `<thead><tr>${block.columns.map((column) => `<th>${escapeHtml(column)}</th>`).join('')}</tr></thead>`,
        '<tbody>',
        ...block.rows.map((cells) => `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`),
        '</tbody>',
        '</table>',
      ].join('\n')
  }
}

/** Paragraphs at blank lines; a paragraph of `- ` lines becomes a list, other line ends stay. */
function paragraphs(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n(?:[ \t]*\n)+/)
    .map((paragraph) => paragraph.split('\n').filter((line) => line.trim() !== ''))
    .filter((lines) => lines.length > 0)
    .map((lines) =>
      lines.every((line) => /^\s*[-*]\s/.test(line))
        ? list(lines.map((line) => line.replace(/^\s*[-*]\s+/, '')))
        : `<p>${lines.map(escapeHtml).join('<br>')}</p>`,
    )
    .join('\n')
}

function list(items: readonly string[]): string {
  return `<ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
