// The results of tools (docs/assistants.md#tools): JSON of columns and rows, because the names of members in every row would be most of the text, and
// no more than an assistant can read. A result that was cut says so, and how to go on.
import { toJson } from '../base/http/reply.ts'

export const mostTextBytes = 40_000

export type Table = {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  /** Members beside them. */
  readonly more?: Readonly<Record<string, unknown>>
}

/** `goOn` says how to get the rest, from the number of rows that are shown. */
export const tableText = (
  { columns, rows, more = {} }: Table,
  most: number,
  goOn: (shown: number) => string,
): string => {
  let bytes = 0
  let count = 0
  const texts: string[] = []
  for (const row of rows) {
    const text = toJson(row)
    bytes += Buffer.byteLength(text) + 1
    if (count === most || (bytes > mostTextBytes && count > 0)) break
    texts.push(bytes > mostTextBytes ? toJson(row.map(shortened)) : text)
    count += 1
  }
  const cut = count < rows.length ? { cut: true, goOn: goOn(count) } : {}
  const head = toJson({ ...more, columns }).slice(0, -1)
  const tail = toJson(cut)
  return `${head},"rows":[${texts.join(',')}]${tail === '{}' ? '}' : `,${tail.slice(1)}`}`
}

const mostCell = 2000

export const shortened = (value: unknown): unknown =>
  typeof value === 'string' && value.length > mostCell ? `${value.slice(0, mostCell)}… (cut)`.toWellFormed() : value
