// Uploads in the URL and as arrays: one sample, many together, the same time again and again, and new components.
import type { Calls, Doors, Load } from './load.ts'
import { put, samplesOf } from './load.ts'
import { openLedger } from './ledger.ts'

/** One sample in the URL. */
export const appends = (doors: Doors, compId: string): Load => {
  const ledger = openLedger<number>(compId)
  let next = 0
  return {
    name: `appends to ${compId}`,
    step: async () => {
      const n = (next += 1)
      const acknowledge = ledger.note(new Map([[n, n]]))
      const isStored = await put(doors, `compId=${compId}&a=${n}&time=${n}`)
      if (isStored) acknowledge()
      return isStored
    },
    judge: async () => ledger.judge(await doors.samples(compId, 'a')),
  }
}

/** Twenty times of two streams in one body, which are stored together or not at all. */
export const arrays = (doors: Calls): Load => {
  const ledger = openLedger<string>('arrays')
  const streamIds = ['a', 'b']
  let next = 0
  return {
    name: 'arrays',
    step: async () => {
      const times = Array.from({ length: 20 }, () => (next += 1))
      const body = times.flatMap((time) =>
        streamIds.map((streamId) => ({ compId: 'Array', streamId, data: time, time })),
      )
      const acknowledge = ledger.note(new Map(body.map(({ streamId, time, data }) => [`${streamId} ${time}`, data])))
      const isStored = await put(doors, '', body)
      if (isStored) acknowledge()
      return isStored
    },
    judge: async () => ledger.judge(await samplesOf(doors, 'Array', streamIds)),
  }
}

/** The same time again and again: what is there is never older than what was acknowledged. */
export const overwrites = (doors: Doors): Load => {
  const ledger = openLedger<number>('overwrites')
  let next = 0
  return {
    name: 'overwrites',
    step: async () => {
      const value = (next += 1)
      const acknowledge = ledger.note(new Map([[5, value]]))
      const isStored = await put(doors, `compId=Over&a=${value}&time=5`)
      if (isStored) acknowledge()
      return isStored
    },
    judge: async () => ledger.judge(await doors.samples('Over', 'a')),
  }
}

/** Components that are created by their first upload, with both of its streams. */
export const creations = (doors: Doors): Load => {
  const ledger = openLedger<string>('creations')
  let next = 0
  return {
    name: 'creations',
    step: async () => {
      const id = `Made-${(next += 1)}`
      const acknowledge = ledger.note(
        new Map([
          [`${id} x 7`, 1],
          [`${id} y 7`, 2],
        ]),
      )
      const isStored = await put(doors, `compId=${id}&x=1&y=2&time=7`)
      if (isStored) acknowledge()
      return isStored
    },
    judge: async () => {
      const stored = new Map<string, unknown>()
      for (let n = 1; n <= next; n += 1)
        for (const [key, value] of await samplesOf(doors, `Made-${n}`, ['x', 'y']))
          stored.set(`Made-${n} ${key}`, value)
      ledger.judge(stored)
    },
  }
}
