// Mixed load under which the server, one of its workers and PostgreSQL are killed with -9, over and over: what was
// acknowledged is there, nothing is there by half, statistics and derived streams are those of the samples, and imports
// neither skip nor double. Each kind of load is a file of test/fault/loads. `npm run soak -- faults` plays 50 rounds of
// each kill, or ROUNDS, or as many as MINUTES allow.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openPool } from '../../src/base/database/pool.ts'
import { openEmptyDatabase } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import { freePort } from '../support/free-port.ts'
import { targetFrom } from '../support/outbound.ts'
import type { OwnDatabase } from '../support/own-database.ts'
import { openOwnDatabase } from '../support/own-database.ts'
import type { Random } from '../support/random.ts'
import { withSeed } from '../support/random.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { serverApiKey, startServer } from '../support/server-process.ts'
import { openMinutes, shortOrLong } from '../support/soak.ts'
import { eventually } from '../support/within.ts'
import { deletions, derivations } from './loads/derivations.ts'
import { files } from './loads/files.ts'
import { forms } from './loads/forms.ts'
import { history } from './loads/history.ts'
import { imports } from './loads/imports.ts'
import type { Body, Doors, Load, More, Owner } from './loads/load.ts'
import { messages } from './loads/messages.ts'
import { sinkCalls } from './loads/sinks.ts'
import { transfers } from './loads/transfers.ts'
import { appends, arrays, creations, overwrites } from './loads/uploads.ts'

const rounds = shortOrLong(1, Number(process.env['ROUNDS'] ?? 50))
/** No round begins after so many minutes. */
const minutes = shortOrLong(60, Number(process.env['MINUTES'] ?? 600))

