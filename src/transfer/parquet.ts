// Rows of an export as Parquet (docs/transfer.md#parquet): a column has one type, so values stand in the column of theirs.
// Rows go into row groups of 10,000, or of a megabyte of texts, whose bytes are given on; only the footer's facts of each
// group, two kilobytes, are kept to the end.
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { Encoder } from './encode.ts'

const mostRows = 10_000
const mostTextBytes = 1024 * 1024
/** About the bytes of a row without its text, before it is compressed. */
const rowBytes = 40

type Columns = {
  readonly compId: (string | null)[]
  readonly streamId: (string | null)[]
  readonly sdTime: (bigint | null)[]
  readonly time: bigint[]
  readonly number: (number | null)[]
  readonly integer: (bigint | null)[]
  readonly boolean: (boolean | null)[]
  readonly text: (string | null)[]
}

const emptyColumns = (): Columns => ({
  compId: [],
  streamId: [],
  sdTime: [],
  time: [],
  number: [],
  integer: [],
  boolean: [],
  text: [],
})

const optional = { repetition_type: 'OPTIONAL' } as const
const utf8 = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const
const moment = { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' } as const

const schemaOf = (hasStarts: boolean) => [
  { name: 'root', num_children: hasStarts ? 8 : 7 },
  { name: 'compId', ...utf8, ...optional },
  { name: 'streamId', ...utf8, ...optional },
  ...(hasStarts ? [{ name: 'sdTime', ...moment, ...optional }] : []),
  { name: 'time', ...moment, repetition_type: 'REQUIRED' as const },
  { name: 'number', type: 'DOUBLE' as const, ...optional },
  { name: 'integer', type: 'INT64' as const, ...optional },
  { name: 'boolean', type: 'BOOLEAN' as const, ...optional },
  { name: 'text', ...utf8, ...optional },
]

export const openParquet = (hasStarts: boolean): Encoder => {
  const bytes = new ByteWriter()
  const writer = new ParquetWriter({ writer: bytes, schema: schemaOf(hasStarts) })
  let columns = emptyColumns()
  let textBytes = 0

  const writeGroup = (): void => {
    if (columns.time.length === 0) return
    const columnData = Object.entries(columns).map(([name, data]) => ({
      name,
      data,
      offsetIndex: false,
    }))
    void writer.write({ columnData: inOrder(columnData, hasStarts), rowGroupSize: mostRows })
    columns = emptyColumns()
    textBytes = 0
  }
  /** The writer's own offset goes on. */
  const take = (): Buffer => {
    const taken = Buffer.from(bytes.getBytes())
    bytes.index = 0
    return taken
  }
  return {
    contentType: 'application/vnd.apache.parquet',
    ending: 'parquet',
    add: ({ component, id, valueType }, { startMs, timeMs, value }) => {
      columns.compId.push(component.id)
      columns.streamId.push(id)
      columns.sdTime.push(startMs === undefined ? null : BigInt(startMs))
      columns.time.push(BigInt(timeMs))
      const isInteger = typeof value === 'bigint' || (valueType === 'LONG' && Number.isSafeInteger(value))
      columns.number.push(typeof value === 'number' && !isInteger ? value : null)
      columns.integer.push(isInteger ? BigInt(value as number | bigint) : null)
      columns.boolean.push(typeof value === 'boolean' ? value : null)
      columns.text.push(typeof value === 'string' ? value : null)
      if (typeof value === 'string') textBytes += 3 * value.length
      if (columns.time.length >= mostRows || textBytes >= mostTextBytes) writeGroup()
    },
    size: () => bytes.index + columns.time.length * rowBytes + textBytes,
    take,
    end: () => {
      writeGroup()
      void writer.finish()
      return take()
    },
  }
}

/** In the order of the schema. */
const inOrder = <Column extends { readonly name: string }>(columns: readonly Column[], hasStarts: boolean): Column[] =>
  schemaOf(hasStarts)
    .slice(1)
    .map(({ name }) => columns.find((column) => column.name === name)!)
