// The load on a cluster (cluster.soak.ts), from beginning to end: devices whose readers know what was acknowledged, and one
// of each other kind of call, those above all that HAProxy must not send again by itself. A reply that shows less than was
// acknowledged is wrong at once; every call that was not served is counted, with its status.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { files } from '../fault/loads/files.ts'
import type { Body, Calls, Load, Owner } from '../fault/loads/load.ts'
import { sinkCalls } from '../fault/loads/sinks.ts'
import { arrays } from '../fault/loads/uploads.ts'
import { serverApiKey } from '../support/server-process.ts'
import { eventually } from '../support/within.ts'
import { components, deletions, revokedKey, scripts, untimed } from './cluster-kinds.ts'

export type ClusterLoad = {
  /** Forgets failures and pauses so far. */
  readonly begin: () => void
  /** The calls that were not served, as `PUT /api/feed: 503 database_away`, with their numbers. */
  readonly failures: () => Readonly<Record<string, number>>
  /** The longest time in which some device, or kind of call, had nothing acknowledged. */
  readonly longestMs: () => number
  /** Until every one of them has gone on; throws as soon as a reply was wrong. */
  readonly goOn: () => Promise<void>
  readonly figures: () => string
  readonly end: () => Promise<void>
  /** After the end: all that was acknowledged is there, and nothing by half. */
  readonly judge: () => Promise<void>
}

/** A device sends one sample after the other, each until it is acknowledged; the value is the time. */
type Device = { readonly id: string; sent: number; acknowledged: number }

/** One that makes steps, and the last that was acknowledged. */
type Walker = { readonly name: string; steps: number; atMs: number }

const devices = 6
const key = `api_key=${serverApiKey}`
export const ownerPassword = 'password of the owner'

/** Between two steps: files are large. */
const pauseMsOf = (name: string) => (name === 'files' ? 400 : 20)

