// The disk of the database fills up: uploads are answered 503 and store nothing, reads go on, and uploads are served again
// by themselves once there is room. The disk is a tmpfs of this test's own, which only root can mount.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { testInstallation } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import type { ServerOwner } from '../support/server-owner.ts'
import { makeSink, ownerPassword, signInOwner } from '../support/server-owner.ts'
import { skipWithout } from '../support/skip.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { serverApiKey, startServer } from '../support/server-process.ts'
import { eventually } from '../support/within.ts'

const run = promisify(execFile)
const megabyte = 1024 * 1024

const takesNone = 'the database takes no changes now: its disk is nearly full, or it is a standby'

const insertScript = (rows: string) =>
  `INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'Other', 's', t, t FROM ${rows}`

describe('a disk that fills up', function () {
  this.timeout(240_000)
  let directory: string
  let server: ServerProcess | undefined
  let owner: ServerOwner
  let sink: string
  before(async function () {
    await testInstallation()
    directory = await newDirectory('full')
    try {
      await run('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=755', 'tmpfs', directory])
    } catch {
      skipWithout(this, 'root, who can mount a disk')
    }
    server = await startServer({
      DATA_DIR: directory,
      OWNER_PASSWORD: ownerPassword,
      OUTBOUND_ALLOW: '127.0.0.0/8',
    })
    owner = await signInOwner(server.url)
    sink = await makeSink(owner, 'sink', insertScript("JSON_TABLE(@HTTP_BODY) WITH (t Long '$.t')"))
  })
  after(async () => {
    await server?.end('SIGTERM')
    await run('umount', [directory]).catch(() => undefined)
    await rm(directory, { recursive: true, force: true })
  })

  /** The password and port of its database. */
  const openDoor = async () => {
    const place = join(directory, 'postgres')
    const password = (await readFile(join(place, 'password'), 'utf8')).trim()
    const port = Number((await readFile(join(place, 'data', 'postmaster.pid'), 'utf8')).split('\n')[3])
    return { password, port }
  }

  const acknowledged: number[] = []
  let next = 0
  /** Hundred texts of 4,000 characters that do not compress, which fill the disk soon. */
  const put = async (): Promise<number> => {
    const first = next * 100 + 1
    next += 1
    const body = Array.from({ length: 100 }, (_, at) => ({
      compId: 'C',
      streamId: 's',
      time: first + at,
      data: crypto.getRandomValues(Buffer.alloc(2000)).toString('hex'),
    }))
    const reply = await fetch(`${server!.url}/api/feed?api_key=${serverApiKey}`, {
      method: 'PUT',
      body: JSON.stringify(body),
    })
    if (reply.status === 200) acknowledged.push(first)
    return takenOrAway(reply)
  }
  const takenOrAway = async (reply: Response): Promise<number> => {
    const text = await reply.text()
    if (reply.status !== 200) {
      assert.equal(reply.status, 503, text)
      assert.equal((JSON.parse(text) as { code: string }).code, 'database_away')
      assert.match(reply.headers.get('retry-after') ?? '', /^\d+$/)
    }
    return reply.status
  }
  const other = { sent: 0, acknowledged: new Set<number>() }
  /** The other ways in, each with one sample: a file, a sink and a script. */
  const putOtherwise = async (): Promise<readonly number[]> => {
    const ways: readonly ((t: number) => Promise<Response>)[] = [
      (t) =>
        fetch(`${server!.url}/api/comp/Other/stream/file/feed/file/x.txt?time=${t}&api_key=${serverApiKey}`, {
          method: 'PUT',
          body: String(t),
        }),
      (t) => fetch(`${server!.url}${sink}`, { method: 'POST', body: JSON.stringify({ t }) }),
      (t) => askScript(insertScript(`JSON_TABLE('{"t":${t}}') WITH (t Long '$.t')`)),
    ]
    const statuses = []
    for (const way of ways) {
      const t = (other.sent += 1)
      const status = await takenOrAway(await way(t))
      if (status === 200) other.acknowledged.add(t)
      statuses.push(status)
    }
    return statuses
  }
  const askScript = (s: string) =>
    fetch(`${server!.url}/api/gql?${owner.credential}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ s }),
    })
  const read = async (): Promise<number> => {
    const reply = await fetch(`${server!.url}/api/comp/C/stream/s/last_value?api_key=${serverApiKey}`)
    await reply.arrayBuffer()
    return reply.status
  }
  const readOtherwise = async (): Promise<readonly number[]> => {
    const replies = [
      await askScript("SELECT cid, id FROM Stream WHERE cid = 'C'"),
      await fetch(`${server!.url}/api/comp/C/stream/s/cycle/day/stat/nongapcount/feed?api_key=${serverApiKey}`),
      await fetch(`${server!.url}/api/export?compId=Other&api_key=${serverApiKey}`),
    ]
    for (const reply of replies) await reply.arrayBuffer()
    return replies.map(({ status }) => status)
  }
  const all = (status: number) => [status, status, status]

  it('answers uploads 503, goes on reading, and takes uploads again by itself when there is room', async () => {
    assert.equal(await put(), 200)
    assert.deepEqual([await putOtherwise(), await readOtherwise()], [all(200), all(200)])
    const { bavail, bsize } = await statfs(directory)
    const ballast = join(directory, 'ballast')
    await writeFile(ballast, Buffer.alloc(bavail * bsize - 70 * megabyte))
    await eventually(async () => (await put()) === 503)
    for (let n = 0; n < 20; n += 1) {
      assert.deepEqual([await put(), await read()], [503, 200])
      assert.deepEqual([await putOtherwise(), await readOtherwise()], [all(503), all(200)])
    }
    // As it also stays when the database dies meanwhile.
    const postmaster = async () => {
      const lines = await readFile(join(directory, 'postgres', 'data', 'postmaster.pid'), 'utf8').catch(() => '')
      return Number(lines.split('\n')[0])
    }
    const killed = await postmaster()
    process.kill(killed, 'SIGKILL')
    // Its processes may answer for a moment longer.
    await eventually(async () => ![0, killed].includes(await postmaster()) && (await read()) === 200)
    assert.deepEqual([await put(), await read()], [503, 200])
    assert.deepEqual([await putOtherwise(), await readOtherwise()], [all(503), all(200)])
    await rm(ballast)
    await eventually(async () => (await put()) === 200)
    assert.deepEqual([await putOtherwise(), await readOtherwise()], [all(200), all(200)])
    const stored = new Set<number>()
    for (let before = 4_000_000_000_000; ;) {
      const reply = await fetch(`${server!.url}/api/comp/C/stream/s/feed?ed=${before}&api_key=${serverApiKey}`)
      const page = (await reply.json()) as { time: number }[]
      for (const { time } of page) stored.add(time)
      if (page.length < 1000) break
      before = page.at(-1)!.time
    }
    for (let first = 1; first <= next * 100; first += 100) {
      const kept = Array.from({ length: 100 }, (_, at) => stored.has(first + at))
      assert.equal(new Set(kept).size, 1, `half of an upload at ${first}`)
      assert.ok(kept[0] || !acknowledged.includes(first), `the upload at ${first} was acknowledged and is lost`)
    }
    const feed = await fetch(`${server!.url}/api/comp/Other/feed?limit=1000&api_key=${serverApiKey}`)
    const times = ((await feed.json()) as { time: number }[]).map(({ time }) => time)
    assert.deepEqual(
      times.toSorted((a, b) => a - b),
      [...other.acknowledged],
    )
  })

  it('ends the statements that have most temporary files before these fill it, and takes uploads meanwhile', async () => {
    const { bavail, bsize } = await statfs(directory)
    const ballast = join(directory, 'ballast')
    await writeFile(ballast, Buffer.alloc(bavail * bsize - 180 * megabyte))
    // 90,000 texts of 4,000 characters.
    const rows = JSON.stringify(Array.from({ length: 300 }, (_, n) => ({ t: String(n).padStart(100) })))
    const texts = `JSON_TABLE(@A) WITH (t String '$[*].t')`
    const text = Array.from({ length: 20 }, () => 'a.t + b.t').join(' + ')
    const script = `SET @A = '${rows}'; SELECT Count(*) FROM (SELECT DISTINCT ${text} AS q FROM ${texts} a, ${texts} b) z`
    const replies: string[] = []
    const isEnded = () => replies.some((reply) => reply.includes('it took too long'))
    const uploads: number[] = []
    const isOver = () => isEnded() || uploads.some((status) => status !== 200)
    const sort = async () => {
      while (!isOver()) replies.push(await (await askScript(script)).text())
    }
    const sorting = Promise.all([sort(), sort(), sort(), sort()])
    while (!isOver()) {
      const address = `${server!.url}/api/feed?compId=Meanwhile&n=${uploads.length}&api_key=${serverApiKey}`
      uploads.push((await fetch(address, { method: 'PUT' })).status)
    }
    await sorting
    assert.deepEqual(new Set(uploads), new Set([200]))
    assert.ok(server!.lines.some((line) => line.includes('temporary files leave too little room')))
    await rm(ballast)
  })

  it('ends the connection that keeps its temporary files between statements', async () => {
    const { password, port } = await openDoor()
    const client = new Client({ connectionString: `postgres://coppice:${password}@127.0.0.1:${port}/coppice` })
    const ended: string[] = []
    client.on('error', ({ message }) => ended.push(message))
    await client.connect()
    // 64 MB, which its transaction leaves behind.
    await client.query('begin')
    await client.query(`
      declare held cursor with hold for
      select repeat(md5(n::text), 50) as text from generate_series(1, 40000) as n order by text`)
    await client.query('commit')
    assert.deepEqual((await client.query('fetch 1 from held')).rowCount, 1)
    const { bavail, bsize } = await statfs(directory)
    const ballast = join(directory, 'ballast')
    await writeFile(ballast, Buffer.alloc(bavail * bsize - 100 * megabyte))
    await eventually(async () => ended.includes('terminating connection due to administrator command'))
    assert.deepEqual([await put(), await read()], [200, 200])
    assert.ok(server!.lines.some((line) => line.includes('the connection that has most of them is ended')))
    await rm(ballast)
  })

  it('ends the runs of imports, whose temporary tables would take the room that is left', async () => {
    const from = { kind: 'postgresql', host: '127.0.0.1', database: 'coppice', user: 'coppice', tls: false }
    const made = await owner.ask('POST', '/api/connection', { name: 'Itself', ...from, ...(await openDoor()) })
    const { connector } = (await owner.ask('POST', '/api/connector', {
      type: 'import',
      name: 'All',
      connectionUid: (made as { connection: { uid: string } }).connection.uid,
      runningUserUid: owner.uid,
      // One after another: a function in FROM would be read to its end before the first row comes. And 20 MB a second at
      // most: so little is to stay free of this disk that a faster one had it between two looks.
      externalSql: `
        select n, repeat(md5(n::text), 60) from (select generate_series(1, 100000000) as n offset 0) numbers
        where n % 100 <> 0 or pg_sleep(0.01)::text = ''`,
      ingestSql: `
        INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'All', 's', t, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 t LONG, 2 v STRING)`,
    })) as { connector: { uid: string } }
    const { bavail, bsize } = await statfs(directory)
    const ballast = join(directory, 'ballast')
    await writeFile(ballast, Buffer.alloc(bavail * bsize - 100 * megabyte))
    const over = new AbortController()
    let least = Number.POSITIVE_INFINITY
    const running = owner.ask('POST', `/api/connector/${connector.uid}/run`).finally(() => over.abort())
    while (!over.signal.aborted) {
      const disk = await statfs(directory)
      least = Math.min(least, disk.bavail * disk.bsize)
      await pause(20)
    }
    const { success, message } = (await running) as { success: boolean; message: string }
    assert.deepEqual([success, message], [false, takesNone])
    assert.ok(least > 0, 'no room was left')
    await eventually(async () => (await put()) === 200)
    await rm(ballast)
  })
  it('ends changes that were under way and take the room that is to stay free', async () => {
    const { password, port } = await openDoor()
    const client = new Client({ connectionString: `postgres://coppice:${password}@127.0.0.1:${port}/coppice` })
    // Between two statements it is the connection that hears of it.
    const ended: string[] = []
    client.on('error', ({ message }) => ended.push(message))
    await client.connect()
    await client.query('create table filler (text text)')
    const { bavail, bsize } = await statfs(directory)
    const ballast = join(directory, 'ballast')
    await writeFile(ballast, Buffer.alloc(bavail * bsize - 80 * megabyte))
    await client.query('begin')
    const fill = async () => {
      for (;;) {
        await client.query(`insert into filler select repeat(md5(n::text), 60) from generate_series(1, 100) as n`)
        await pause(10)
      }
    }
    await fill().catch(({ message }: Error) => ended.push(message))
    assert.ok(ended.includes('terminating connection due to administrator command'), ended.join())
    await eventually(async () => server!.lines.some((line) => line.includes('changes under way take the room')))
    assert.equal(await read(), 200)
    await rm(ballast)
    await eventually(async () => (await put()) === 200)
  })
})
