import type { GameDocument } from './document.ts'
import { renderHtml } from './render-html.ts'
import { renderMarkdown } from './render-markdown.ts'

export type ExportFormat = 'markdown' | 'html' | 'json'

/** A document in one of its formats. JSON is its tree: `{ type, title, blocks, sections: [{ heading, blocks, sections }] }`. */
export function renderDocument(document: GameDocument, format: ExportFormat): string {
  switch (format) {
    case 'markdown':
      return renderMarkdown(document)
    case 'html':
      return renderHtml(document)
    case 'json':
      return `${JSON.stringify(document, null, 2)}\n`
  }
}
