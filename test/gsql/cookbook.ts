// The recipes of grammar/COOKBOOK.md: pushed payloads as real senders shape them, and the scripts that take them.
//
//   npm run cookbook        writes the document anew from test/gsql/cookbook
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export type Recipe = {
  readonly name: string
  readonly title: string
  readonly body: string | undefined
  readonly query: string | undefined
  /** Without the title and the rows. */
  readonly script: string
  /** CID, ID, TIME and SAMPLE of each sample, as JSON. */
  readonly rows: readonly string[]
}

const directory = new URL('cookbook/', import.meta.url)

const read = (file: string): string | undefined => {
  const path = new URL(file, directory)
  return existsSync(path) ? readFileSync(path, 'utf8').replace(/\n$/, '') : undefined
}

export const readRecipes = (): readonly Recipe[] =>
  readdirSync(directory)
    .flatMap((file) => (file.endsWith('.gs.sql') ? [file.slice(0, -'.gs.sql'.length)] : []))
    .map((name) => {
      const [title, ...lines] = read(`${name}.gs.sql`)!.split('\n')
      return {
        name,
        title: title!.slice('-- '.length),
        body: read(`${name}.body.json`) ?? read(`${name}.body.txt`),
        query: read(`${name}.query.txt`),
        script: lines.filter((line) => !line.startsWith('-- [')).join('\n'),
        rows: lines.flatMap((line) => (line.startsWith('-- [') ? [line.slice('-- '.length)] : [])),
      }
    })

export const cookbook = (recipes: readonly Recipe[]): string =>
  [
    '# GS SQL cookbook',
    '',
    'Messages of real devices and services, each with the connector script that takes it. The connector of these examples is in the zone',
    'Europe/Berlin, and it is 2026-03-01T12:00:00Z. Every recipe is run by the tests; this page is made from them by `npm run cookbook`.',
    '',
    ...recipes.flatMap(recipeText),
  ].join('\n')

const recipeText = ({ title, body, query, script, rows }: Recipe): readonly string[] => [
  `## ${title}`,
  '',
  ...(query === undefined ? [] : ['Query:', '```', query, '```']),
  ...(body === undefined ? [] : ['Body:', /^[[{]/.test(body) ? '```json' : '```', body, '```']),
  'Script:',
  '```sql',
  script,
  '```',
  'Samples:',
  '',
  '| CID | ID | TIME | SAMPLE |',
  '|---|---|---|---|',
  ...rows.map((row) => `| ${(JSON.parse(row) as (string | number | boolean | null)[]).map(cellText).join(' | ')} |`),
  '',
]

const cellText = (value: string | number | boolean | null, column: number): string => {
  if (value === null) return column === 2 ? "the server's" : 'null'
  return column === 2
    ? new Date(value as number).toISOString()
    : typeof value === 'string' && column === 3
      ? `"${value}"`
      : String(value)
}

export const cookbookPath = fileURLToPath(new URL('../../grammar/COOKBOOK.md', import.meta.url))

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(cookbookPath, cookbook(readRecipes()))
