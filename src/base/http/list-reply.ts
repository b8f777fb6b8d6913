// The reply of a list: {"success":true,"message":"","unit":[...],"totalCount":2}. Rows may be large, such as a thousand
// scripts of 64 KB, so they are read some at a time and written piece by piece, and a large reply takes memory of its
// caller's share first (large-reply.ts). All rows are of one moment. So is the one row of a reply that shows a single thing,
// such as a component with ten thousand streams.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Call } from './call.ts'
import { mostReplyBytes, plainBytes, replyTooLarge, whenItFits } from './large-reply.ts'
import type { Reply } from './reply.ts'
import { jsonType, toJson } from './reply.ts'
import { holdersOfCall } from './room.ts'
import type { Pool, Transaction } from '../database/sql.ts'
import { snapshot } from '../database/sql.ts'

/** The rows of a list, as core/listing.ts gives them. */
type Rows<Row> = {
  readonly totalCount: number
  readonly pageCount: number
  readonly read: (most: number, roomBytes: number) => Promise<readonly Row[] | number>
}
export type Shown = Readonly<Record<string, unknown>>

const mebibyte = 1024 * 1024
const batchBytes = mebibyte / 4
const firstRows = 16

export const listReply = <Row>(
  call: Call,
  pool: Pool,
  /** The member that holds the rows. */
  name: string,
  list: (sql: Transaction) => Promise<Rows<Row>>,
  show: (row: Row) => Shown,
): Promise<Reply> =>
  whenItFits(call, holdersOfCall(call), (pieces) =>
    snapshot(pool, async (sql) => {
      const rows = await list(sql)
      if (pieces) {
        // Pieces go on when it is too much for their room: they count what is needed.
        if (await write(rows, name, show, pieces.add, mostReplyBytes)) throw replyTooLarge()
        return pieces.reply({})
      }
      let text = ''
      const add = (more: string) => void (text += more)
      return (await write(rows, name, show, add, plainBytes)) ?? { status: 200, headers: jsonType, body: text }
    }),
  )

/** {"success":true,"message":"","component":{...}} */
export const addShown = async (name: string, shown: Shown, add: (text: string) => void): Promise<void> => {
  add(`{"success":true,"message":"",${JSON.stringify(name)}:`)
  await openWriter(add).write(shown)
  add('}')
}

/** Others are served in between. */
const openWriter = (add: (text: string) => void) => {
  let [bytes, sinceTurn] = [0, 0]
  const write = async (shown: Shown): Promise<void> => {
    for (const text of jsonTexts(shown)) {
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
  { totalCount, pageCount, read }: Rows<Row>,
  name: string,
  show: (row: Row) => Shown,
  add: (text: string) => void,
  mostBytes: number,
): Promise<number | undefined> => {
  let [count, most] = [0, firstRows]
  const writer = openWriter(add)
  add(`{"success":true,"message":"",${JSON.stringify(name)}:[`)
  for (;;) {
    const batch = await read(most, mostBytes - writer.bytes())
    if (typeof batch === 'number')
      return expectedBytes(writer.bytes() + batch, Math.min(count + most, pageCount), pageCount)
    for (const row of batch) {
      if (count > 0) add(',')
      count += 1
      await writer.write(show(row))
      if (writer.bytes() > mostBytes) return expectedBytes(writer.bytes(), count, pageCount)
    }
    if (batch.length < most) break
    most = Math.max(1, Math.min(1000, Math.floor((batchBytes * count) / writer.bytes())))
  }
  add(`],"totalCount":${totalCount}}`)
  return undefined
}

/** If all rows are like those that were seen, and some more: a reply that turns out larger costs another try. */
const expectedBytes = (bytes: number, count: number, pageCount: number): number =>
  Math.min(mostReplyBytes, Math.ceil((bytes / count) * pageCount * 1.1))

const longList = 100

/** JSON in several texts where a member is a long list, such as a component's streams: each element by itself. */
function* jsonTexts(shown: Shown): Generator<string> {
  if (!Object.values(shown).some((member) => Array.isArray(member) && member.length > longList))
    return yield toJson(shown)
  let separator = '{'
  for (const [name, member] of Object.entries(shown)) {
    if (member === undefined) continue
    yield `${separator}${JSON.stringify(name)}:`
    separator = ','
    if (Array.isArray(member)) {
      yield '['
      for (const [index, element] of member.entries()) yield `${index > 0 ? ',' : ''}${toJson(element)}`
      yield ']'
    } else yield toJson(member)
  }
  yield '}'
}
