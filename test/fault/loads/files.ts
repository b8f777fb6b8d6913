// Files of several pieces, of new times and in place of others of the same time, as bodies and in forms: each is there with
// every byte, or not at all, and one that was not answered has left the one before whole.
import assert from 'node:assert/strict'
import { openRandom } from '../../support/random.ts'
import { openLedger } from './ledger.ts'
import type { Calls, Load } from './load.ts'

const path = '/api/comp/Gate/stream/photo/feed/file/a.bin'

/** Half of the files replace one of so many times. */
const replacedTimes = 3

/** It begins with its number. */
const contentOf = (n: number): Uint8Array<ArrayBuffer> => {
  const bytes = openRandom(n).bytes(100_000 + 1000 * (n % 700))
  bytes.writeUInt32LE(n)
  return Uint8Array.from(bytes)
}

const formOf = (content: Uint8Array<ArrayBuffer>): FormData => {
  const form = new FormData()
  form.append('file', new Blob([content]), 'a.bin')
  return form
}

export const files = (doors: Calls): Load => {
  const ledger = openLedger<number>('files')
  let next = 0
  return {
    name: 'files',
    step: async () => {
      const n = (next += 1)
      const time = n % 2 === 0 ? n % (2 * replacedTimes) : n
      const content = contentOf(n)
      const acknowledge = ledger.note(new Map([[time, n]]))
      const body = n % 3 === 0 ? formOf(content) : content
      if ((await doors.askBytes('PUT', `${path}?time=${time}`, body)) === undefined) return false
      acknowledge()
      return true
    },
    judge: async () => {
      const stored = new Map<number, number>()
      for (const [time, place] of await doors.samples('Gate', 'photo')) {
        const content = (await doors.askBytes('GET', place as string))!
        const n = content.readUInt32LE()
        assert.ok(n <= next && content.equals(contentOf(n)), `the file of ${time} is no file that was sent`)
        stored.set(time, n)
      }
      ledger.judge(stored)
    },
  }
}
