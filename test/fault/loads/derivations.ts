// Streams that are derived from others, whose samples are appended, come late, and are deleted.
import assert from 'node:assert/strict'
import type { Random } from '../../support/random.ts'
import { eventually } from '../../support/within.ts'
import { openLedger } from './ledger.ts'
import type { Changes } from './ledger.ts'
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
  const shown = (await doors.ask('GET', `/api/stream/${uid}`)) as { stream: { staleFrom: number | null } } | undefined
  // One that was asked for when a server was killed still goes on.
  if (typeof shown?.stream.staleFrom === 'number')
    await doors.ask('POST', `/api/stream/${uid}/derive`, {}, { refusals: [409] })
}

/** Each sample of the source has one in the derived stream, and there are no others. */
const judgeDerived = async (
  doors: Doors,
  compId: string,
  { id, uid }: Derived,
  derive: (value: number) => number,
): Promise<void> => {
  const compare = async () => {
    const source = await doors.samples(compId, 'a')
    const expected = new Map(Array.from(source, ([time, value]) => [time, derive(value as number)]))
    assert.deepEqual(await doors.samples(compId, id), expected, `${id} of ${compId}`)
  }
  await eventually(async () => {
    await deriveRest(doors, uid)
    return compare().then(
      () => true,
      () => false,
    )
  }).catch(compare)
}

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
      ledger.judge(await doors.samples('Derived', 'a'))
      await judgeDerived(doors, 'Derived', twice!, (value) => value * 2)
      await judgeDerived(doors, 'Derived', more!, (value) => value * 2 + 1)
    },
  }
}

const weeks = 10
const firstMs = Date.parse('2025-01-01T00:00:00Z')

/**
 * In turn: a sample of each of ten weeks, which are ten chunks; and some of these weeks are deleted, with all that is in
 * them, at once or not at all. After each the stream that is derived from it is looked at, before others hide its mistakes.
 */
export const deletions = async (doors: Doors, { integer }: Random): Promise<Load> => {
  const [twice] = await makeDerived(doors, 'Gone', { twice: 'v * 2' })
  const ledger = openLedger<number>('deletions')
  let next = 0
  let turn = 0
  const store = () => {
    const n = (next += 1)
    const times = Array.from({ length: weeks }, (_, at) => firstMs + at * weekMs + n * 1000)
    const query = `compId=Gone&a=${times.map(() => n).join()}&time=${times.join()}`
    return doing(new Map(times.map((time) => [time, n])), put(doors, query))
  }
  const remove = () => {
    const first = integer(weeks)
    const fromMs = firstMs + first * weekMs
    const untilMs = fromMs + (1 + integer(weeks - first)) * weekMs
    const inside = ledger.keys().filter((time) => time >= fromMs && time < untilMs)
    const path = `/api/comp/Gone/stream/a/feed?sd=${fromMs}&ed=${untilMs}`
    const call = doors.ask('DELETE', path).then((reply) => reply !== undefined)
    return doing(new Map(inside.map((time) => [time, undefined])), call)
  }
  const doing = async (changes: Changes<number>, call: Promise<boolean>): Promise<boolean> => {
    const acknowledge = ledger.note(changes)
    const isDone = await call
    if (isDone) acknowledge()
    return isDone
  }
  const look = async (): Promise<boolean> => {
    await judgeDerived(doors, 'Gone', twice!, (value) => value * 2)
    return true
  }
  const turns = [store, look, remove, look]
  return {
    name: 'deletions',
    step: async () => {
      const isDone = await turns[turn]!()
      if (isDone) turn = (turn + 1) % turns.length
      return isDone
    },
    judge: async () => {
      ledger.judge(await doors.samples('Gone', 'a'))
      await look()
    },
  }
}
