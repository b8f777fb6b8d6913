// POST /api/import with an importId, whose body comes slowly (docs/transfer.md#go-on-where-it-stopped): a call that ended
// early, by a kill or because its client went away, leaves the batches before stored, and the next one goes on there, with
// all of the body or with the rest.
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../../support/random.ts'
import type { Doors, Load } from './load.ts'

type Shown = {
  readonly id: string
  readonly done: boolean
  readonly bytes: number
  readonly lines: number
  readonly stored: number
  readonly refused: number
}

const nowhere = { bytes: 0, lines: 0, stored: 0, refused: 0 }

/** Batches are of a megabyte, and so are made of few rows: a column that is not read fills them. */
const rowCount = 1000
const filler = 'x'.repeat(3000)
const pieces = 12
const pieceEveryMs = 150

type Transfer = { readonly id: string; readonly values: readonly number[] }

const bodyOf = ({ id, values }: Transfer): Buffer =>
  Buffer.from(
    `compId,streamId,time,data,note\n${values.map((value, at) => `${id},a,${at + 1},${value},${filler}\n`).join('')}`,
  )

const asStored = (values: readonly number[]) => new Map(values.map((value, at) => [at + 1, value]))

/** Its client goes away behind so many pieces. */
const slowly = (body: Uint8Array, mostPieces: number): ReadableStream<Uint8Array> => {
  const length = Math.ceil(body.length / pieces)
  let sent = 0
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      if (sent * length >= body.length) return controller.close()
      if (sent >= mostPieces) return controller.error(new Error('the client goes away'))
      await pause(pieceEveryMs)
      controller.enqueue(body.subarray(sent * length, (sent + 1) * length))
      sent += 1
    },
  })
}

export const transfers = (doors: Doors, { integer, pick }: Random): Load => {
  let next = 0
  const begin = () => ({
    id: `Transfer-${(next += 1)}`,
    values: Array.from({ length: rowCount }, () => integer(1_000_000)),
    isSent: false,
    /** The byte up to which it was stored when it was last asked. */
    reached: 0,
  })
  let now = begin()
  const done: Transfer[] = []

  /** Asks how far it is: all rows up to there are stored, and of those behind only the next ones. False: no answer. */
  const look = async (): Promise<boolean> => {
    const { id, values, reached } = now
    const reply = (await doors.ask('GET', `/api/import?text=${id}`)) as { import: Shown[] } | undefined
    if (reply === undefined) return false
    const { bytes, lines, stored, refused } = reply.import.find((one) => one.id === id) ?? nowhere
    const linesThere = bodyOf(now).subarray(0, bytes).toString().split('\n').length - 1
    const expected = { lines: linesThere, stored: Math.max(0, linesThere - 1), refused: 0 }
    assert.deepEqual({ lines, stored, refused }, expected, id)
    assert.ok(bytes >= reached, `${id} was stored up to byte ${reached}, and now to ${bytes}`)
    now.reached = bytes
    const samples = await doors.samples(id, 'a')
    assert.ok(samples.size >= stored, `${id}: ${samples.size} of ${stored} rows that it has counted`)
    assert.deepEqual(samples, asStored(values.slice(0, samples.size)), id)
    return true
  }

  return {
    name: 'imports of history',
    step: async () => {
      if (now.isSent && !(await look())) return false
      const body = bodyOf(now)
      const mostPieces = now.isSent || integer(2) === 0 ? pieces : integer(pieces)
      now.isSent = true
      const offset = pick([0, now.reached])
      const query = `importId=${now.id}&offset=${offset}`
      const more = { headers: { 'Content-Type': 'text/csv' } }
      const rest = slowly(body.subarray(offset), mostPieces)
      const reply = await doors.askBytes('POST', `/api/import?${query}`, rest, more)
      if (reply === undefined) return false
      const { import: shown } = JSON.parse(reply.toString()) as { import: Shown }
      const whole = { done: true, bytes: body.length, lines: rowCount + 1, stored: rowCount, refused: 0 }
      const { done: isDone, bytes, lines, stored, refused } = shown
      assert.deepEqual({ done: isDone, bytes, lines, stored, refused }, whole, now.id)
      done.push({ id: now.id, values: now.values })
      now = begin()
      return true
    },
    judge: async () => {
      for (const { id, values } of done) assert.deepEqual(await doors.samples(id, 'a'), asStored(values), id)
      await look()
    },
  }
}
