// DATABASE_URL and DATABASE_READ_URL with several hosts (docs/scale.md): readings at a standby show what was written a
// moment ago; the primary is killed, the standby takes its place, and the former comes back as if it still were the
// primary. With Patroni and HAProxy around it: npm run soak -- cluster.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { migrate } from '../../src/base/database/migrate.ts'
import { lookAsUser, nodeOf } from '../../src/base/database/node.ts'
import { onOwnConnection, openPool } from '../../src/base/database/pool.ts'
import { transaction } from '../../src/base/database/sql.ts'
import { waitForDatabase } from '../../src/base/database/wait.ts'
import { readConfig } from '../../src/base/config.ts'
import type { Fault } from '../../src/base/errors.ts'
import { emptyRows, noRows, pushRow } from '../../src/core/sample/rows.ts'
import { Writer } from '../../src/core/sample/writer.ts'
import { openScriptPool } from '../../src/gsql/run/script-pool.ts'
import type { Service } from '../../src/service.ts'
import { openService } from '../../src/service.ts'
import { quietLog } from '../support/database.ts'
import type { OwnDatabase } from '../support/own-database.ts'
import { testMasterKey } from '../support/service.ts'
import { eventually } from '../support/within.ts'
import { openTwoHosts, ownerPassword } from './two-hosts.ts'

