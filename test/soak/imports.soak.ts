// Nothing lost, nothing doubled, whoever is killed: this server, our database, or the external PostgreSQL and MariaDB, in
// the middle of a run or of its commit. After every run that succeeds the stored samples are those of one clean run,
// and after one that fails those of the last that succeeded.
//
//   ROUNDS   100 by default       SEED   plays the same game again
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPool } from '../../src/base/database/pool.ts'
import type { Pool } from '../../src/base/database/sql.ts'
import { newDirectory } from '../support/directory.ts'
import type { RunAnswer, ShownRun } from '../support/import.ts'
import { openMariadb } from '../support/mariadb.ts'
import type { Mariadb } from '../support/mariadb.ts'
import { openOwnDatabase } from '../support/own-database.ts'
import type { OwnDatabase } from '../support/own-database.ts'
import { openRandom } from '../support/random.ts'
import { startServer } from '../support/server-process.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { testMasterKey } from '../support/service.ts'
import { eventually } from '../support/within.ts'

const rounds = Number(process.env['ROUNDS'] ?? 100)
const meters = 20
const times = 200

type Plant = {
  readonly kind: 'postgresql' | 'mysql'
  readonly url: string
  readonly run: (statement: string) => Promise<unknown>
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
  /** The value of each meter and time that was committed last. */
  readonly model: Map<string, number>
}

const table = 'WITH (1 m STRING, 2 t LONG, 3 v DOUBLE)'
const insert = (cid: string) =>
  `INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT ${cid}, 'v', t, v FROM CSV_TABLE(@JDBC_RESULT) ${table};`
/** The ways of a sample into our database (core/sample/bulk.ts). */
const scripts = {
  gathered: insert('m'),
  placed: insert(`m + ''`),
  single: `${insert('m')} DELETE FROM SAMPLE WHERE CID = 'nobody' AND ID = 'nothing';`,
}

type Import = { readonly uid: string; readonly prefix: string; readonly plant: Plant; before: Map<string, number> }