describe('mixed load, while things are killed', function () {
  this.timeout(shortOrLong(300_000, 4 * 3_600_000))
  let directory: string
  let database: OwnDatabase
  let external: Awaited<ReturnType<typeof openEmptyDatabase>>
  let server: ServerProcess
  let session = ''
  let mqttPort = 0
  const start = async () => {
    server = await startServer({
      DATA_DIR: join(directory, 'server'),
      DATABASE_URL: database.url,
      WORKERS: '2',
      MQTT_PORT: String(mqttPort),
      OWNER_PASSWORD: 'password of the owner',
      OUTBOUND_ALLOW: '127.0.0.0/8,::1/128',
    })
  }
  before(async () => {
    directory = await newDirectory('mixed')
    external = await openEmptyDatabase()
    mqttPort = await freePort()
    database = await openOwnDatabase(join(directory, 'postgres'))
    await database.start()
    await start()
    const login = { email: 'owner@localhost', password: 'password of the owner' }
    session = ((await doors.ask('POST', '/api/login', login)) as { sessionUid: string }).sessionUid
  })
  after(async () => {
    await server?.end('SIGTERM')
    await database?.stop()
    await external?.drop()
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })

  /** Undefined when nobody answered, or with 503. */
  const reach = async (method: string, path: string, body?: Body, headers: More['headers'] = {}) => {
    const credential = path.includes('api_key=') ? '' : `${path.includes('?') ? '&' : '?'}session=${session}`
    try {
      const given = body === undefined ? {} : { body, ...(body instanceof ReadableStream ? { duplex: 'half' } : {}) }
      const init = { method, headers, ...given, signal: AbortSignal.timeout(120_000) }
      const reply = await fetch(`${server.url}${path}${credential}`, init)
      const bytes = Buffer.from(await reply.arrayBuffer())
      return reply.status === 503 ? undefined : { status: reply.status, bytes }
    } catch (error) {
      assert.notEqual((error as Error).name, 'TimeoutError', `${method} ${path} was not answered`)
      return undefined
    }
  }
  /** Any other answer than success, and refusals that the load names, is a fault. */
  const call: Doors['askBytes'] = async (method, path, body, { headers, refusals = [] } = {}) => {
    const reply = await reach(method, path, body, headers)
    if (reply === undefined || refusals.includes(reply.status)) return undefined
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.bytes.toString()}`)
    return reply.bytes
  }
  const page = async (path: string): Promise<readonly { readonly time: number; readonly data: unknown }[]> => {
    for (;;) {
      const reply = await reach('GET', path)
      if (reply?.status === 404) return []
      if (reply !== undefined) {
        assert.equal(reply.status, 200, `${path}: ${reply.bytes.toString()}`)
        return JSON.parse(reply.bytes.toString()) as { time: number; data: unknown }[]
      }
      await pause(50)
    }
  }
  const doors: Doors = {
    askBytes: call,
    ask: async (method, path, body, more) => {
      const bytes = await call(method, path, body === undefined ? undefined : JSON.stringify(body), more)
      return bytes === undefined ? undefined : JSON.parse(bytes.toString())
    },
    samples: async (compId, streamId) => {
      const all = new Map<number, unknown>()
      for (let before = 4_102_444_800_000; ;) {
        const found = await page(`/api/comp/${compId}/stream/${streamId}/feed?limit=1000&ed=${before}`)
        for (const { time, data } of found) all.set(time, data)
        if (found.length < 1000) return all
        before = found.at(-1)!.time
      }
    },
    get mqtt() {
      return { port: mqttPort, apiKey: serverApiKey }
    },
    database: async (look) => {
      const pool = openPool(database.url, { connections: 1, name: 'test' })
      try {
        return await look(pool)
      } finally {
        await pool.end({ timeout: 1 })
      }
    },
  }

  const openLoads = async (random: Random): Promise<readonly Load[]> => {
    const { user } = (await doors.ask('GET', '/api/user')) as { user: { uid: string }[] }
    const { organization } = (await doors.ask('GET', '/api/organization')) as { organization: { uid: string }[] }
    const owner: Owner = { uid: user[0]!.uid, organizationUid: organization[0]!.uid }
    const { host, port, database: name, user: login, password } = targetFrom('postgresql', external.url)
    const connection = {
      name: 'external',
      kind: 'postgresql',
      host,
      port,
      database: name,
      user: login,
      password,
      tls: false,
    }
    return [
      ...['Append-1', 'Append-2'].map((compId) => appends(doors, compId)),
      arrays(doors),
      overwrites(doors),
      creations(doors),
      await forms(doors, random),
      messages(doors),
      files(doors),
      transfers(doors, random),
      await deletions(doors, random),
      await history(doors, random),
      await sinkCalls(doors, owner),
      await derivations(doors, random),
      // A killed server's import is known to be over half a minute later, which npm run test:load does not wait for.
      ...(shortOrLong(false, true) ? [await imports(doors, owner, { sql: external.sql, connection })] : []),
    ]
  }

  /** Each leaves things so that they get well, by themselves or by a restart. */
  const kills: Readonly<Record<string, (random: Random) => Promise<void>>> = {
    'the server': async () => {
      await server.end('SIGKILL')
      await start()
    },
    'a worker': async ({ pick }) => void process.kill(pick(await server.workers()), 'SIGKILL'),
    PostgreSQL: async () => {
      await database.kill()
      await database.start()
    },
  }

  const report = (line: string) => shortOrLong(false, true) && process.stdout.write(`    ${line}\n`)
  /** For the one who has to find out why something stands still. */
  const circumstances = async (): Promise<string> => {
    const activity = await database
      .ask(
        "select application_name, state, wait_event, left(query, 80) as query from pg_stat_activity where state <> 'idle'",
      )
      .catch((error: Error) => error.message)
    return JSON.stringify({ activity, log: server.lines.slice(-40) }, undefined, 1)
  }

  it('loses nothing that was acknowledged, leaves nothing by half, and computes from what is there', () =>
    withSeed(async (random) => {
      const loads = await openLoads(random)
      const acknowledged = new Map<Load, number>()
      const state = { isOver: false }
      const running = Promise.all(
        loads.map(async (load) => {
          while (!state.isOver)
            if (await load.step()) acknowledged.set(load, (acknowledged.get(load) ?? 0) + 1)
            // Nobody there: as a device does, it tries again in a moment.
            else await pause(50)
        }),
      )
      // A fault of one of them must not stay unseen until the others are done.
      const failed = running.then(() => undefined)
      const allGoOn = (after: string) => {
        const before = new Map(acknowledged)
        const behind = () =>
          loads.filter((load) => (acknowledged.get(load) ?? 0) === (before.get(load) ?? 0)).map(({ name }) => name)
        const all = eventually(async () => behind().length === 0).catch(async () =>
          assert.deepEqual(behind(), [], `after ${after} was killed; ${await circumstances()}`),
        )
        return Promise.race([failed, all])
      }
      try {
        await allGoOn('nothing')
        const isTime = openMinutes(minutes)
        for (let round = 0; round < rounds && isTime(); round += 1)
          for (const [name, kill] of Object.entries(kills)) {
            await pause(random.integer(1000))
            await kill(random)
            await allGoOn(name)
            report(`${round + 1} of ${rounds} rounds, ${name} killed`)
          }
      } finally {
        state.isOver = true
      }
      await running
      for (const { name, judge } of loads)
        await judge().catch((cause: unknown) => {
          throw new Error(`${name}: ${(cause as Error).message}`, { cause })
        })
    }))
})
