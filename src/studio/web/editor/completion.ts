// What may come next in a script: words of the language, and inside a text the IDs of components and streams.
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { client } from '../session.ts'
import { functions, keywords, tables, variables } from './language.ts'

const words = [
  ...keywords.map((label) => ({ label: label.toUpperCase(), type: 'keyword', boost: -1 })),
  ...functions.map((label) => ({ label, type: 'function', apply: `${label}(` })),
  ...Object.keys(tables).map((label) => ({ label, type: 'type' })),
  ...Object.values(tables)
    .flat()
    .map((label) => ({ label, type: 'property' })),
  ...variables.map((label) => ({ label, type: 'variable' })),
]

export const complete = async (
  context: CompletionContext,
  names: readonly string[] = [],
): Promise<CompletionResult | null> => {
  const inText = context.matchBefore(/\b(cid|id)\s*=\s*'[^']*/i)
  if (inText) {
    const column = /^\w+/.exec(inText.text)![0].toLowerCase()
    const begun = inText.text.slice(inText.text.indexOf("'") + 1)
    const ids = column === 'cid' ? await componentIds(begun) : await streamIds(begun)
    return { from: inText.to - begun.length, options: ids.map((label) => ({ label, type: 'text' })), filter: false }
  }
  const word = context.matchBefore(/[@\w]+/)
  return word === null && !context.explicit
    ? null
    : {
        from: word?.from ?? context.pos,
        options: [...names.map((label) => ({ label, type: 'variable', boost: 1 })), ...words],
      }
}

const componentIds = async (text: string): Promise<readonly string[]> => {
  const { component } = await client
    .peek()
    .call('GET /api/component', { query: { text: text || undefined, limit: 30, streams: false } })
  return component.map(({ id }) => id ?? '')
}

const streamIds = async (text: string): Promise<readonly string[]> => {
  const { stream } = await client.peek().call('GET /api/stream', { query: { text: text || undefined, limit: 100 } })
  return [...new Set(stream.map(({ id }) => id ?? ''))]
}
