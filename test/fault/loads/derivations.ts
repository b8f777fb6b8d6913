// Streams that are derived from others, whose samples are appended, come late, and are deleted.
import assert from 'node:assert/strict'
import type { Random } from '../../support/random.ts'
import { eventually } from '../../support/within.ts'
import { openLedger } from './ledger.ts'
import type { Doors, Load } from './load.ts'
import { put, weekMs } from './load.ts'

type Derived = { readonly id: string; readonly uid: string }

/** A component of the stream a, and of others that are derived, each by an expression of v, the one before. */
const makeDerived = async (
  doors: Doors,
  compId: string,
  expressions: Readonly<Record<string, string>>,
): Promise<readonly Derived[]> => {
  const ids = ['a', ...Object.keys(expressions)]
  const stream = ids.map((id, at) =>
    at === 0 ? { id } : { id, expression: expressions[id], variables: [{ name: 'v', streamId: ids[at - 1] }] },
  )
  const made = (await doors.ask('POST', '/api/component', { id: compId, stream })) as {
    component: { stream: Derived[] }
  }
  return made.component.stream.slice(1)
}

/** Samples that came late, or are deleted, are derived on request; the stream itself says whether there are any. */
const deriveRest = async (doors: Doors, uid: string): Promise<void> => {
  const shown = (await doors.ask('GET', `/api/stream/${uid}`)) as { stream: { staleFrom: number | null } }
  // A request of a moment ago may still go on.
  if (shown.stream.staleFrom !== null) await doors.ask('POST', `/api/stream/${uid}/derive`, {}, { refusals: [409] })
}

const judgeDerived = async (
  doors: Doors,
  compId: string,
  { id, uid }: Derived,
  expected: ReadonlyMap<number, number>,
): Promise<void> => {
  const isEqual = async () => {
    await deriveRest(doors, uid)
    const found = await doors.samples(compId, id)
    return found.size === expected.size && [...expected].every(([time, value]) => found.get(time) === value)
  }
  await eventually(isEqual).catch(async () => assert.deepEqual(await doors.samples(compId, id), expected, id))
}

const map = (stored: ReadonlyMap<number, unknown>, derive: (value: number) => number) =>
  new Map([...stored].map(([time, value]) => [time, derive(value as number)]))

/** A chain of two derived streams, at once and in the background: each has a sample for each of its source's. */
export const derivations = async (doors: Doors, { integer }: Random): Promise<Load> => {
  const [twice, more] = await makeDerived(doors, 'Derived', { twice: 'v * 2', more: 'v + 1' })
  const ledger = openLedger<number>('Derived')
  let next = 0
  return {
    name: 'derivations',
    step: async () => {
      const n = (next += 1)
      const atOnce = integer(2) === 0 ? '&derMaxS=2&derTout=1000' : ''
      const acknowledge = ledger.note(new Map([[n, n]]))
      if (!(await put(doors, `compId=Derived&a=${n}&time=${n}${atOnce}`))) return false
      acknowledge()
      return true
    },
    judge: async () => {
      const stored = await doors.samples('Derived', 'a')
      ledger.judge(stored)
      await judgeDerived(
        doors,
        'Derived',
        twice!,
        map(stored, (value) => value * 2),
      )
      await judgeDerived(
        doors,
        'Derived',
        more!,
        map(stored, (value) => value * 2 + 1),
      )
    },
  }
}

const weeks = 10
const firstMs = Date.parse('2025-01-01T00:00:00Z')

/** A sample of each of ten weeks, which are ten chunks; then some of these weeks are deleted, with all that is in them: at once, or not. */
export const deletions = async (doors: Doors, { integer }: Random): Promise<Load> => {
  const [twice] = await makeDerived(doors, 'Gone', { twice: 'v * 2' })
  const ledger = openLedger<number>('deletions')
  let next = 0
  const store = async (): Promise<boolean> => {
    const n = (next += 1)
    const times = Array.from({ length: weeks }, (_, at) => firstMs + at * weekMs + n * 1000)
    const acknowledge = ledger.note(new Map(times.map((time) => [time, n])))
    const isStored = await put(doors, `compId=Gone&a=${times.map(() => n).join()}&time=${times.join()}`)
    if (isStored) acknowledge()
    return isStored
  }
  return {
    name: 'deletions',
    step: async () => {
      if (!(await store())) return false
      const first = integer(weeks)
      const fromMs = firstMs + first * weekMs
      const untilMs = fromMs + (1 + integer(weeks - first)) * weekMs
      const inside = ledger.keys().filter((time) => time >= fromMs && time < untilMs)
      const acknowledge = ledger.note(new Map(inside.map((time) => [time, undefined])))
      const path = `/api/comp/Gone/stream/a/feed?sd=${fromMs}&ed=${untilMs}`
      if ((await doors.ask('DELETE', path)) === undefined) return false
      acknowledge()
      return true
    },
    judge: async () => {
      const stored = await doors.samples('Gone', 'a')
      ledger.judge(stored)
      await judgeDerived(
        doors,
        'Gone',
        twice!,
        map(stored, (value) => value * 2),
      )
    },
  }
}
