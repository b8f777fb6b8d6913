// Three servers behind HAProxy on three nodes under Patroni (docs/scale.md), under load from beginning to end. A model
// knows what was acknowledged: no reply may show less, at whichever server and whichever node it was made.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestCluster } from '../support/cluster.ts'
import { openTestCluster } from '../support/cluster.ts'
import { serverApiKey } from '../support/server-process.ts'
import { skipWithout } from '../support/skip.ts'
import { eventually } from '../support/within.ts'

const devices = 6
const key = `api_key=${serverApiKey}`

/** A device sends one sample after the other, each until it is acknowledged; the value is the time. */
type Device = { readonly id: string; sent: number; acknowledged: number; acknowledgedAtMs: number }

describe('a cluster', function () {
  this.timeout(900_000)
  let cluster: TestCluster
  const game: { isOver: boolean; wrong?: Error } = { isOver: false }
  const assertRight = () => {
    if (game.wrong) throw game.wrong
  }
  const fleet = Array.from({ length: devices }, (_, n): Device => ({
    id: `Device-${n}`,
    sent: 0,
    acknowledged: 0,
    acknowledgedAtMs: 0,
  }))
  /** Replies other than 200, by status; 0 is a connection that was refused or lost. */
  let failures = new Map<number, number>()
  let longestMs = 0
  let reads = 0
  const load: Promise<void>[] = []
  before(async function () {
    cluster =
      (await openTestCluster({ RATE_LIMITS: 'feed=100000000/60,property=60/3600' })) ??
      skipWithout(this, 'Patroni, etcd and HAProxy')
    const note = (error: Error) => {
      game.wrong ??= error
      game.isOver = true
    }
    for (const device of fleet) for (const work of [upload, readLast, readCount]) load.push(work(device).catch(note))
    await allStored()
    assertRight()
  })
  afterEach(() => assertRight())
  after(async () => {
    game.isOver = true
    await Promise.all(load)
    await cluster?.close()
  })

  /** Undefined where there was no answer, or one that says to come again. */
  const call = async (method: string, path: string): Promise<Response | undefined> => {
    const reply = await fetch(`${cluster.url}${path}`, { method, signal: AbortSignal.timeout(60_000) }).catch(() => {})
    const status = reply?.status ?? 0
    if (status === 200) return reply!
    failures.set(status, (failures.get(status) ?? 0) + 1)
    const text = await reply?.text()
    assert.ok([0, 502, 503, 504].includes(status), `${method} ${path}: ${status} ${text}`)
    if (status === 503) assert.match(reply!.headers.get('retry-after') ?? '', /^\d+$/)
    await sleep(100)
    return undefined
  }
  const upload = async (device: Device) => {
    while (!game.isOver) {
      device.sent = device.acknowledged + 1
      const path = `/api/feed?compId=${device.id}&level=${device.sent}&time=${device.sent}&${key}`
      const reply = await call('PUT', path)
      if (reply === undefined) continue
      await reply.arrayBuffer()
      const nowMs = performance.now()
      if (device.acknowledgedAtMs > 0) longestMs = Math.max(longestMs, nowMs - device.acknowledgedAtMs)
      device.acknowledgedAtMs = nowMs
      device.acknowledged = device.sent
    }
  }
  const readLast = (device: Device) =>
    readOn(device, `/api/comp/${device.id}/last_value?${key}`, ([last]) => last?.data ?? 0)
  const readCount = (device: Device) =>
    readOn(device, `/api/comp/${device.id}/stream/level/cycle/day/stat/nongapcount/feed?${key}`, (days) =>
      days.reduce((sum, { data }) => sum + data, 0),
    )
  const readOn = async (device: Device, path: string, read: (items: readonly { data: number }[]) => number) => {
    while (!game.isOver) {
      const { acknowledged } = device
      if (acknowledged === 0) {
        await sleep(100)
        continue
      }
      const reply = await call('GET', path)
      if (reply === undefined) continue
      const found = read((await reply.json()) as readonly { data: number }[])
      assert.ok(
        found >= acknowledged && found <= device.sent,
        `${path}: ${found}, not ${acknowledged} to ${device.sent}`,
      )
      reads += 1
    }
  }
  const nodes = [1, 2, 3]
  const primary = async (): Promise<number> => {
    const roles = await Promise.all(nodes.map((n) => cluster.roleOf(n)))
    return nodes[roles.findIndex((role) => role === 'primary' || role === 'master')] ?? 0
  }
  const allFollow = () =>
    eventually(async () => {
      const roles = await Promise.all(nodes.map((n) => cluster.roleOf(n)))
      return roles.filter((role) => role === 'replica').length === 2
    })
  const allStored = async () => {
    const counts = fleet.map(({ acknowledged }) => acknowledged)
    await eventually(async () => game.isOver || fleet.every(({ acknowledged }, n) => acknowledged > counts[n]! + 20))
  }
  const begin = () => {
    failures = new Map()
    longestMs = 0
  }
  const figures = () =>
    `longest pause ${(longestMs / 1000).toFixed(1)} s, ${JSON.stringify(Object.fromEntries(failures))} not served, ` +
    `${fleet.reduce((sum, { acknowledged }) => sum + acknowledged, 0)} uploads and ${reads} readings so far`

  const metric = async (server: number, pattern: RegExp): Promise<number> => {
    const text = await (await fetch(`${cluster.serverUrl(server)}/metrics`)).text()
    return Number(pattern.exec(text)?.[1] ?? 'NaN')
  }

  /** As deploy/cluster/cluster.sh counts them from HAProxy's. */
  const portOfNode = (node: number) => Number(new URL(cluster.url).port) + 100 + node

  it('answers readings at standbys', async () => {
    for (const server of nodes)
      await eventually(async () => (await metric(server, /^coppice_routed_readings\{to="standby"\} (\d+)/m)) > 20)
  })

  it('goes on within 30 s when the primary is killed, and has all that was acknowledged', async () => {
    const former = await primary()
    assert.notEqual(former, 0)
    begin()
    await cluster.run('kill', 'node', String(former))
    await eventually(async () => {
      const now = await primary()
      return now !== 0 && now !== former
    })
    await allStored()
    process.stdout.write(`    primary killed: ${figures()}\n`)
    assert.ok(longestMs < 30_000, figures())
    await cluster.run('start', 'node', String(former))
    await allFollow()
    await allStored()
  })

  it('goes on when PostgreSQL alone is killed', async () => {
    begin()
    await cluster.run('kill', 'postgres', String(await primary()))
    await allStored()
    process.stdout.write(`    PostgreSQL killed: ${figures()}\n`)
    await allFollow()
  })

  const restartServers = async () => {
    for (const n of nodes) {
      await cluster.run('stop', 'server', String(n))
      await allStored()
      await cluster.run('start', 'server', String(n))
      await eventually(
        async () => (await fetch(`${cluster.serverUrl(n)}/readyz`).catch(() => undefined))?.status === 200,
      )
      // HAProxy looks once a second.
      await sleep(3000)
    }
  }

  it('replaces its servers one by one without a failed request', async () => {
    begin()
    await restartServers()
    process.stdout.write(`    servers restarted: ${figures()}\n`)
    assert.deepEqual([...failures], [])
  })

  it('takes a server more, and gives it up again, without a failed request', async () => {
    begin()
    await cluster.run('start', 'server', '4')
    await eventually(
      async () => (await metric(4, /^coppice_http_request_seconds_count\{.*feed.* (\d+)$/m).catch(() => 0)) > 10,
    )
    await cluster.run('stop', 'server', '4')
    await allStored()
    assert.deepEqual([...failures], [])
  })

  it('takes a standby more, reads there, and gives it up again, without a failed request', async () => {
    begin()
    await cluster.run('start', 'node', '4')
    await eventually(async () => (await cluster.roleOf(4)) === 'replica')
    // Servers learn of it when they are started.
    await restartServers()
    const lag = new RegExp(`^coppice_standby_lag_bytes\\{standby="[^"]*:${portOfNode(4)}"\\} (\\d+)`, 'm')
    for (const n of nodes) await eventually(async () => (await metric(n, lag)) >= 0)
    await cluster.run('stop', 'node', '4')
    await allStored()
    assert.deepEqual([...failures], [])
  })

  it('limits calls across its servers as one server would', async () => {
    let passed = 0
    for (let n = 0; n < 120; n += 1) {
      const reply = await fetch(`${cluster.url}/api/comp/Device-0/property?name&${key}`)
      await reply.arrayBuffer()
      // The key has no right to it, which is looked at after the limit.
      assert.ok([403, 429].includes(reply.status), String(reply.status))
      if (reply.status === 403) passed += 1
      await sleep(50)
    }
    // Servers report to each other twice a second: a second's calls may pass beyond the limit, 20 by this pace.
    process.stdout.write(`    ${passed} calls passed of a limit of 60\n`)
    assert.ok(passed >= 60 && passed <= 80, `${passed} passed of 60`)
  })

  it('has every sample that was acknowledged, in order and with its value', async () => {
    game.isOver = true
    await Promise.all(load)
    for (const { id, acknowledged } of fleet) {
      const times: number[] = []
      for (let ed = acknowledged + 1; ed > 1;) {
        const reply = await fetch(`${cluster.url}/api/comp/${id}/stream/level/feed?ed=${ed}&limit=1000&${key}`)
        const samples = (await reply.json()) as readonly { time: number; data: number }[]
        for (const { time, data } of samples) assert.equal(data, time)
        times.push(...samples.map(({ time }) => time))
        ed = Math.min(...times)
      }
      assert.equal(new Set(times).size, acknowledged)
    }
  })
})