/** One address for several servers, which have connections in turn. */
const openTurns = async (urls: readonly string[]) => {
  const sockets = new Set<Socket>()
  let turn = 0
  const server = createServer((client) => {
    const { hostname, port } = new URL(urls[turn % urls.length]!)
    turn += 1
    const upstream = connect(Number(port), hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {}).on('data', (chunk) => void to.write(chunk))
      from.on('close', () => void (sockets.delete(from), to.destroy()))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: Object.assign(new URL(urls[0]!), { host: `127.0.0.1:${port}` }).href,
    turns: () => turn,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

const apiKey = 'key-of-the-failover'

describe('several hosts of a database', function () {
  this.timeout(240_000)
  let first: OwnDatabase
  let standby: OwnDatabase
  let service: Service
  /** Another server on the same databases. */
  let second: Service
  let url: string
  before(async () => {
    const opened = await openTwoHosts('failover', apiKey, 'at the standby')
    ;({ first, standby, url, service } = opened)
    second = await opened.openAnother()
  })
  after(async () => {
    await Promise.all([service?.close(), second?.close()])
    await Promise.all([first?.stop(), standby?.stop()])
  })

  const portIn = async (databaseUrl: string): Promise<number> => {
    const sql = openPool(databaseUrl, { connections: 2, name: 'test' })
    try {
      const [row] = await sql<[{ port: number }]>`select inet_server_port() as port`
      return row.port
    } finally {
      await sql.end({ timeout: 1 })
    }
  }
  const portOf = (database: OwnDatabase) => Number(new URL(database.url).port)
  const put = (timeMs: number) =>
    fetch(`${service.url}/api/feed?compId=Boiler&temp=${timeMs}&time=${timeMs}&api_key=${apiKey}`, { method: 'PUT' })
  const readTimes = async (): Promise<readonly number[]> => {
    const times: number[] = []
    for (let ed = 1_000_000; ;) {
      const reply = await fetch(`${service.url}/api/comp/Boiler/feed?ed=${ed}&limit=1000&api_key=${apiKey}`)
      assert.equal(reply.status, 200)
      const samples = (await reply.json()) as readonly { time: number; data: number }[]
      for (const { time, data } of samples) assert.equal(data, time)
      times.push(...samples.map(({ time }) => time))
      if (samples.length < 1000) return times
      ed = Math.min(...times)
    }
  }

  it('are searched for the primary, wherever it stands in the list', async () => {
    assert.equal(await portIn(url), portOf(first))
    await waitForDatabase(url, () => {})
    assert.deepEqual((await migrate(url, quietLog)).applied, [])
  })

  it('make a standby alone no database to write to', async () => {
    await assert.rejects(portIn(standby.url), { code: '25006' })
  })

  const metric = async ({ url: address }: Service, name: string): Promise<number> => {
    const text = await (await fetch(`${address}/metrics`)).text()
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(name))
        ?.split(' ')
        .at(-1),
    )
  }
  const readAtStandby = (server: Service) => metric(server, 'coppice_routed_readings{to="standby"}')
  const lastValue = async ({ url: address }: Service, id: string): Promise<unknown> => {
    const reply = await fetch(`${address}/api/comp/${id}/last_value?api_key=${apiKey}`)
    assert.equal(reply.status, 200)
    return ((await reply.json()) as readonly { data: unknown }[])[0]?.data
  }
  const store = async (id: string, value: number) => {
    const address = `${service.url}/api/feed?compId=${id}&level=${value}&time=${value}&api_key=${apiKey}`
    assert.equal((await fetch(address, { method: 'PUT' })).status, 200)
  }

  it('show at a standby what was written a moment ago, at this server and at another', async () => {
    await store('Tank', 1)
    await eventually(async () => {
      await lastValue(second, 'Tank')
      return (await readAtStandby(second)) > 0
    })
    for (let value = 2; value < 100; value += 1) {
      await store('Tank', value)
      assert.equal(await lastValue(value % 2 === 0 ? service : second, 'Tank'), value)
    }
    assert.ok((await readAtStandby(service)) + (await readAtStandby(second)) > 50)
  })

  it('read at the primary while the standby is behind, and show by how much', async () => {
    await standby.ask('select pg_wal_replay_pause()')
    await eventually(async () => {
      const [row] = await standby.ask('select pg_get_wal_replay_pause_state() as state')
      return row!['state'] === 'paused'
    })
    await store('Tank', 100)
    assert.equal(await lastValue(service, 'Tank'), 100)
    assert.equal(await lastValue(second, 'Tank'), 100)
    assert.ok((await metric(service, 'coppice_standby_lag_bytes')) > 0)
    await standby.ask('select pg_wal_replay_resume()')
    const before = await readAtStandby(service)
    await eventually(async () => {
      assert.equal(await lastValue(service, 'Tank'), 100)
      return (await readAtStandby(service)) > before
    })
  })

  it('read on at the primary when the standby is killed, and at the standby when it is back', async () => {
    const game = { isOver: false }
    let replies = 0
    const read = async () => {
      while (!game.isOver) {
        assert.equal(await lastValue(service, 'Tank'), 100)
        replies += 1
      }
    }
    const readers = Array.from({ length: 4 }, read)
    await eventually(async () => replies > 20)
    await standby.kill()
    const killed = replies
    await eventually(async () => replies > killed + 50)
    await standby.start()
    const before = await readAtStandby(service)
    await eventually(async () => (await readAtStandby(service)) > before)
    game.isOver = true
    await Promise.all(readers)
  })

  const signIn = async (): Promise<string> => {
    const signedIn = await fetch(`${service.url}/api/login`, {
      method: 'POST',
      body: JSON.stringify({ email: 'owner@localhost', password: ownerPassword }),
    })
    return ((await signedIn.json()) as { sessionUid: string }).sessionUid
  }

  it('show lists, files and the rows of scripts at a standby, and a new thing in them at once', async () => {
    const sessionUid = await signIn()
    const ask = async <T>(path: string): Promise<T> => {
      const reply = await fetch(`${service.url}${path}&session=${sessionUid}`)
      assert.equal(reply.status, 200, path)
      return (await reply.json()) as T
    }
    const routed = async (work: () => Promise<void>) => {
      const before = await readAtStandby(service)
      await work()
      assert.ok((await readAtStandby(service)) > before)
    }
    for (let n = 0; n < 5; n += 1) {
      const id = `Listed-${n}`
      await store(id, 1)
      await routed(async () => {
        const { component } = await ask<{ component: readonly { id: string }[] }>(`/api/component?text=${id}`)
        assert.deepEqual(
          component.map((each) => each.id),
          [id],
        )
      })
      await routed(async () => {
        const script = encodeURIComponent(`SELECT lastValue FROM Stream WHERE cid = '${id}' AND id = 'level'`)
        const { rows } = await ask<{ rows: readonly (readonly unknown[])[] }>(`/api/gql?s=${script}`)
        assert.deepEqual(rows.flat().map(Number), [1])
      })
      const file = `${service.url}/api/comp/${id}/stream/log/feed/file/log.txt?api_key=${apiKey}`
      assert.equal((await fetch(file, { method: 'PUT', body: id })).status, 200)
      await routed(async () => assert.equal(await (await fetch(file)).text(), id))
    }
  })

  it('give charts, exports and trials of expressions at the primary where the standby ends them', async () => {
    const sessionUid = await signIn()
    await store('Drum', 100)
    const trial = {
      expression: 'level + 1',
      variables: [{ name: 'level', componentId: 'Drum', streamId: 'level' }],
      from: 0,
      to: 1000,
    }
    const calls = [
      () => fetch(`${service.url}/api/comp/Drum/stream/level/chart?sd=0&ed=1000&session=${sessionUid}`),
      () => fetch(`${service.url}/api/export?session=${sessionUid}`),
      () =>
        fetch(`${service.url}/api/stream/derive_test?session=${sessionUid}`, {
          method: 'POST',
          body: JSON.stringify(trial),
        }),
    ]
    const readers = `from pg_stat_activity where application_name = 'coppice reader' and wait_event_type = 'Lock'`
    const waits = async (database: OwnDatabase) => (await database.ask(`select ${readers}`)).length > 0
    const locking = openPool(first.url, { connections: 2, name: 'test' })
    /** Whether it was at the standby, where its reading is ended. */
    const endAtStandby = async (ask: () => Promise<Response>, expected: string): Promise<boolean> => {
      let reply: Promise<Response>
      // A lock of the primary is one of the standby, too: what is read there stands still.
      const wasThere = await transaction(locking, async (sql) => {
        await sql`lock table stream in access exclusive mode`
        await eventually(async () => {
          const held = "select from pg_locks where mode = 'AccessExclusiveLock' and locktype = 'relation' and granted"
          return (await standby.ask(held)).length > 0
        })
        reply = ask()
        await eventually(async () => (await waits(standby)) || (await waits(first)))
        if (!(await waits(standby))) return false
        await standby.ask(`select pg_terminate_backend(pid) ${readers}`)
        await eventually(() => waits(first))
        return true
      })
      assert.equal((await reply!).status, 200)
      assert.equal(await (await reply!).text(), expected)
      return wasThere
    }
    for (const call of calls) {
      const expected = await (await call()).text()
      assert.match(expected, /100|101/)
      await eventually(() => endAtStandby(call, expected))
    }
    await locking.end({ timeout: 1 })
  })

  it('are asked by their user, and scripts keep the role that sees only their views', async () => {
    const { sql } = openScriptPool(standby.url, readConfig({}), true)
    const found = await onOwnConnection(sql, undefined, async (own) => {
      const { system } = await nodeOf(standby.url).ask()
      const { shows, server } = await lookAsUser(own, { system, timeline: 1, position: 0 })
      const behind = await lookAsUser(own, { system, timeline: 1, position: 2 ** 50 })
      const elsewhere = await lookAsUser(own, { system: '1', timeline: 1, position: 0 })
      const [row] = await own<[{ role: string }]>`select current_user as role`
      return [shows, server.includes(String(portOf(standby))), behind.shows, elsewhere.shows, row.role]
    })
    assert.deepEqual(found, [true, true, false, false, 'coppice_gsql'])
    await sql.end({ timeout: 1 })
  })

  it('run a script whose connections came to two servers by one name at the primary', async () => {
    const sessionUid = await signIn()
    await store('Drum', 100)
    const relay = await openTurns([standby.url, first.url])
    const config = readConfig({ PORT: '0', RATE_LIMITS: 'off', DATABASE_URL: url, DATABASE_READ_URL: relay.url })
    const clock = { now: () => Date.now() }
    const third = await openService({ config, databaseUrl: url, masterKey: testMasterKey, clock, log: quietLog })
    try {
      const script = encodeURIComponent(
        "SELECT sample(cycleId='day', stat='max') FROM Stream WHERE cid = 'Drum' AND id = 'level'",
      )
      const before = relay.turns()
      await eventually(async () => {
        const reply = await fetch(`${third.url}/api/gql?s=${script}&session=${sessionUid}`)
        const text = await reply.text()
        assert.equal(reply.status, 200, text)
        assert.match(text, /100/)
        // One of the script, one of its statistics, and more.
        return (await readAtStandby(third)) > 2 && relay.turns() > before + 2
      })
    } finally {
      await third.close()
      await relay.close()
    }
  })

  it('are not said to have a sample of which no standby is known to have it', async () => {
    await first.ask("alter system set synchronous_standby_names = '*'")
    await first.ask('select pg_reload_conf()')
    await eventually(async () => {
      const waiting = "select from pg_stat_replication where sync_state = 'sync'"
      return (await first.ask(waiting)).length > 0
    })
    await standby.freeze()
    // The first upload makes the component, on another connection than those that follow.
    for (const name of ['coppice', 'coppice writer']) {
      const unknown = put(3_000_000)
      const cancelled = `
        select pg_cancel_backend(pid) from pg_stat_activity
        where application_name = '${name}' and wait_event = 'SyncRep'`
      await eventually(async () => (await first.ask(cancelled)).length > 0)
      assert.equal((await unknown).status, 503)
    }
    const cancel = async (name: string) =>
      eventually(async () => {
        const cancelled = `
          select pg_cancel_backend(pid) from pg_stat_activity
          where application_name = '${name}' and wait_event = 'SyncRep'`
        return (await first.ask(cancelled)).length > 0
      })
    // A statement without a transaction is committed when the driver has been answered already.
    const single = assert.rejects(Promise.resolve(service.world.sql`update organization set name = name`), {
      code: '08007',
    })
    await cancel('coppice')
    await single
    // Two calls of one group: neither is stored again by itself, which would wait for the standby as well.
    const writer = new Writer({ databaseUrl: url, lanes: 1, onChange: () => {} })
    const rows = (timeMs: number) => {
      const made = emptyRows()
      pushRow(made, 1_000_000, null, timeMs, 'DOUBLE', 1)
      return {
        organizationKey: 1,
        components: [],
        at: { serial: Number.MAX_SAFE_INTEGER },
        appends: made,
        merges: noRows,
        points: noRows,
      }
    }
    const outcomes = Promise.allSettled([writer.write(rows(1)), writer.write(rows(2))])
    await cancel('coppice writer')
    assert.deepEqual(
      (await outcomes).map((outcome) => outcome.status === 'rejected' && (outcome.reason as Fault).code),
      ['database_away', 'database_away'],
    )
    await writer.close()
    await standby.thaw()
  })

  it('lose no acknowledged sample when the primary is killed, and go on with the one that follows it', async () => {
    const acknowledged = new Set<number>()
    let timeMs = 0
    const game = { isOver: false }
    const statuses = new Set<number>()
    const upload = async () => {
      while (!game.isOver) {
        const at = (timeMs += 1)
        const reply = await put(at)
        statuses.add(reply.status)
        if (reply.status === 200) acknowledged.add(at)
        else assert.match(reply.headers.get('retry-after') ?? '', /^\d+$/)
        await reply.arrayBuffer()
      }
    }
    const uploads = Array.from({ length: 8 }, upload)
    await eventually(async () => acknowledged.size > 100)
    await first.kill()
    await eventually(async () => statuses.has(503))
    // Nobody is there to follow it, and commits would wait for such a one.
    await standby.ask("alter system set synchronous_standby_names = ''")
    await standby.ask('select pg_promote()')
    const before = acknowledged.size
    await eventually(async () => acknowledged.size > before + 100)
    game.isOver = true
    await Promise.all(uploads)
    assert.deepEqual(
      [...statuses].toSorted((a, b) => a - b),
      [200, 503],
    )
    const stored = new Set(await readTimes())
    assert.deepEqual(
      [...acknowledged].filter((at) => !stored.has(at)),
      [],
    )
  })

  it('never go back to the former primary', async () => {
    await first.start()
    assert.deepEqual(await first.ask('select pg_is_in_recovery() as standby'), [{ standby: false }])
    for (let n = 0; n < 5; n += 1) assert.equal(await portIn(url), portOf(standby))
    // It has been asked, and has said that it is the primary.
    await eventually(async () => {
      const asked = `select from pg_stat_activity where application_name = 'coppice node' and state = 'idle'`
      return (await first.ask(asked)).length > 0
    })
    assert.equal((await put(2_000_000)).status, 200)
    assert.equal(await portIn(url), portOf(standby))
  })
})
