// Kinds of load for a cluster, beside those of test/fault/loads: uploads without a time, deletions, scripts, lists and changes of the
// catalogue, and a key that was revoked. What one call has stored the next one must show, at whichever server and standby.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLedger } from '../fault/loads/ledger.ts'
import type { Calls, Load } from '../fault/loads/load.ts'
import { put } from '../fault/loads/load.ts'

/** Three streams in one body that get the server's time: stored together, once, or not at all. */
export const untimed = ({ askBytes, samples }: Calls): Load => {
  const acknowledged: number[] = []
  let next = 0
  const streamIds = ['a', 'b', 'c']
  return {
    name: 'uploads without a time',
    step: async () => {
      const data = (next += 1)
      const body = JSON.stringify(streamIds.map((streamId) => ({ compId: 'Untimed', streamId, data })))
      if ((await askBytes('PUT', '/api/feed', Uint8Array.from(Buffer.from(body)))) === undefined) return false
      acknowledged.push(data)
      return true
    },
    judge: async () => {
      const [first, ...others] = await Promise.all(streamIds.map((streamId) => samples('Untimed', streamId)))
      for (const other of others) assert.deepEqual([...other], [...first!], 'half of a body')
      const values = [...first!.values()] as number[]
      const stored = new Set(values)
      assert.equal(stored.size, values.length, 'a body was stored twice')
      const lost = acknowledged.filter((value) => !stored.has(value))
      assert.deepEqual(lost.slice(0, 5), [], `${lost.length} of ${acknowledged.length} acknowledged bodies are lost`)
    },
  }
}

/** Ten samples that are stored, and deleted by one call: all of them, or none. */
export const deletions = (doors: Calls): Load => {
  const ledger = openLedger<number>('deletions')
  let next = 0
  let isStored = false
  return {
    name: 'deletions',
    step: async () => {
      const times = Array.from({ length: 10 }, (_, at) => next + at)
      const acknowledge = ledger.note(new Map(times.map((time) => [time, isStored ? undefined : time])))
      const span = `sd=${times[0]}&ed=${times.at(-1)! + 1}`
      const isDone = isStored
        ? (await doors.ask('DELETE', `/api/comp/Gone/stream/a/feed?${span}`)) !== undefined
        : await put(doors, `compId=Gone&a=${times.join()}&time=${times.join()}`)
      if (!isDone) return false
      acknowledge()
      if (isStored) next += 10
      isStored = !isStored
      return true
    },
    judge: async () => ledger.judge(await doors.samples('Gone', 'a')),
  }
}

/** A script that stores a sample, and one that reads it. */
export const scripts = ({ ask, samples }: Calls): Load => {
  let acknowledged = 0
  let next = 0
  const question = encodeURIComponent("SELECT lastValue FROM Stream WHERE cid = 'Script'")
  return {
    name: 'scripts',
    step: async () => {
      const n = (next += 1)
      const s = `INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES ('Script', 'a', ${n}, ${n})`
      if ((await ask('POST', '/api/gql', { s })) === undefined) return false
      acknowledged = n
      const reply = (await ask('GET', `/api/gql?s=${question}`)) as { rows: [[number]] } | undefined
      if (reply === undefined) return false
      assert.deepEqual(reply.rows, [[n]], 'the last value of a script')
      return true
    },
    judge: async () => {
      const stored = await samples('Script', 'a')
      assert.ok(stored.get(acknowledged) === acknowledged, `the sample ${acknowledged} of a script is lost`)
    },
  }
}

/** Components that are made, listed, changed and deleted; half of them stay. */
export const components = ({ ask }: Calls): Load => {
  const kept: string[] = []
  const deleted: string[] = []
  let next = 0
  type List = { readonly component: readonly { readonly uid: string; readonly description: string }[] }
  const list = (id: string) => ask('GET', `/api/component?id=${id}`) as Promise<List | undefined>
  return {
    name: 'changes of components',
    step: async () => {
      const n = (next += 1)
      const id = `Listed-${n}`
      const made = (await ask('POST', '/api/component', { id, stream: [{ id: 'a' }] })) as
        | { component: { uid: string } }
        | undefined
      if (made === undefined) return false
      const { uid } = made.component
      const path = `/api/component/${uid}`
      if ((await ask('PUT', path, { description: 'changed' })) === undefined) return false
      kept.push(id)
      const shown = await list(id)
      if (shown === undefined) return false
      assert.deepEqual(
        shown.component.map((one) => [one.uid, one.description]),
        [[uid, 'changed']],
        `the list of ${id}`,
      )
      if (n % 2 === 0) return true
      kept.pop()
      if ((await ask('DELETE', path)) === undefined) return false
      deleted.push(id)
      const after = await list(id)
      if (after !== undefined) assert.deepEqual(after.component, [], `the list of ${id}, which was deleted`)
      return after !== undefined
    },
    judge: async () => {
      for (const id of kept) assert.equal((await list(id))!.component.length, 1, `${id} is lost`)
      for (const id of deleted) assert.equal((await list(id))!.component.length, 0, `${id} is there again`)
    },
  }
}

type Call = (
  method: string,
  path: string,
  options: { readonly body?: string; readonly expected?: number },
) => Promise<Buffer | undefined>

/** A key that was used and then revoked: nobody takes it again, and nothing that it sends is stored. */
export const revokedKey = async ({ ask, samples }: Calls, call: Call): Promise<Load> => {
  const capabilities = [{ resource: 'component/*/feed', methods: ['GET', 'PUT'] }]
  const made = (await ask('POST', '/api/api_key', { name: 'revoked', capabilities })) as {
    api_key: { uid: string; secret: string }
  }
  const { uid, secret } = made.api_key
  const credential = `api_key=${secret}`
  // Often enough that each server has met it.
  for (let time = 1; time <= 12; time += 1)
    assert.ok(await call('PUT', `/api/feed?compId=Revoked&a=1&time=${time}&${credential}`, {}))
  assert.ok(await ask('DELETE', `/api/api_key/${uid}`))
  // Other servers know of it within a second.
  await sleep(1500)
  const calls = [
    ['PUT', `/api/feed?compId=Revoked&a=2&time=100&${credential}`, undefined],
    ['GET', `/api/comp/Revoked/last_value?${credential}`, undefined],
    ['PUT', `/api/feed?${credential}`, JSON.stringify([{ compId: 'Revoked', streamId: 'a', data: 2 }])],
  ] as const
  let next = 0
  return {
    name: 'a revoked key',
    step: async () => {
      const [method, path, body] = calls[(next += 1) % calls.length]!
      return (await call(method, path, { ...(body === undefined ? {} : { body }), expected: 401 })) !== undefined
    },
    judge: async () => {
      const stored = await samples('Revoked', 'a')
      assert.deepEqual([...stored.values()], Array(12).fill(1))
    },
  }
}
