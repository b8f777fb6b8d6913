// The other forms of an upload, each in its turn (docs/feeds.md). Where the server gives the times, a sample is known by its
// value, which no other has.
import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import type { Random } from '../../support/random.ts'
import type { Changes } from './ledger.ts'
import { openLedger } from './ledger.ts'
import type { Doors, Load, More } from './load.ts'
import { samplesOf } from './load.ts'

type Upload = More & {
  /** Behind compId. */
  readonly query?: string
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly changes: Changes<string>
  readonly check?: (reply: string) => void
}

type Form = {
  readonly streamIds: readonly string[]
  /** Whether samples are known by their values. */
  readonly isTimed?: true
  /** The n-th of this form, from 1 on. */
  readonly upload: (n: number) => Upload
}

const minuteMs = 60_000

const formsOf = ({ integer }: Random): Readonly<Record<string, Form>> => ({
  object: {
    streamIds: ['a', 'b'],
    upload: (n) => {
      const time = [2 * n, 2 * n + 1]
      const stream = ['a', 'b'].map((streamId) => ({ streamId, data: time }))
      return {
        body: JSON.stringify({ feed: { component: [{ componentId: 'Form-object', time, stream }] } }),
        changes: new Map(time.flatMap((each) => [[`a ${each}`, each] as const, [`b ${each}`, each] as const])),
      }
    },
  },
  timeEl: { streamIds: ['a'], isTimed: true, upload: (n) => timedBy(n, 'timeEl=2,1,0') },
  freq: { streamIds: ['a'], isTimed: true, upload: (n) => timedBy(n, 'freq=1') },
  untimed: {
    streamIds: ['a', 'b'],
    isTimed: true,
    upload: (n) => ({
      query: `&a=${n}&b=${n}`,
      changes: new Map([
        [`a ${n}`, 1],
        [`b ${n}`, 1],
      ]),
    }),
  },
  position: {
    streamIds: ['data1', 'data2'],
    upload: (n) => ({
      query: `&data=${n}&data=${n + 0.5}&time=${n}`,
      changes: new Map([
        [`data1 ${n}`, n],
        [`data2 ${n}`, n + 0.5],
      ]),
    }),
  },
  rsid: {
    streamIds: ['a'],
    upload: (n) => ({
      query: `&a=${n}&time=${n}&rsid=a`,
      changes: new Map([[`a ${n}`, n]]),
      // A value that cannot be read once the sample is stored is left out.
      check: (reply) => assert.equal((JSON.parse(reply) as { a?: number }).a ?? n, n, 'rsid'),
    }),
  },
  gzip: {
    streamIds: ['a', 'b'],
    upload: (n) => {
      const body = ['a', 'b'].map((streamId) => ({ compId: 'Form-gzip', streamId, time: n, data: `${n} in gzip` }))
      return {
        headers: { 'Content-Encoding': 'gzip' },
        body: Uint8Array.from(gzipSync(JSON.stringify(body))),
        changes: new Map(body.map(({ streamId, time, data }) => [`${streamId} ${time}`, data])),
      }
    },
  },
  /** Intervals between the two are set to null, even where a value was stored. */
  interval: {
    streamIds: ['a'],
    upload: (n) => {
      const first = 1 + integer(200)
      const last = first + 1 + integer(5)
      const changes = new Map<string, unknown>()
      for (let at = first; at <= last; at += 1) changes.set(`a ${at * minuteMs}`, null)
      changes.set(`a ${first * minuteMs}`, n).set(`a ${last * minuteMs}`, n + 0.5)
      return { query: `&a=${n},${n + 0.5}&time=${first * minuteMs},${last * minuteMs}`, changes }
    },
  },
})

const timedBy = (n: number, how: string): Upload => {
  const values = [n, n + 0.25, n + 0.5]
  return { query: `&a=${values.join()}&${how}`, changes: new Map(values.map((value) => [`a ${value}`, 1])) }
}

export const forms = async (doors: Doors, random: Random): Promise<Load> => {
  const stream = [{ id: 'a', kind: 'interval', baseCycleId: 'minute' }]
  await doors.ask('POST', '/api/component', { id: 'Form-interval', stream })
  const all = Object.entries(formsOf(random)).map(([name, form]) => ({
    form,
    compId: `Form-${name}`,
    ledger: openLedger<string>(name),
    next: 0,
  }))
  let turn = 0
  const step = async (): Promise<boolean> => {
    const one = all[turn]!
    const { query = '', body, changes, check, ...more } = one.form.upload((one.next += 1))
    const acknowledge = one.ledger.note(changes)
    const reply = await doors.askBytes('PUT', `/api/feed?compId=${one.compId}${query}`, body, more)
    if (reply === undefined) return false
    check?.(reply.toString())
    acknowledge()
    turn = (turn + 1) % all.length
    return true
  }
  return {
    name: 'forms of an upload',
    step,
    judge: async () => {
      for (const { compId, form, ledger } of all)
        ledger.judge(await (form.isTimed ? timesOfValues : samplesOf)(doors, compId, form.streamIds))
    },
  }
}

/** How often each value is stored: once. */
const timesOfValues = async (doors: Doors, compId: string, streamIds: readonly string[]) => {
  const found = new Map<string, number>()
  for (const streamId of streamIds)
    for (const value of (await doors.samples(compId, streamId)).values()) {
      const key = `${streamId} ${String(value)}`
      found.set(key, (found.get(key) ?? 0) + 1)
    }
  return found
}
