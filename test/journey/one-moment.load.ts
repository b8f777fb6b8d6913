// A reply shows one moment (docs/replies.md): of an upload a reader sees all or nothing, over all streams of the reply, in
// every kind of reading. Other ways to write: one-moment-writers.load.ts; deletions, tiles and retention:
// one-moment-changes.load.ts; workers and a standby: one-moment-hosts.load.ts.
import assert from 'node:assert/strict'
import { parquetReadObjects } from 'hyparquet'
import { transaction } from '../../src/base/database/sql.ts'
import { fillEdges } from '../../src/core/sql-role/calendar.ts'
import { addPerson } from '../support/http.ts'
import { listen } from '../support/live.ts'
import { openManager } from '../support/manage.ts'
import type { Manager } from '../support/manage.ts'
import {
  dataIn,
  integers,
  lastCells,
  numbered,
  openReadings,
  orNone,
  play,
  samplesOf,
  uploads,
} from '../support/one-moment.ts'
import type { Readings } from '../support/one-moment.ts'
import { addApiKey, addSession } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { openSqlPerson } from '../support/sql-role.ts'
import { isSomebodyWaiting } from '../support/database.ts'
import { eventually } from '../support/within.ts'

const hourMs = 3_600_000
const yearMs = 365 * 24 * hourMs

type Described = { readonly description: string }
type File = { readonly fileName: string; readonly size: number }

