// The reply of a list: {"success":true,"message":"","unit":[...],"totalCount":2}. Rows may be large, such as a thousand
// scripts of 64 KB, so they are read some at a time and written piece by piece, and a large reply takes memory of its
// caller's share first (large-reply.ts). All rows are of one moment. So is the one row of a reply that shows a single thing,
// such as a component with ten thousand streams. A caller that prefers CSV or NDJSON gets the rows as lines, without
// the envelope (row-format.ts).
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Call } from './call.ts'
import { mostReplyBytes, plainBytes, replyTooLarge, whenItFits } from './large-reply.ts'
import { callerSnapshot } from './reading.ts'
import type { Reply } from './reply.ts'
import { rowFormat, rowTexts } from './row-format.ts'
import type { RowFormat, RowsAbout, RowTexts, Shown } from './row-format.ts'
import { holdersOfCall } from './room.ts'
import type { Pool, Transaction } from '../database/sql.ts'

/** The rows of a list, as core/listing.ts gives them. */
type Rows<Row> = {
  readonly totalCount: number
  readonly pageCount: number
  /** The most rows that are read together, however small those before were. */
  readonly atOnce: number
  readonly read: (most: number, roomBytes: number) => Promise<readonly Row[] | number>
}

const mebibyte = 1024 * 1024
const batchBytes = mebibyte / 4
const firstRows = 16

export const listReply = <Row>(
  call: Call,
  pool: Pool,
  about: RowsAbout,
  list: (sql: Transaction) => Promise<Rows<Row>>,
  show: (row: Row) => Shown,
): Promise<Reply> => {
  const format = rowFormat(call)
  return whenItFits(call, holdersOfCall(call), (pieces) =>
    callerSnapshot(
      call,
      pool,
      async (sql) => {
        const rows = await list(sql)
        const texts = rowTexts(format, about.columns, {
          before: `{"success":true,"message":"",${JSON.stringify(about.name)}:[`,
          after: `],"totalCount":${rows.totalCount}}`,
        })
        if (pieces) {
          // Pieces go on when it is too much for their room: they count what is needed.
          if (await write(rows, texts, show, pieces.add, mostReplyBytes)) throw replyTooLarge()
          return pieces.reply(texts.headers)
        }
        let text = ''
        const add = (more: string) => void (text += more)
        return (await write(rows, texts, show, add, plainBytes)) ?? { status: 200, headers: texts.headers, body: text }
      },
      pieces !== undefined,
    ),
  )
}

/** The texts around a single thing: {"success":true,"message":"","component":{...}} */
export const textsOfOne = (call: Call, about: RowsAbout): RowTexts => oneIn(rowFormat(call), about)

/** The reply to a change is JSON. */
export const jsonOfOne = (about: RowsAbout): RowTexts => oneIn('json', about)

const oneIn = (format: RowFormat, { name, columns }: RowsAbout): RowTexts =>
  rowTexts(format, columns, {
    before: `{"success":true,"message":"",${JSON.stringify(name)}:`,
    after: '}',
  })

/** A single thing that is not large. */
export const oneReply = (call: Call, about: RowsAbout, shown: Shown): Reply =>
  wholeReply(textsOfOne(call, about), shown)

export const wholeReply = ({ headers, before, row, after }: RowTexts, shown: Shown): Reply => ({
  status: 200,
  headers,
  body: [before, ...row(shown), after].join(''),
})

export const addShown = async (texts: RowTexts, shown: Shown, add: (text: string) => void): Promise<void> => {
  add(texts.before)
  await openWriter(texts, add).write(shown)
  add(texts.after)
}

/** Others are served in between. */
const openWriter = ({ row }: RowTexts, add: (text: string) => void) => {
  let [bytes, sinceTurn] = [0, 0]
  const write = async (shown: Shown): Promise<void> => {
    for (const text of row(shown)) {
      add(text)
      const size = Buffer.byteLength(text)
      bytes += size
      sinceTurn += size
      if (sinceTurn < batchBytes) continue
      await nextTurn()
      sinceTurn = 0
    }
  }
  return { write, bytes: () => bytes }
}

/** Writes rows; where they take more than `mostBytes`, it stops and gives the bytes that all of them may take. */
const write = async <Row>(
  { pageCount, atOnce, read }: Rows<Row>,
  texts: RowTexts,
  show: (row: Row) => Shown,
  add: (text: string) => void,
  mostBytes: number,
): Promise<number | undefined> => {
  let [count, most] = [0, Math.min(firstRows, atOnce)]
  const writer = openWriter(texts, add)
  add(texts.before)
  for (;;) {
    const batch = await read(most, mostBytes - writer.bytes())
    if (typeof batch === 'number')
      return expectedBytes(writer.bytes() + batch, Math.min(count + most, pageCount), pageCount)
    for (const row of batch) {
      if (count > 0) add(texts.between)
      count += 1
      await writer.write(show(row))
      if (writer.bytes() > mostBytes) return expectedBytes(writer.bytes(), count, pageCount)
    }
    if (batch.length < most) break
    most = Math.max(1, Math.min(atOnce, Math.floor((batchBytes * count) / writer.bytes())))
  }
  add(texts.after)
  return undefined
}

/** If all rows are like those that were seen, and some more: a reply that turns out larger costs another try. */
const expectedBytes = (bytes: number, count: number, pageCount: number): number =>
  Math.min(mostReplyBytes, Math.ceil((bytes / count) * pageCount * 1.1))
