// A reply shows one moment (docs/replies.md), however its samples were written: of a call that stores samples a reader sees
// all or nothing. An import is such a call as long as it is one batch (docs/transfer.md#import). The game:
// test/support/one-moment.ts.
import assert from 'node:assert/strict'
import { addPerson } from '../support/http.ts'
import { openManager } from '../support/manage.ts'
import type { Manager } from '../support/manage.ts'
import { halfOf, integers, numbered, openReadings, play, samplesOf } from '../support/one-moment.ts'
import type { Reader, Readings, Sample } from '../support/one-moment.ts'
import { addApiKey, addSession } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { openSqlPerson } from '../support/sql-role.ts'

const hourMs = 3_600_000
const ids = numbered(12)
/** The latest first. */
const timesMs = [0, 1, 2].map((minute) => Math.floor(Date.now() / hourMs) * hourMs - minute * 60_000 - hourMs)

describe('a reply', function () {
  let service: TestService
  let manage: Manager
  let ownerUid: string
  let readings: Readings
  /** By a key that opens sinks only. */
  let sinks: Readings
  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
    const { user } = await addPerson(service, 'owner')
    ownerUid = user.uid
    readings = openReadings(service.url, `session=${await addSession(service.sql, user)}`)
    // The thread that compiles takes a second of a core to start, for which a crowd of scripts would not wait.
    await readings.queried('SELECT 1')
    const { secret } = await addApiKey(service.sql, service.organizationUid, [
      { resource: 'connector/*/sink', methods: ['POST'] },
    ])
    sinks = openReadings(service.url, `api_key=${secret}`)
  })
  after(() => service.close())

  const readersOf = (compId: string): Readonly<Record<string, Reader>> => {
    const { dataOf, queried, exported } = readings
    return {
      lastValue: () => dataOf(`/api/comp/${compId}/last_value`),
      feed: () => dataOf(`/api/comp/${compId}/feed`),
      window: () => dataOf(`/api/comp/${compId}/feed?sd=${timesMs[2]}&ed=${timesMs[0]! + 1}`),
      average: integers(() => dataOf(`/api/comp/${compId}/cycle/day/stat/avg/feed`)),
      gsql: () => queried(`SELECT sample(Range(last=3)) FROM Stream WHERE cid = '${compId}'`),
      gsqlStatistic: () => queried(`SELECT sample(cycleId='day', stat='avg') FROM Stream WHERE cid = '${compId}'`),
      exported: () => exported(`compId=${compId}`),
    }
  }
  const insert = (compId: string, rows: string) =>
    `INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT '${compId}', id, t, v FROM ${rows}`

  /** Each stores samples of the component that is named as itself. */
  const writers: Readonly<Record<string, (samples: readonly Sample[]) => Promise<unknown>>> = {
    object: (samples) => {
      const stream = ids.map((streamId) => {
        const own = samples.filter((sample) => sample.streamId === streamId)
        return { streamId, time: own.map(({ time }) => time), data: own.map(({ data }) => data) }
      })
      return readings.send(
        'PUT',
        '/api/feed',
        JSON.stringify({ feed: { component: [{ componentId: 'object', stream }] } }),
      )
    },
    sink: (samples) => {
      const path = `/api/conn_sink/${service.organizationUid}/sink`
      return sinks.send('POST', path, JSON.stringify({ list: samples }))
    },
    script: (samples) => {
      const values = samples.map(({ streamId, time, data }) => `('script', '${streamId}', ${time}, ${String(data)})`)
      return readings.script(`INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES ${values.join(', ')}`)
    },
    import: (samples) =>
      readings.send('POST', '/api/import?format=ndjson', samples.map((sample) => JSON.stringify(sample)).join('\n')),
  }

  for (const [name, write] of Object.entries(writers))
    it(`shows all or nothing of what one call stores, by ${name}`, async () => {
      if (name === 'sink') {
        const sql = insert(
          name,
          "JSON_TABLE(@HTTP_BODY) WITH (id STRING '$.list[*].streamId', t LONG '$.list[*].time', v DOUBLE '$.list[*].data')",
        )
        const made = await manage.ask('POST', '/api/connector', { name, endpoint: name, runAsUserUid: ownerUid, sql })
        assert.equal(made.status, 201, JSON.stringify(made.body))
      }
      await play({
        upload: (value) => write(samplesOf(name, ids, timesMs, value)),
        half: (value) => write(halfOf(name, ids, timesMs, value)),
        readers: readersOf(name),
      })
    })

  it('shows an upload to interval streams together with the gaps that it fills', async () => {
    const compId = 'Intervals'
    const stream = ids.map((id) => ({ id, kind: 'interval', baseCycleId: 'hour' }))
    await manage.make('component', { id: compId, stream })
    const endsMs = [4, 3, 2, 1].map((hours) => timesMs[2]! + 60_000 * 2 - hours * hourMs)
    const outerMs = [endsMs[0]!, endsMs[3]!]
    /** Every second one leaves out the inner two, which become null. */
    const isFull = (value: number) => value % 2 === 0
    const samples = (value: number) => samplesOf(compId, ids, isFull(value) ? endsMs : outerMs, value)
    /** For each stream a text of its values, and that of the upload of which the first value is. */
    const texts = (values: readonly unknown[]) =>
      ids.flatMap((_, n) => {
        const own = values.slice(n * endsMs.length, (n + 1) * endsMs.length)
        const value = Number(own[0])
        const inner = isFull(value) ? value : null
        return [own, [value, inner, inner, value]].map(String)
      })
    const person = await openSqlPerson(service)
    const path = `/api/comp/${compId}`
    const range = `Range(sd=${endsMs[0]}, ed=${endsMs[3]! + 1})`
    await play({
      upload: (value) => readings.put(samples(value)),
      // Of every second stream the latest sample alone, so that nothing is filled.
      half: (value) => readings.put(halfOf(compId, ids, [endsMs[3]!], value)),
      readers: {
        feed: async () => texts(await readings.dataOf(`${path}/feed`)),
        window: async () => texts(await readings.dataOf(`${path}/feed?sd=${endsMs[0]}&ed=${endsMs[3]! + 1}`)),
        exported: async () => texts(await readings.exported(`compId=${compId}`)),
        gsql: async () => texts(await readings.queried(`SELECT sample(${range}) FROM Stream WHERE cid = '${compId}'`)),
        sql: async () => {
          const order = 'order by length(stream_id), stream_id, time'
          const rows = await person.ask(`select value from sample where component_id = '${compId}' ${order}`)
          return texts(rows.flat())
        },
        average: integers(() => readings.dataOf(`${path}/cycle/year/stat/avg/feed`)),
      },
    })
    await person.leave()
  })
})
