// WORKERS that are ended one by one, as an operator does who wants to be rid of what they hold: others take the calls.
// Not one request that a worker has read stays without its reply (test/support/kept-client.ts).
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import { openKeptClient } from '../support/kept-client.ts'
import type { LiveListener } from '../support/live.ts'
import { listen } from '../support/live.ts'
import { makeSink, ownerPassword, signInOwner } from '../support/server-owner.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { serverApiKey, startServer } from '../support/server-process.ts'
import { shortOrLong } from '../support/soak.ts'
import { eventually } from '../support/within.ts'

/** Calls of one kind, each told by its number: the address, and the values that it stores. */
type Kind = { readonly component: string; readonly call: (n: number) => readonly [string, string, string?] }

const key = `api_key=${serverApiKey}`

describe('workers that are restarted one by one', function () {
  this.timeout(shortOrLong(240_000, 1_200_000))
  let directory: string
  let database: TestDatabase
  let server: ServerProcess
  let sink: string
  before(async () => {
    database = await openTestDatabase()
    directory = await newDirectory('workers-restart')
    server = await startServer({
      DATA_DIR: directory,
      DATABASE_URL: database.url,
      OWNER_PASSWORD: ownerPassword,
      WORKERS: '2',
      LOG_LEVEL: 'info',
    })
    const script = `
      INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)
      SELECT 'Sink', 'a', n, n FROM JSON_TABLE(@HTTP_BODY) WITH (n Long '$.n')`
    sink = await makeSink(await signInOwner(server.url), 'sink', script)
  })
  after(async () => {
    await server?.end('SIGTERM')
    await rm(directory, { recursive: true, force: true })
    await database?.drop()
  })

  const kinds: readonly Kind[] = [
    { component: 'Known', call: (n) => ['PUT', `/api/feed?compId=Known&a=${n}&time=${n}&${key}`] },
    {
      component: 'Timeless',
      // A call that was served and made again would be there twice. No two of one stream come within a millisecond.
      call: (n) => [
        'PUT',
        `/api/feed?${key}`,
        JSON.stringify([{ compId: 'Timeless', streamId: `s${n % 50}`, data: n }]),
      ],
    },
    {
      component: 'Files',
      call: (n) => ['PUT', `/api/comp/Files/stream/f/feed/file/${n}.txt?time=${n}&${key}`, 'x'.repeat(20_000)],
    },
    { component: 'Sink', call: (n) => ['POST', sink, JSON.stringify({ n })] },
  ]
  const replaced = () => server.lines.filter((line) => line.includes('a worker serves in place')).length

  /** Goes on where it was when the connection ends, and gives the values that were shown. */
  const follow = async (
    begun: LiveListener,
    comeBack: (lastId: string) => Promise<LiveListener>,
    game: { isOver: boolean },
    isEnough: (seen: Set<unknown>) => boolean,
  ) => {
    const seen = new Set<unknown>()
    let listener = begun
    let lastId = ''
    for (let times = 0; ; times += 1) {
      const isDone = async () => {
        for (const { data } of listener.samples) seen.add(data)
        return listener.isEnded() || (game.isOver && isEnough(seen))
      }
      while (!game.isOver && !(await isDone())) await pause(20)
      await eventually(isDone)
      lastId = listener.lastId() || lastId
      assert.deepEqual(
        listener.events.filter(({ event }) => event === 'gap'),
        [],
      )
      if (!listener.isEnded()) {
        listener.leave()
        return { seen, times }
      }
      listener = await comeBack(lastId)
    }
  }

  it('fail no call, of clients that keep their connections or open new ones', async () => {
    const game = { isOver: false }
    const acknowledged = new Map(kinds.map(({ component }) => [component, new Set<number>()]))
    const inAll = () => [...acknowledged.values()].reduce((sum, { size }) => sum + size, 0)
    let next = 0
    const play = async ({ component, call }: Kind, keeps: boolean) => {
      const client = openKeptClient(server.url, keeps)
      while (!game.isOver) {
        const n = (next += 1)
        const { status, body } = await client.ask(...call(n))
        assert.equal(status, 200, body)
        acknowledged.get(component)!.add(n)
        assert.equal((await client.ask('GET', `/api/comp/${component}/last_value?${key}`)).status, 200)
      }
      client.close()
    }
    const [known] = kinds
    // It is there before it is listened to.
    const first = openKeptClient(server.url)
    assert.equal((await first.ask('PUT', `/api/feed?compId=Known&b=0&${key}`)).status, 200)
    first.close()
    const place = `${server.url}/api/live?compId=Known&${key}`
    const listener = await listen(place)
    // From here on it misses nothing.
    await eventually(async () => listener.lastId() !== '')
    const live = follow(
      listener,
      (id) => listen(place, { 'Last-Event-ID': id }),
      game,
      (seen) => [...acknowledged.get('Known')!].every((n) => seen.has(n)),
    )
    const clients = [
      ...kinds.map((kind) => play(kind, true)),
      play(known!, true),
      play(known!, false),
      play(known!, false),
    ]
    const failed = Promise.all([live, ...clients])
    const orFailed = (work: Promise<void>) => Promise.race([failed.then(() => {}), work])
    try {
      for (let round = 0; round < shortOrLong(1, 20); round += 1)
        for (const pid of await server.workers()) {
          await server.assertMemory()
          const before = { replaced: replaced(), acknowledged: inAll() }
          // Twice, as by a supervisor that signals all processes and a primary that hands it on.
          process.kill(pid, 'SIGTERM')
          process.kill(pid, 'SIGTERM')
          await orFailed(eventually(async () => replaced() > before.replaced))
          await orFailed(eventually(async () => inAll() > before.acknowledged + 20))
        }
    } finally {
      game.isOver = true
    }
    await failed
    const { times } = await live
    assert.ok(times > 0, 'the listener stayed at one worker')
    const ends = server.lines
      .filter((line) => line.includes('a worker ended'))
      .map((line) => JSON.parse(line) as object)
    assert.deepEqual(
      ends.map((end) => (end as { exitCode: number }).exitCode),
      ends.map(() => 0),
    )
    for (const [component, numbers] of acknowledged) {
      const stored = await database.sql<{ n: number }[]>`
        select coalesce(sample.num, extract(epoch from sample.time) * 1000)::integer as n
        from sample
        join stream on stream.key = sample.stream_key
        join component on component.key = stream.component_key
        where component.id = ${component} and stream.id <> 'b'
        order by 1`
      assert.deepEqual(
        stored.map(({ n }) => n),
        [...numbers].toSorted((a, b) => a - b),
        component,
      )
    }
  })

  it('leave the primary at work that was just about to write to them', async () => {
    const [killed, asked] = (await server.workers()) as [number, number]
    const before = replaced()
    // The primary reads that a worker is gone and that another asks for the metrics of all, in one turn.
    process.kill(server.pid, 'SIGSTOP')
    const metrics = Promise.allSettled(
      Array.from({ length: 20 }, () => fetch(`${server.url}/metrics`, { headers: { connection: 'close' } })),
    )
    await pause(500)
    process.kill(killed, 'SIGKILL')
    await pause(500)
    process.kill(server.pid, 'SIGCONT')
    await metrics
    assert.ok(server.isRunning())
    await eventually(async () => replaced() > before)
    assert.ok((await server.workers()).includes(asked))
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
  })
})