describe('imports whose servers are killed', function () {
  this.timeout(7_200_000)
  let ours: OwnDatabase
  let sql: Pool
  let server: ServerProcess
  let session = ''
  const plants: Plant[] = []
  const closing: (() => Promise<unknown>)[] = []
  after(async () => {
    for (const close of closing.toReversed()) await close().catch(() => {})
  })

  const begin = async () => {
    server = await startServer({
      DATA_DIR: join(await newDirectory('imports-server')),
      DATABASE_URL: ours.url,
      MASTER_KEY: testMasterKey,
      OWNER_PASSWORD: 'password of the owner',
      OUTBOUND_ALLOW: '127.0.0.0/8',
    })
  }
  const ask = async <T>(method: string, path: string, input?: unknown): Promise<T> => {
    const body = input === undefined ? {} : { body: JSON.stringify(input) }
    const reply = await fetch(`${server.url}${path}?session=${session}`, { method, ...body })
    return (await reply.json()) as T
  }
  before(async () => {
    const directory = await newDirectory('imports')
    ours = await openOwnDatabase(join(directory, 'ours'))
    await ours.start()
    closing.push(() => ours.kill())
    sql = openPool(ours.url, { connections: 2, name: 'test' })
    closing.push(() => sql.end({ timeout: 1 }))
    const external = await openOwnDatabase(join(directory, 'external'))
    await external.start()
    closing.push(() => external.kill())
    plants.push(postgresqlPlant(external))
    const mariadb = await openMariadb()
    if (mariadb) {
      closing.push(() => mariadb.stop())
      plants.push(await mariadbPlant(mariadb))
    }
    for (const plant of plants) await fill(plant)
    await begin()
    closing.push(() => server.end('SIGTERM'))
    const login = { email: 'owner@localhost', password: 'password of the owner' }
    session = (await ask<{ sessionUid: string }>('POST', '/api/login', login)).sessionUid
  })

  it('have stored exactly what the last run that succeeded has read', async () => {
    const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
    const random = openRandom(seed)
    const { integer: below, pick } = random
    const imports = await makeImports()
    const tally = new Map<string, number>()
    const count = (what: string) => tally.set(what, (tally.get(what) ?? 0) + 1)
    for (let round = 0; round < rounds; round += 1) {
      const one = pick(imports)
      const { plant } = one
      await commit(plant, below)
      const [last] = await runs(one)
      const running = start(one)
      const killed = pick([
        [],
        ['this server'],
        ['our database'],
        ['the external database'],
        ['this server', 'our database'],
        ['the external database', 'our database'],
      ])
      await sleep(below(pick([50, 400, 1500])))
      await Promise.all(killed.map((name) => killers[name]!(plant)))
      const answer = await running
      await Promise.all([
        ...(killed.includes('our database') ? [ours.start()] : []),
        ...(killed.includes('the external database') ? [plant.start()] : []),
      ])
      if (killed.includes('this server')) await begin()
      const [ran] = await allEnded(one)
      const isStored = ran !== undefined && ran.uid !== last?.uid && ran.state === 'succeeded'
      const title = `round ${round}, ${one.prefix}, killed: ${killed.join(', ')}, SEED=${seed}: ${JSON.stringify(answer ?? ran)}`
      if (answer?.run) assert.equal(answer.success, isStored, title)
      if (killed.length === 0) assert.equal(isStored, true, title)
      if (isStored) one.before = new Map(plant.model)
      assert.deepEqual(await stored(one), sorted(one.before), title)
      count(`${plant.kind} ${killed.join(' and ') || 'nothing'}: ${isStored ? 'stored' : 'failed'}`)
    }
    for (const one of imports) {
      await eventually(async () => (await start(one))?.success === true)
      assert.deepEqual(await stored(one), sorted(one.plant.model), `the last run, SEED=${seed}`)
    }
    for (const line of Array.from(tally, ([what, often]) => `${what} ${often}\n`)) process.stdout.write(line)
  })

  const killers: Readonly<Record<string, (plant: Plant) => Promise<void>>> = {
    'this server': () => server.end('SIGKILL'),
    'our database': () => ours.kill(),
    'the external database': ({ kill }) => kill(),
  }

  const makeImports = async (): Promise<readonly Import[]> => {
    const { user } = await ask<{ user: { uid: string }[] }>('GET', '/api/user')
    const made: Import[] = []
    for (const plant of plants) {
      const { hostname, port, pathname, username, password } = new URL(plant.url)
      const { connection } = await ask<{ connection: { uid: string } }>('POST', '/api/connection', {
        name: plant.kind,
        kind: plant.kind,
        host: hostname,
        port: Number(port),
        database: pathname.slice(1),
        user: decodeURIComponent(username),
        password: decodeURIComponent(password) || 'none',
        tls: false,
      })
      for (const [name, ingestSql] of Object.entries(scripts)) {
        const prefix = `${plant.kind} ${name} `
        const reply = await ask<{ connector?: { uid: string } }>('POST', '/api/connector', {
          type: 'import',
          name: prefix,
          connectionUid: connection.uid,
          runningUserUid: user[0]!.uid,
          externalSql: `select concat('${prefix}', meter), at, v from reading order by meter, at`,
          ingestSql,
        })
        assert.ok(reply.connector, JSON.stringify(reply))
        made.push({ uid: reply.connector.uid, prefix, plant, before: new Map() })
      }
    }
    return made
  }
  /** Undefined: there was no answer. A run of before, that waited, may be under way. */
  const start = async ({ uid }: Import): Promise<Partial<RunAnswer> | undefined> =>
    ask<Partial<RunAnswer>>('POST', `/api/connector/${uid}/run`).catch(() => undefined)
  const runs = async ({ uid }: Import): Promise<readonly ShownRun[]> =>
    (await ask<{ run?: ShownRun[] }>('GET', `/api/connector/${uid}/run`).catch(() => undefined))?.run ?? []
  const allEnded = async (one: Import): Promise<readonly ShownRun[]> => {
    let found: readonly ShownRun[] = []
    await eventually(async () => (await fetch(`${server.url}/readyz`).catch(() => undefined))?.ok === true)
    await eventually(async () => {
      const isRunning = await isAnyClaimed().catch(() => true)
      const { run } = await ask<{ run?: ShownRun[] }>('GET', `/api/connector/${one.uid}/run`)
      found = run ?? []
      return run !== undefined && run.every(({ end, state }) => end !== null || (state === 'running' && !isRunning))
    })
    return found
  }
  /** A run whose server is gone is closed by the next one; until then its claim says that it is over. */
  const isAnyClaimed = async () => {
    const [row] = await sql<[{ isAny: boolean }]>`
      select exists (
        select from pg_locks
        where locktype = 'advisory' and classid::bigint = hashtext('coppice import')::bigint & 4294967295) as "isAny"`
    return row.isAny
  }
  const stored = async ({ prefix }: Import): Promise<readonly (readonly [string, number])[]> => {
    const ask1 = () => sql<{ name: string; ms: number; num: number }[]>`
      select component.id as name, (extract(epoch from time) * 1000)::bigint as ms, num
      from sample
      join stream on stream.key = stream_key
      join component on component.key = component_key
      where component.id like ${`${prefix}%`}`
    // A connection from before the database was killed is lost.
    const rows = await ask1().catch(() => ask1())
    return sorted(new Map(rows.map(({ name, ms, num }) => [`${name.slice(prefix.length)} ${ms}`, num])))
  }
})

