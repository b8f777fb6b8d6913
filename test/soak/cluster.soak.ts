// Three servers behind HAProxy on three nodes under Patroni (docs/scale.md), under load from beginning to end
// (cluster-load.ts). A model knows what was acknowledged: no reply may show less, at whichever server and whichever node it
// was made. Nothing starts a server again that has ended, so each is looked at after every event.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'mocha'
import type { TestCluster } from '../support/cluster.ts'
import { openTestCluster } from '../support/cluster.ts'
import { serverApiKey } from '../support/server-process.ts'
import { skipWithout } from '../support/skip.ts'
import type { VersionBefore } from '../support/version-before.ts'
import { buildVersionBefore } from '../support/version-before.ts'
import { eventually } from '../support/within.ts'
import type { ClusterLoad } from './cluster-load.ts'
import { openLoad, ownerPassword } from './cluster-load.ts'

const key = `api_key=${serverApiKey}`
const nodes = [1, 2, 3]
/** All calls but those whose limit is tried. */
const limits = 'feed=100000000/60,file=100000000/60,property=60/3600'

const open = async (context: Context, environment: Readonly<Record<string, string>> = {}) => {
  const cluster =
    (await openTestCluster({ RATE_LIMITS: limits, OWNER_PASSWORD: ownerPassword, ...environment })) ??
    skipWithout(context, 'Patroni, etcd and HAProxy')
  const isReady = async (n: number) =>
    (await fetch(`${cluster.serverUrl(n)}/readyz`).catch(() => undefined))?.status === 200
  const pids = new Map<number, number | undefined>()
  const notePid = async (n: number) => void pids.set(n, await cluster.pidOf(`server${n}`))
  for (const n of nodes) await notePid(n)
  let load: ClusterLoad
  try {
    load = await openLoad(cluster.url)
  } catch (error) {
    await cluster.close()
    throw error
  }

  /** Each is the process that was started, and serves. */
  const assertServersStand = async () => {
    for (const [n, pid] of pids) {
      assert.equal(
        await cluster.pidOf(`server${n}`),
        pid,
        `server ${n} has ended: ${await cluster.logOf(`server${n}`)}`,
      )
      await eventually(() => isReady(n)).catch(() => assert.fail(`server ${n} is not ready`))
    }
  }
  return {
    cluster,
    load,
    /** Plays an event; then all goes on, and all servers stand. */
    play: async (name: string, event: () => Promise<void>) => {
      load.begin()
      await event()
      await load.goOn()
      process.stdout.write(`    ${name}: ${load.figures()}\n`)
      await assertServersStand()
    },
    /** Stops servers and starts them again, one by one, by another program where it is given. */
    replaceServers: async (variables: Readonly<Record<string, string>> = {}) => {
      for (const n of nodes) {
        await cluster.run('stop', 'server', String(n))
        await load.goOn()
        await cluster.runWith(variables, 'start', 'server', String(n))
        await notePid(n)
        await eventually(() => isReady(n))
        // HAProxy looks once a second.
        await sleep(3000)
        await load.goOn()
      }
    },
    assertServed: () => assert.deepEqual(load.failures(), {}),
    /** No call has failed in another way. */
    assertAtMost: (failure: string) =>
      assert.deepEqual(
        Object.keys(load.failures()).filter((found) => !found.endsWith(`: ${failure}`)),
        [],
      ),
    close: async () => {
      await load.end()
      await cluster.close()
    },
  }
}

