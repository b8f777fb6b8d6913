// JSON in the shapes that cost most for their bytes, at every door that takes JSON: as much as is read there at once.
import { megabyte } from './fill.ts'
import { jsonType } from './target.ts'
import type { Hostile, Target } from './target.ts'

const shapes = {
  'arrays in arrays': '[[[[[[[[[[1]]]]]]]]]]',
  'arrays of arrays': '[[],[],[],[],[],[],[],[]]',
  'empty objects': '{}',
  'objects of a member': '{"a":1}',
  'short texts': '"a"',
  'integers beyond 2^53': '9007199254740993',
} as const

const valuesIn = (part: string): number => (part.match(/[[{,]/g)?.length ?? 0) + 1
const filled = (part: string, bytes: number): string =>
  `${part},`.repeat(Math.min(Math.floor(bytes / (part.length + 1)), Math.floor(990_000 / valuesIn(part)))).slice(0, -1)

const importOf = (query: string) => (to: Target, list: string) =>
  to.ask(
    'POST',
    `/api/import?${query}&${query.includes('catalogue') ? `session=${to.session}` : to.key}`,
    `{"a":[${list}]}\n`,
  )

const doors: Readonly<Record<string, readonly [bytes: number, send: (to: Target, list: string) => Promise<Response>]>> =
  {
    'an upload': [3.9 * megabyte, (to, list) => to.put('', `[${list}]`)],
    'a component': [
      3.9 * megabyte,
      (to, list) => to.ask('POST', `/api/component?session=${to.session}`, `{"a":[${list}]}`, jsonType),
    ],
    'many components': [
      3.9 * megabyte,
      (to, list) => to.ask('PUT', `/api/component?session=${to.session}`, `[${list}]`, jsonType),
    ],
    properties: [
      250 * 1024,
      (to, list) => to.ask('POST', `/api/comp/C/property?session=${to.session}`, `[${list}]`, jsonType),
    ],
    'a row of an import': [0.9 * megabyte, importOf('format=ndjson')],
    'a line of a catalogue': [3.9 * megabyte, importOf('what=catalogue')],
    'a sink': [3.9 * megabyte, (to, list) => to.sink('rows', `{"list":[${list}]}`)],
    'a message of an assistant': [
      3.9 * megabyte,
      (to, list) =>
        to.ask(
          'POST',
          `/api/mcp?${to.key}`,
          `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[${list}]}}`,
          jsonType,
        ),
    ],
  }

export const jsonShapes: readonly Hostile[] = Object.entries(doors).flatMap(([door, [bytes, send]]) =>
  Object.entries(shapes).flatMap(([shape, part]) =>
    ['', '9007199254740993,'].map((first) => ({
      title: `${shape} in ${door}${first === '' ? '' : ', behind an integer beyond 2^53'}`,
      send: (to: Target) => send(to, `${first}${filled(part, bytes)}`),
      // A plain upload takes 0.2 to 0.3 s beside other work, the worst of these 0.28, and 1.9 while they were read at once.
      mostPauses: 1.5,
    })),
  ),
)