const sorted = (map: ReadonlyMap<string, number>) => [...map].toSorted(([a], [b]) => (a < b ? -1 : 1))

const fill = async ({ run, model }: Plant): Promise<void> => {
  await run('create table reading (meter varchar(20), at bigint, v double precision, primary key (meter, at))')
  const values: string[] = []
  for (let meter = 0; meter < meters; meter += 1)
    for (let time = 1; time <= times; time += 1) {
      values.push(`('m${meter}', ${1000 * time}, ${time % 7})`)
      model.set(`m${meter} ${1000 * time}`, time % 7)
    }
  await run(`insert into reading values ${values.join(', ')}`)
}

/** Mostly there is something new; else the run gets the rows of the last one. */
const commit = async ({ run, model }: Plant, below: (end: number) => number): Promise<void> => {
  if (below(4) === 0) return
  for (let row = below(20); row >= 0; row -= 1) {
    const [meter, at, v] = [`m${below(meters + 2)}`, 1000 * (below(2 * times) + 1), below(100)]
    await run(`delete from reading where meter = '${meter}' and at = ${at}`)
    await run(`insert into reading values ('${meter}', ${at}, ${v})`)
    model.set(`${meter} ${at}`, v)
  }
}

const postgresqlPlant = ({ url, kill, start }: OwnDatabase): Plant => {
  let sql = openPool(url, { connections: 2, name: 'plant' })
  return {
    kind: 'postgresql',
    url,
    run: (statement) => sql.unsafe(statement),
    kill,
    start: async () => {
      await start()
      await sql.end({ timeout: 1 })
      sql = openPool(url, { connections: 2, name: 'plant' })
    },
    model: new Map(),
  }
}

const mariadbPlant = async ({ url, run, kill, start }: Mariadb): Promise<Plant> => {
  // A commit that was answered must outlast the process.
  const keep = () => run('set global innodb_flush_log_at_trx_commit = 2')
  await keep()
  return {
    kind: 'mysql',
    url,
    run: (statement) => run(statement),
    kill,
    start: async () => {
      await start()
      await keep()
    },
    model: new Map(),
  }
}