export const openLoad = async (url: string): Promise<ClusterLoad> => {
  const game: { isOver: boolean; wrong?: Error } = { isOver: false }
  const failures = new Map<string, number>()
  const walkers: Walker[] = []
  let longest = { ms: 0, name: '' }
  let reads = 0
  const acknowledge = (walker: Walker) => {
    const nowMs = performance.now()
    const ms = nowMs - walker.atMs
    if (walker.atMs > 0 && ms > longest.ms) longest = { ms, name: walker.name }
    walker.atMs = nowMs
    walker.steps += 1
  }

  /** Undefined where the reply was another than the expected one, which is counted. */
  const call = async (
    method: string,
    path: string,
    { body, expected }: { body?: Body | undefined; expected?: number } = {},
  ): Promise<Buffer | undefined> => {
    let failure: string
    try {
      const reply = await fetch(`${url}${path}`, {
        method,
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(60_000),
      })
      const bytes = Buffer.from(await reply.arrayBuffer())
      if (expected === undefined ? reply.ok : reply.status === expected) return bytes
      const retryAfter = reply.headers.get('retry-after') ?? ''
      failure = `${reply.status} ${reasonOf(bytes)}${/^\d+$/.test(retryAfter) ? '' : ', without Retry-After'}`
    } catch (error) {
      const { name, cause } = error as Error
      failure = `lost, ${(cause as { code?: string } | undefined)?.code ?? name}`
    }
    const kind = `${method} ${path.replace(/\?.*/, '').replaceAll(/(?<=\/(component|comp|conn_sink)\/)[^/]+/g, '…')}: ${failure}`
    failures.set(kind, (failures.get(kind) ?? 0) + 1)
    return undefined
  }

  const login = { email: 'owner@localhost', password: ownerPassword }
  const signedIn = await call('POST', '/api/login', { body: JSON.stringify(login) })
  const { sessionUid } = JSON.parse(String(signedIn)) as { sessionUid: string }
  const bySession = (path: string) =>
    path.includes('api_key=') ? path : `${path}${path.includes('?') ? '&' : '?'}session=${sessionUid}`
  const doors: Calls = {
    askBytes: (method, path, body) => call(method, bySession(path), { body }),
    ask: async (method, path, body) => {
      const bytes = await call(method, bySession(path), { body: body === undefined ? undefined : JSON.stringify(body) })
      return bytes && JSON.parse(bytes.toString())
    },
    samples: async (compId, streamId) => {
      const found = new Map<number, unknown>()
      for (let before = 4_102_444_800_000; ;) {
        const path = `/api/comp/${compId}/stream/${streamId}/feed?limit=1000&ed=${before}`
        const page = (await doors.ask('GET', path)) as { time: number; data: unknown }[]
        for (const { time, data } of page) found.set(time, data)
        if (page.length < 1000) return found
        before = page.at(-1)!.time
      }
    },
  }

  const upload = async (device: Device, walker: Walker) => {
    while (!game.isOver) {
      device.sent = device.acknowledged + 1
      const path = `/api/feed?compId=${device.id}&level=${device.sent}&time=${device.sent}&${key}`
      if ((await call('PUT', path)) === undefined) {
        await sleep(100)
        continue
      }
      device.acknowledged = device.sent
      acknowledge(walker)
    }
  }
  const readOn = async (
    device: Device,
    path: string,
    read: (items: readonly { readonly data: number }[]) => number,
  ): Promise<void> => {
    while (!game.isOver) {
      const { acknowledged } = device
      const reply = acknowledged === 0 ? undefined : await call('GET', path)
      if (reply === undefined) {
        await sleep(100)
        continue
      }
      const found = read(JSON.parse(reply.toString()) as readonly { data: number }[])
      assert.ok(
        found >= acknowledged && found <= device.sent,
        `${path}: ${found}, not ${acknowledged} to ${device.sent}`,
      )
      reads += 1
    }
  }
  const step = async (load: Load, walker: Walker) => {
    while (!game.isOver) {
      if (await load.step()) acknowledge(walker)
      await sleep(pauseMsOf(load.name))
    }
  }

  const { user } = (await doors.ask('GET', '/api/user')) as { user: { uid: string }[] }
  const { organization } = (await doors.ask('GET', '/api/organization')) as { organization: { uid: string }[] }
  const owner: Owner = { uid: user[0]!.uid, organizationUid: organization[0]!.uid }
  const fleet = Array.from({ length: devices }, (_, n): Device => ({ id: `Device-${n}`, sent: 0, acknowledged: 0 }))
  const loads: readonly Load[] = [
    arrays(doors),
    untimed(doors),
    files(doors),
    deletions(doors),
    await sinkCalls(doors, owner),
    scripts(doors),
    components(doors),
    await revokedKey(doors, call),
  ]
  assert.deepEqual([...failures], [])

  const addWalker = (name: string): Walker => {
    const walker = { name, steps: 0, atMs: 0 }
    walkers.push(walker)
    return walker
  }
  const running = [
    ...fleet.flatMap((device) => [
      upload(device, addWalker(device.id)),
      readOn(device, `/api/comp/${device.id}/last_value?${key}`, ([last]) => last?.data ?? 0),
      readOn(device, `/api/comp/${device.id}/stream/level/cycle/day/stat/nongapcount/feed?${key}`, (days) =>
        days.reduce((sum, { data }) => sum + data, 0),
      ),
    ]),
    ...loads.map((load) => step(load, addWalker(load.name))),
  ].map((work) =>
    work.catch((error: Error) => {
      game.wrong ??= error
      game.isOver = true
    }),
  )
  const assertRight = () => {
    if (game.wrong) throw game.wrong
  }

  return {
    begin: () => {
      failures.clear()
      longest = { ms: 0, name: '' }
    },
    failures: () => Object.fromEntries(failures),
    longestMs: () => longest.ms,
    goOn: async () => {
      const before = walkers.map(({ steps }) => steps)
      const behind = () =>
        walkers
          .filter(({ name, steps }, n) => steps < before[n]! + (name.startsWith('Device') ? 20 : 3))
          .map(({ name }) => name)
      await eventually(async () => {
        assertRight()
        return behind().length === 0
      }).catch((error: unknown) => {
        assertRight()
        assert.deepEqual(behind(), [], JSON.stringify(Object.fromEntries(failures)))
        throw error
      })
    },
    figures: () =>
      `longest pause ${(longest.ms / 1000).toFixed(1)} s (${longest.name}), not served: ${JSON.stringify(Object.fromEntries(failures))}; ` +
      `${walkers.reduce((sum, { steps }) => sum + steps, 0)} calls acknowledged and ${reads} readings so far`,
    end: async () => {
      game.isOver = true
      await Promise.all(running)
    },
    judge: async () => {
      assertRight()
      for (const { id, acknowledged, sent } of fleet) {
        const stored = await doors.samples(id, 'level')
        for (const [time, value] of stored) assert.equal(value, time)
        assert.ok(stored.size === acknowledged || stored.size === sent, `${id}: ${stored.size}, not ${acknowledged}`)
        for (let time = 1; time <= acknowledged; time += 1) assert.ok(stored.has(time), `${id}: ${time} is lost`)
      }
      for (const { name, judge } of loads)
        await judge().catch((cause: unknown) => {
          throw new Error(`${name}: ${(cause as Error).message}`, { cause })
        })
    },
  }
}

/** The code of a reply, with its message where that tells more. */
const reasonOf = (bytes: Buffer): string => {
  try {
    const { code, message } = JSON.parse(bytes.toString()) as { code: string; message: string }
    return code === 'database_away' ? code : `${code}: ${message}`
  } catch {
    return bytes.toString().slice(0, 300)
  }
}