describe('a cluster', function () {
  this.timeout(900_000)
  let here: Awaited<ReturnType<typeof open>>
  let cluster: TestCluster
  before(async function () {
    here = await open(this)
    cluster = here.cluster
    await here.load.goOn()
  })
  after(() => here?.close())

  const primary = async (): Promise<number> => {
    const roles = await Promise.all(nodes.map((n) => cluster.roleOf(n)))
    return nodes[roles.findIndex((role) => role === 'primary' || role === 'master')] ?? 0
  }
  const allFollow = () =>
    eventually(async () => {
      const roles = await Promise.all(nodes.map((n) => cluster.roleOf(n)))
      return roles.filter((role) => role === 'replica').length === 2
    })
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

  it('goes on within 30 s when the primary is killed, and answers 503 with Retry-After until then', async () => {
    const former = await primary()
    assert.notEqual(former, 0)
    await here.play('primary killed', async () => {
      await cluster.run('kill', 'node', String(former))
      await eventually(async () => {
        const now = await primary()
        return now !== 0 && now !== former
      })
    })
    assert.ok(here.load.longestMs() < 30_000, here.load.figures())
    here.assertAtMost('503 database_away')
    await here.play('the killed node comes back', async () => {
      await cluster.run('start', 'node', String(former))
      await allFollow()
    })
    here.assertServed()
  })

  it('goes on when PostgreSQL alone is killed', async () => {
    await here.play('PostgreSQL killed', async () => cluster.run('kill', 'postgres', String(await primary())))
    here.assertAtMost('503 database_away')
    await allFollow()
  })

  it('replaces its servers one by one without a failed request', async () => {
    await here.play('servers restarted', () => here.replaceServers())
    here.assertServed()
  })

  it('takes a server more, and gives it up again, without a failed request', async () => {
    await here.play('a server added and removed', async () => {
      await cluster.run('start', 'server', '4')
      await eventually(
        async () => (await metric(4, /^coppice_http_request_seconds_count\{.*feed.* (\d+)$/m).catch(() => 0)) > 10,
      )
      await here.load.goOn()
      await cluster.run('stop', 'server', '4')
    })
    here.assertServed()
  })

  /** Rows of our tables that readings have read at a node: servers ask a standby for its state by functions alone. */
  const rowsRead = async (node: number): Promise<number> => {
    const [row] = await cluster.ask(
      node,
      'select coalesce(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)), 0)::integer as n from pg_stat_user_tables',
    )
    return row!['n'] as number
  }

  it('takes a standby more, reads there, and gives it up again, without a failed request', async () => {
    await here.play('a standby added and removed', async () => {
      await cluster.run('start', 'node', '4')
      await eventually(async () => (await cluster.roleOf(4)) === 'replica')
      const before = await rowsRead(4)
      await here.load.goOn()
      assert.equal(await rowsRead(4), before, 'a server reads where it does not know of')
      // Servers learn of it when they are started.
      await here.replaceServers()
      const lag = new RegExp(`^coppice_standby_lag_bytes\\{standby="[^"]*:${portOfNode(4)}"\\} (\\d+)`, 'm')
      for (const n of nodes) await eventually(async () => (await metric(n, lag)) >= 0)
      await eventually(async () => (await rowsRead(4)) > before + 100)
      await cluster.run('stop', 'node', '4')
    })
    here.assertServed()
  })

  it('limits calls across its servers as one server would', async () => {
    const property = async (url: string): Promise<boolean> => {
      const reply = await fetch(`${url}/api/comp/Device-0/property?name&${key}`)
      await reply.arrayBuffer()
      // The key has no right to it, which is looked at after the limit.
      assert.ok([403, 429].includes(reply.status), String(reply.status))
      return reply.status === 403
    }
    let passed = 0
    for (let n = 0; n < 120; n += 1) {
      if (await property(cluster.url)) passed += 1
      await sleep(50)
    }
    // Servers report to each other twice a second, and no call waits for that: a second's calls may pass beyond the limit,
    // 20 by this pace.
    process.stdout.write(`    ${passed} calls passed of a limit of 60\n`)
    assert.ok(passed >= 60 && passed <= 80, `${passed} passed of 60`)
    for (let n = 0; n < 30; n += 1)
      assert.equal(await property(cluster.url), false, 'a call passed after the last report')
  })

  it('has all that was acknowledged, in order and with its value, and nothing by half', async () => {
    await here.load.end()
    await here.load.judge()
  })
})

describe('a cluster of the version before', function () {
  this.timeout(900_000)
  let here: Awaited<ReturnType<typeof open>>
  let version: VersionBefore
  before(async function () {
    version = (await buildVersionBefore()) ?? skipWithout(this, 'the history of the repository, as a clone has it')
    here = await open(this, { COPPICE: version.program })
    await here.load.goOn()
  })
  after(() => here?.close())

  it('is upgraded to this one, server by server, without a failed request', async () => {
    await here.play(`upgraded from ${version.commit.slice(0, 8)}`, () => here.replaceServers({ COPPICE: '' }))
    if (version.tellsProxies) here.assertServed()
    // Its servers close connections on which HAProxy may be sending (docs/scale.md#running-it-with-patroni).
    else here.assertAtMost('lost, UND_ERR_SOCKET')
    const [row] = await here.cluster.ask(1, 'select array_agg(name order by id) as names from migration')
    assert.deepEqual((row!['names'] as readonly string[]).slice(-version.migrations.length), version.migrations)
  })

  it('has all that was acknowledged before, meanwhile and after', async () => {
    await here.load.end()
    await here.load.judge()
  })
})
