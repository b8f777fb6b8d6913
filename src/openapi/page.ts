// The description as a page: every call with its parameters, the form of its body and a form to try it.
import type { Route } from '../base/http/call.ts'
import type { Described, Description } from '../base/http/description.ts'
import type { Schema } from '../base/http/schema.ts'
import type { DescribedRoute } from './document.ts'
import { describedRoutes, openapiPath, operationId, partTitles } from './document.ts'
import { script } from './page-script.ts'
import { style } from './page-style.ts'

export const pageOf = (routes: readonly Route[]): string => {
  const described = describedRoutes(routes)
  const parts = Object.entries(partTitles)
  const links = parts.map(([part, title]) => `<a href="#${part}">${escape(title)}</a>`)
  const sections = parts.map(([part, title]) => {
    const own = described.filter(({ description }) => description.part === part)
    return `<section id="${part}"><h2>${escape(title)}</h2>${own.map(callOf).join('')}</section>`
  })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Coppice: the API</title>
<link rel="icon" href="favicon.svg">
<style>${style}</style>
<nav aria-label="Parts of the API">
<h1>Coppice API</h1>
<input id="find" type="search" placeholder="find a call" aria-label="Find a call">
${links.join('\n')}
<a href="api/openapi.json">openapi.json</a>
</nav>
<main>
<form class="credential"><label for="kind">Try calls with</label><select id="kind"><option value="">your sign-in in this browser</option><option value="key">an API key</option><option value="token">a session or access token</option></select><input id="credential" type="password" autocomplete="off" aria-label="credential" hidden></form>
${sections.join('\n')}
</main>
<script>${script}</script>
</html>
`
}

const callOf = (route: DescribedRoute): string => {
  const { method, description } = route
  const path = openapiPath(route.path)
  const { summary, details = '', by } = description
  const words =
    `${method} ${path} ${summary} ${details} ${Object.keys(description.query ?? {}).join(' ')}`.toLowerCase()
  return `<details id="${operationId(route)}" data-words="${escape(words)}"><summary><b class="${method}">${method}</b><code>${escape(path)}</code><span>${escape(summary)}</span></summary>
<div class="inside"><p>${escape(details)}${by === undefined ? '' : by === 'nobody' ? ' Needs no credential.' : ' By API keys only.'}</p>${formOf(route, path)}${schemaOfBody(description)}<h3>Reply ${description.reply.status ?? 200}</h3><pre>${escape(outline(description.reply.schema) || 'empty, or bytes')}</pre></div></details>`
}

const formOf = ({ method, description }: DescribedRoute, path: string): string => {
  const { path: inPath = {}, query = {}, body } = description
  const rows = [
    ...Object.entries(inPath).map(([name, one]) => rowOf('path', name, one)),
    ...Object.entries(query).map(([name, one]) => rowOf('query', name, one)),
  ]
  const example = typeof body?.example === 'string' ? body.example : JSON.stringify(body?.example ?? {}, null, 2)
  const type = body?.type ?? 'application/json'
  const written = type === 'application/x-www-form-urlencoded' ? formText(body?.example) : example
  const others =
    path === '/api/feed'
      ? '<tr><td>more</td><td><input name=" more" aria-label="more parameters" placeholder="temp=20.1&amp;mode=heating"></td><td>streams with their values</td></tr>'
      : ''
  return `<form data-method="${method}" data-path="${escape(path)}" data-type="${type}">
${rows.length > 0 ? `<table>${rows.join('')}${others}</table>` : ''}
${body ? `<h3>Body</h3><textarea aria-label="body" spellcheck="false">${escape(written)}</textarea>` : ''}
<p><button>Send</button> <span class="status" role="status"></span></p><pre class="reply" hidden></pre></form>`
}

const rowOf = (place: 'path' | 'query', name: string, described: Described): string => {
  const { example = '', isRequired = place === 'path', description = '', type } = described
  const label = `<td><code>${escape(name)}</code>${isRequired ? ' *' : ''}</td>`
  const input =
    type === 'boolean'
      ? `<input type="checkbox" name="${escape(name)}" data-in="${place}" aria-label="${escape(name)}"${isRequired ? ' checked' : ''}>`
      : `<input name="${escape(name)}" data-in="${place}" aria-label="${escape(name)}" value="${escape(isRequired ? example : '')}" placeholder="${escape(example || outline(described))}">`
  return `<tr>${label}<td>${input}</td><td>${escape(description || (described.enum ?? []).join(', '))}</td></tr>`
}

const schemaOfBody = ({ body }: Description): string => {
  const text = body ? outline(body.schema) : ''
  return text === '' ? '' : `<h3>Form of the body</h3><pre>${escape(text)}</pre>`
}

const formText = (example: unknown): string => new URLSearchParams(example as Record<string, string>).toString()

/** A schema as people write values: {"id": string | null, "size": integer 1…9}. */
export const outline = (schema: Schema, depth = 0): string => {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map((one) => outline(one, depth)).join('\n| ')
  const types = [schema.type ?? []].flat()
  return types.map((type) => outlineOf(type, schema, depth)).join(' | ')
}

const outlineOf = (type: string, schema: Schema, depth: number): string => {
  const indent = '  '.repeat(depth + 1)
  if (type === 'array') return `[${outline(schema.items ?? {}, depth)}, …]`
  if (type === 'object') {
    const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
      const isNeeded = schema.required?.includes(name) === true
      return `${indent}${name}${isNeeded ? '' : '?'}: ${outline(member, depth + 1) || 'any'}${member.readOnly ? ' (shown only)' : ''}`
    })
    return members.length === 0 ? '{…}' : `{\n${members.join('\n')}\n${'  '.repeat(depth)}}`
  }
  if (type === 'integer' && schema.minimum !== undefined && schema.maximum !== undefined)
    return `integer ${schema.minimum}…${schema.maximum}`
  return type
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
