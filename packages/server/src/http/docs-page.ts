import { hash } from 'node:crypto'
import type { ApiDocument } from './documents.ts'

const style = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c; background: #fff }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #ccc } h3 { margin-bottom: .25rem }
code, pre { font: 14px/1.45 ui-monospace, monospace } pre { background: #f4f4f2; padding: .75rem; overflow: auto }
.method { text-transform: uppercase; font-weight: 700; color: #1d5a3a } table { border-collapse: collapse }
td, th { text-align: left; vertical-align: top; padding: .15rem 1rem .15rem 0 } details { margin: .5rem 0 }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #161616 } pre { background: #242424 } .method { color: #7fd0a4 } }
`

/** Nothing is loaded, nothing runs: only our own style. */
export const docsPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

type Operation = NonNullable<NonNullable<ApiDocument['paths']>[string]['get']>

/** The API's description as one page without scripts. */
export function docsPage(document: ApiDocument): string {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    (['get', 'post'] as const).flatMap((method) => {
      const operation = item[method]
      return operation ? [{ path, method, operation }] : []
    }),
  )
  const tags = [...new Set(operations.map(({ operation }) => operation.tags?.[0] ?? ''))]
  const sections = tags.map((tag) => {
    const own = operations.filter(({ operation }) => operation.tags?.[0] === tag)
    return `<h2>${escapeHtml(tag)}</h2>${own.map(operationHtml).join('')}`
  })
  const schemas = Object.entries(document.components?.schemas ?? {}).map(
    ([name, schema]) => `<h3 id="${escapeHtml(name)}">${escapeHtml(name)}</h3>${jsonHtml(schema)}`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)}</title><style>${style}</style></head>
<body><h1>${escapeHtml(document.info.title)}</h1><p>${prose(document.info.description ?? '')}</p>
<p>As OpenAPI 3.1: <a href="/openapi.json">/openapi.json</a></p>
${sections.join('\n')}
<h2>Schemas</h2>${schemas.join('\n')}
</body></html>
`
}

function operationHtml({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  return [
    `<h3><span class="method">${method}</span> <code>${escapeHtml(path)}</code></h3>`,
    `<p>${prose(operation.summary ?? '')}${operation.description ? `<br>${prose(operation.description)}` : ''}</p>`,
    parametersHtml(operation),
    bodyHtml(operation),
    responsesHtml(operation),
  ].join('')
}

function parametersHtml({ parameters = [] }: Operation): string {
  const rows = parameters.flatMap((parameter) => {
    if ('$ref' in parameter) return []
    const { name, description, schema } = parameter
    return [
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${parameter.in}</td><td><code>${escapeHtml(JSON.stringify(schema ?? {}))}</code></td><td>${prose(description ?? '')}</td></tr>`,
    ]
  })
  return rows.length === 0 ? '' : `<table>${rows.join('')}</table>`
}

function bodyHtml({ requestBody }: Operation): string {
  if (requestBody === undefined || '$ref' in requestBody) return ''
  const schema = requestBody.content['application/json']?.schema
  return schema ? `<details><summary>Body</summary>${jsonHtml(schema)}</details>` : ''
}

function responsesHtml({ responses = {} }: Operation): string {
  const rows = Object.entries(responses).map(([status, response]) => {
    const { description, content = {} } = response as { description?: string; content?: Record<string, unknown> } // our own routes have no references here
    const [type = ''] = Object.keys(content)
    return `<tr><td>${escapeHtml(status)}</td><td>${prose(description ?? '')}</td><td><code>${escapeHtml(type)}</code></td></tr>`
  })
  return `<table>${rows.join('')}</table>`
}

function jsonHtml(value: unknown): string {
  const text = escapeHtml(JSON.stringify(value, undefined, 2))
  return `<pre>${text.replace(/#\/components\/schemas\/(\w+)/g, '<a href="#$1">$1</a>')}</pre>`
}

/** Text with `code` in it. */
function prose(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}