describe('a reply', function () {
  let service: TestService
  let manage: Manager
  let ownerUid: string
  let readings: Readings
  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
    const { user } = await addPerson(service, 'owner')
    ownerUid = user.uid
    readings = openReadings(service.url, `session=${await addSession(service.sql, user)}`)
    // The thread that compiles takes a second of a core to start, for which a crowd of scripts would not wait.
    await readings.queried('SELECT 1')
  })
  after(() => service.close())

  it('shows all of an upload or nothing, of few streams and many, near and far, in every kind of reading', async () => {
    const { dataOf, queried, exported, send, uploadAll, uploadHalf } = readings
    const nowMs = Math.floor(Date.now() / hourMs) * hourMs
    for (const [count, timeMs] of [
      [2, nowMs],
      [40, nowMs],
      [7, nowMs - 3 * yearMs],
      [40, nowMs - yearMs / 2],
    ] as const) {
      const compId = `Even ${count} ${timeMs}`
      const ids = numbered(count)
      const path = `/api/comp/${encodeURIComponent(compId)}`
      const window = `sd=${timeMs}&ed=${timeMs + 1}`
      const rsid = ids.map((id) => `&rsid=${id}`).join('')
      const ofAll = `FROM Stream WHERE cid = '${compId}' AND id <> 'other'`
      await play({
        upload: uploadAll(compId, ids, [timeMs]),
        half: uploadHalf(compId, ids, [timeMs]),
        readers: {
          lastValue: () => dataOf(`${path}/last_value`),
          feed: () => dataOf(`${path}/feed`),
          limit: () => dataOf(`${path}/feed?limit=${count}&retFData&retUnit`),
          window: () => dataOf(`${path}/feed?${window}`),
          until: () => dataOf(`${path}/feed?ed=${timeMs + 1}`),
          statistic: () => dataOf(`${path}/cycle/day/stat/max/feed`),
          lastStatistic: () => dataOf(`${path}/cycle/year/stat/last/last_value`),
          gsqlLastValue: () => queried(`SELECT lastValue ${ofAll}`),
          gsqlStatistic: () => queried(`SELECT sample(cycleId='year', stat='max') ${ofAll}`),
          exported: () => exported(`compId=${encodeURIComponent(compId)}&${window}`),
          rsid: async () => {
            const reply = await send('PUT', `/api/feed?compId=${encodeURIComponent(compId)}&other=${rsid}`)
            const { missing: _, ...values } = reply as Record<string, unknown>
            return Object.values(values)
          },
        },
      })
    }
  })

  it('shows all of an upload or nothing in every other form: lines, files, charts, SQL, assistants, trials, sinks', async () => {
    const { dataOf, queried, exported, lines, json, send, script, uploadAll, uploadHalf } = readings
    const compId = 'Forms'
    const ids = numbered(12)
    // In the middle of the hour before: of one hour and one day, whenever it is.
    const timesMs = [0, 1, 2].map((minute) => (Math.floor(Date.now() / hourMs) - 0.5) * hourMs - minute * 60_000)
    const lastValues = `SELECT lastValue FROM Stream WHERE cid = '${compId}'`
    const copy = `INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'Copy', id, 5, lastValue FROM Stream WHERE cid = '${compId}'`
    await manage.ask('POST', '/api/connector', { name: 'copy', endpoint: 'copy', runAsUserUid: ownerUid, sql: copy })
    const sinkKey = await addApiKey(service.sql, service.organizationUid, [
      { resource: 'connector/*/sink', methods: ['POST'] },
    ])
    const person = await openSqlPerson(service)
    const path = `/api/comp/${compId}`
    const scope = `compId=${compId}`
    const asked = async (text: string) => {
      const rows = await person.ask(`${text} where component_id = '${compId}'`)
      assert.ok(rows.length > 0, text)
      return rows.flat()
    }
    const told = async (name: string, given: object) => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
      const { body } = await manage.ask('POST', '/api/mcp', message)
      const [{ text }] = (body as { result: { content: [{ text: string }] } }).result.content
      return text
    }
    const table = async (name: string, given: object) => {
      const { columns, rows } = JSON.parse(await told(name, { component: compId, ...given })) as {
        columns: string[]
        rows: unknown[][]
      }
      return rows.map((row) => row[columns.indexOf('value')])
    }
    const chart = async (query: string) =>
      (await json<{ items: unknown[][] }>(`${path}/stream/s3/chart${query}`)).items.flatMap((item) => item.slice(2))
    const variable = (name: string, streamId: string) => ({ name, componentId: compId, streamId })
    const trial = {
      expression: 'a * 1000 + b',
      variables: [variable('a', 's2'), variable('b', 's3')],
      from: timesMs[2],
      to: timesMs[0]! + 1,
    }
    await uploadAll(compId, ids, timesMs)(0)
    await fillEdges(service.sql, Date.now())
    await play({
      upload: uploadAll(compId, ids, timesMs),
      half: uploadHalf(compId, ids, timesMs),
      readers: {
        feedOfStream: () => dataOf(`${path}/stream/s3/feed`),
        windowOfStream: () => dataOf(`${path}/stream/s3/feed?sd=${timesMs[2]}&ed=${timesMs[0]! + 1}`),
        average: () => dataOf(`${path}/cycle/hour/stat/avg/feed`),
        averageOfStream: integers(() => dataOf(`${path}/stream/s3/cycle/day/stat/avg/feed`)),
        lastAverageOfStream: integers(() => dataOf(`${path}/stream/s3/cycle/day/stat/avg/last_value`)),
        chart: () => chart(''),
        chartOfOnePoint: () => chart('?points=1'),
        csv: async () => lastCells(await lines(`${path}/feed`, 'text/csv')),
        ndjson: async () =>
          (await lines(`${path}/feed`, 'application/x-ndjson')).flatMap((line) => dataIn(`[${line}]`)),
        exportedCsv: async () => lastCells(await lines(`/api/export?format=csv&${scope}`)),
        exportedStatistics: () => exported(`what=statistics&cycle=day&stat=avg&${scope}`),
        exportedParquet: async () => {
          const reply = await fetch(`${service.url}/api/export?format=parquet&${scope}&api_key=${service.apiKey}`)
          return (await parquetReadObjects({ file: await reply.arrayBuffer() })).map(({ number }) => number)
        },
        gsqlSamples: () => queried(`SELECT sample(Range(last=3)) FROM Stream WHERE cid = '${compId}'`),
        gsqlCsv: async () => lastCells(await lines(`/api/gql?s=${encodeURIComponent(lastValues)}`, 'text/csv')),
        gsqlByPost: async () => ((await script(lastValues)) as { rows: unknown[][] }).rows.flat(),
        sample: () => asked('select value from sample'),
        hour: () => asked('select min, max, avg from hour'),
        day: () => asked('select min, max, avg from day'),
        month: () => asked('select min, max, avg from month'),
        readSamples: () => table('read_samples', {}),
        lastValues: () => table('last_values', {}),
        readStatistics: () => table('read_statistics', { cycle: 'day', statistic: 'avg' }),
        runGsSql: async () =>
          (await told('run_gs_sql', { script: lastValues }))
            .split(/\r?\n/)
            .slice(1)
            .filter((line) => line !== ''),
        deriveTest: async () => {
          const { rows } = (await send('POST', '/api/stream/derive_test', JSON.stringify(trial))) as {
            rows: readonly { readonly data: number }[]
          }
          return rows.flatMap(({ data }) => [Math.floor(data / 1000), data % 1000])
        },
        connectorTest: async () => {
          const { rows } = (await send('POST', '/api/connector/test', JSON.stringify({ sql: copy }))) as {
            rows: readonly { readonly sample: unknown }[]
          }
          return rows.map(({ sample }) => sample)
        },
        firstOfLive: async () => {
          const listened = await lines(`/api/live?seconds=0&${scope}`)
          const data = listened.filter((line) => line.startsWith('data: ')).map((line) => line.slice(6))
          // Last values come first, and an upload meanwhile behind them.
          return dataIn(`[${data.slice(0, ids.length).join()}]`)
        },
        sink: async () => {
          const address = `/api/conn_sink/${service.organizationUid}/copy?api_key=${sinkKey.secret}`
          const reply = await service.request('POST', address)
          assert.equal(reply.status, 200, reply.text)
          return dataOf('/api/comp/Copy/last_value')
        },
      },
    })
    await person.leave()
  })

  it('shows the value of an upload with the time of the same', async () => {
    const { json, queried, send } = readings
    const firstMs = Math.floor(Date.now() / hourMs) * hourMs - hourMs
    const upload = (value: number, timeMs: number) => send('PUT', `/api/feed?compId=Clock&a=${value}&time=${timeMs}`)
    const pair = async (path: string) =>
      (await json<readonly { data: number; time: number }[]>(`/api/comp/Clock/stream/a/${path}`)).flatMap(
        ({ data, time }) => [data, time - firstMs],
      )
    await play({
      upload: (value) => upload(value, firstMs + value),
      half: (value) => upload(value, firstMs + value + 1),
      readers: {
        lastValue: () => pair('last_value'),
        latest: () => pair('feed?limit=1'),
        maximum: async () => {
          const stat = (name: string) => `sample(cycleId='day', stat='${name}')`
          const rows = await queried(
            `SELECT Concat(${stat('max')}, ' ', ${stat('maxoccurrence')} - ${firstMs}) FROM Stream WHERE cid = 'Clock'`,
          )
          return String(rows[0]).split(' ').map(Number)
        },
      },
    })
  })

  it('shows an upload together with the streams that it derives at once', async () => {
    const { dataOf, queried, exported, send } = readings
    const derived = (id: string) => ({ id, expression: 'v', variables: [{ name: 'v', streamId: 'a' }] })
    await manage.make('component', { id: 'Derived', stream: [{ id: 'a' }, ...['b', 'c', 'd'].map(derived)] })
    const firstMs = Date.now() - hourMs
    const upload = (value: number) => `/api/feed?compId=Derived&a=${value}&time=${firstMs + value}`
    await play({
      upload: (value) => send('PUT', `${upload(value)}&derMaxS=3&derTout=60000`),
      // The background would derive the rest.
      half: (value) => send('PUT', upload(value)),
      readers: {
        lastValue: () => dataOf('/api/comp/Derived/last_value'),
        statistic: () => dataOf('/api/comp/Derived/cycle/day/stat/last/feed'),
        gsql: () => queried("SELECT lastValue FROM Stream WHERE cid = 'Derived'"),
        exported: () => exported('what=statistics&cycle=day&stat=max&compId=Derived'),
      },
    })
  })

  it('shows all of an upload or nothing where interval, point and other streams stand together', async () => {
    const { dataOf, queried, exported, uploadAll, uploadHalf } = readings
    const compId = 'Mixed'
    const kinds = ['random', 'interval', 'point', 'interval', 'random', 'point', 'random']
    await manage.make('component', {
      id: compId,
      stream: kinds.map((kind, n) => ({ id: `s${n}`, kind, ...(kind === 'interval' ? { baseCycleId: 'hour' } : {}) })),
    })
    const timeMs = Math.floor(Date.now() / hourMs) * hourMs - 2 * hourMs
    await play({
      upload: uploadAll(compId, numbered(kinds.length), [timeMs]),
      half: uploadHalf(compId, numbered(kinds.length), [timeMs]),
      readers: {
        lastValue: () => dataOf(`/api/comp/${compId}/last_value`),
        feed: () => dataOf(`/api/comp/${compId}/feed`),
        limit: () => dataOf(`/api/comp/${compId}/feed?limit=7`),
        statistic: () => dataOf(`/api/comp/${compId}/cycle/year/stat/max/last_value`),
        gsql: () => queried(`SELECT lastValue FROM Stream WHERE cid = '${compId}'`),
        exported: () => exported(`compId=${compId}`),
      },
    })
  })

  it('names a file that is replaced meanwhile with the size that it has', async () => {
    const { json, send } = readings
    const upload = (name: number, size: number) =>
      send('PUT', `/api/comp/Files/stream/photo/feed/file/f${name}?time=1`, 'x'.repeat(size + 1))
    const pair = async (path: string) => {
      const [file] = await json<readonly File[]>(`/api/comp/Files/stream/photo/${path}`)
      return [file!.fileName, `f${file!.size - 1}`]
    }
    await play({
      upload: (value) => upload(value, value),
      half: (value) => upload(value, value + 1),
      readers: {
        feed: () => pair('feed'),
        lastValue: () => pair('last_value'),
        window: () => pair('feed?sd=0&ed=2'),
      },
    })
  })

  it('shows a component with all streams that an upload gives it, or none', async () => {
    const ids = numbered(30)
    let component = 0
    const upload = (count: number) => readings.put(samplesOf(`Young-${component}`, ids.slice(0, count), [1], 1))
    /** The one that is being made, or at the end the last one. */
    const counted = (address: (id: string) => string, count: (text: string) => number) => () =>
      orNone(readings, address(`Young-${component}`), (text) => [ids.length, count(text)])()
    const items = (text: string) => dataIn(text).length
    const rows = (text: string): number => (JSON.parse(text) as { rows: [[number]] }).rows[0][0]
    await play({
      upload: () => {
        component += 1
        return upload(ids.length)
      },
      half: () => {
        component += 1
        return upload(ids.length / 2)
      },
      readers: {
        feed: counted((id) => `/api/comp/${id}/feed`, items),
        lastValue: counted((id) => `/api/comp/${id}/last_value`, items),
        statistic: counted((id) => `/api/comp/${id}/cycle/day/stat/nongapcount/last_value`, items),
        catalogue: counted(
          (id) => `/api/export?what=catalogue&compId=${id}`,
          (text) => {
            const line = text.split('\n').find((each) => each.startsWith('{"component":'))
            return (JSON.parse(line!) as { component: { stream: unknown[] } }).component.stream.length
          },
        ),
        gsql: counted(
          (id) => `/api/gql?s=${encodeURIComponent(`SELECT Count(*) FROM Stream WHERE cid = '${id}'`)}`,
          (text) => rows(text) || ids.length,
        ),
      },
    })
  })

  it('gives a listener each upload whole and in its order, who stayed or came back between two', async () => {
    const ids = numbered(12)
    const timesMs = [1, 2, 3].map((minute) => minute * 60_000)
    const upload = readings.uploadAll('Heard', ids, timesMs)
    await upload(0)
    const address = `${service.url}/api/live?compId=Heard&api_key=${service.apiKey}`
    const stayed = await listen(address)
    const { id: firstId } = await stayed.named('live')
    const before = stayed.samples.length
    const over = { isOver: false }
    const expected = Array.from({ length: uploads }, (_, n) => samplesOf('Heard', ids, timesMs, n + 1)).flat()
    const returning = async () => {
      const heard: unknown[] = []
      let lastId = firstId
      // Once more behind the end, for the rest.
      for (let isLast = false; !isLast;) {
        isLast = over.isOver
        const listener = await listen(`${address}&seconds=0&lastEventId=${encodeURIComponent(lastId)}`)
        await listener.named('end')
        heard.push(...listener.samples)
        assert.equal(listener.samples.length % (ids.length * timesMs.length), 0)
        lastId = listener.lastId() || lastId
      }
      return heard
    }
    const returned = returning()
    for (let value = 1; value <= uploads; value += 1) await upload(value)
    over.isOver = true
    await stayed.until(() => stayed.samples.length - before >= expected.length)
    stayed.leave()
    assert.deepEqual(stayed.samples.slice(before), expected)
    assert.deepEqual(await returned, expected)
  })

  for (const name of ['component', 'template'] as const)
    it(`shows a ${name} and its streams as they were at one moment`, async () => {
      const { uid } = await manage.make(name, {
        id: 'Torn',
        description: 'old',
        stream: [{ id: 'a', description: 'old' }],
      })
      let reply: Promise<unknown>
      await transaction(service.sql, async (sql) => {
        // Whoever asks now has seen the one before it waits for the others.
        await sql`lock table stream in access exclusive mode`
        reply = manage.one(name, uid)
        await eventually(() => isSomebodyWaiting(service.sql))
        await sql`update component set description = 'new' where uid = ${uid}`
        await sql`update stream set description = 'new' where component_key = (select key from component where uid = ${uid})`
      })
      const { description, stream } = (await reply!) as Described & { readonly stream: readonly Described[] }
      assert.deepEqual([description, stream.map((each) => each.description)], ['old', ['old']])
    })
})
