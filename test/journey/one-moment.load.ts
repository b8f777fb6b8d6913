// A reply shows one moment (docs/replies.md): of an upload a reader sees all or nothing, over all streams of the reply.
//
// The game: every upload writes one value to all streams of a component in one PUT, while readers ask for them in every
// way there is. Every reply must be of one value.
import assert from 'node:assert/strict'
import { parquetReadObjects } from 'hyparquet'
import { transaction } from '../../src/base/database/sql.ts'
import { findOrganization, lockOrganization, updateOrganization } from '../../src/core/organization.ts'
import { fillEdges } from '../../src/core/sql-calendar.ts'
import { archiveSome } from '../../src/core/sample/retention.ts'
import { addPerson } from '../support/http.ts'
import { addApiKey } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { openManager } from '../support/manage.ts'
import type { Manager } from '../support/manage.ts'
import { shortOrLong } from '../support/soak.ts'
import { openSqlPerson } from '../support/sql-role.ts'
import { eventually } from '../support/within.ts'

const hourMs = 3_600_000
const yearMs = 365 * 24 * hourMs
const uploads = shortOrLong(10, 200)

type Described = { readonly description: string }
type Item = { readonly data: unknown; readonly streamId: string; readonly fileName?: string; readonly size?: number }

describe('a reply', function () {
  let service: TestService
  let manage: Manager
  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
  })
  after(() => service.close())

  const read = async (path: string): Promise<readonly Item[]> => {
    const reply = await service.get(path)
    assert.equal(reply.status, 200, reply.text)
    return reply.json as readonly Item[]
  }
  /**
   * Uploads one value after the other while all readers read, and gives the replies in which there were several, and the
   * readers that never saw two values, which would notice nothing.
   */
  const play = async (
    upload: (value: number) => Promise<void>,
    readers: readonly (() => Promise<readonly unknown[]>)[],
  ): Promise<{ readonly replies: number; readonly torn: readonly unknown[]; readonly blind: readonly number[] }> => {
    const over = new AbortController()
    let replies = 0
    const torn: unknown[] = []
    const seen = new Set<number>()
    await upload(0)
    const reading = readers.map(async (each, reader) => {
      while (!over.signal.aborted) {
        const values = await each()
        replies += 1
        if (new Set(values.map(String)).size > 1) torn.push(values)
        if (values.length > 1) seen.add(reader)
      }
    })
    for (let value = 1; value <= uploads; value += 1) await upload(value)
    over.abort()
    await Promise.all(reading)
    return { replies, torn, blind: [...readers.keys()].filter((reader) => !seen.has(reader)) }
  }
  const uploadAll =
    (compId: string, streamIds: readonly string[], timesMs: readonly number[]) => async (data: number) => {
      const samples = streamIds.flatMap((streamId) => timesMs.map((time) => ({ compId, streamId, data, time })))
      const reply = await service.put('/api/feed', JSON.stringify(samples))
      assert.equal(reply.status, 200, reply.text)
    }
  const dataOf = async (path: string) => (await read(path)).map(({ data }) => data)

  const queried = async (script: string) => {
    const { status, body } = await manage.ask('GET', `/api/gql?s=${encodeURIComponent(script)}`)
    assert.equal(status, 200, JSON.stringify(body))
    return (body as { rows: unknown[][] }).rows.map(([value]) => value)
  }
  const exported = async (query: string) => {
    const reply = await service.get(`/api/export?format=ndjson&${query}`)
    assert.equal(reply.status, 200, reply.text)
    const lines = reply.text.split('\n').filter((line) => line !== '')
    return lines.map((line) => (JSON.parse(line) as Item).data)
  }

  it('shows all of an upload or nothing, of few streams and many, near and far, in every kind of reading', async () => {
    const nowMs = Math.floor(Date.now() / hourMs) * hourMs
    for (const [count, timeMs] of [
      [2, nowMs],
      [40, nowMs],
      [7, nowMs - 3 * yearMs],
      [40, nowMs - yearMs / 2],
    ] as const) {
      const compId = `Even ${count} ${timeMs}`
      const ids = Array.from({ length: count }, (_, n) => `s${n}`)
      const path = `/api/comp/${encodeURIComponent(compId)}`
      const window = `sd=${timeMs}&ed=${timeMs + 1}`
      const rsid = ids
        .slice(1)
        .map((id) => `&rsid=${id}`)
        .join('')
      const { replies, torn } = await play(uploadAll(compId, ids, [timeMs]), [
        () => dataOf(`${path}/last_value`),
        () => dataOf(`${path}/feed`),
        () => dataOf(`${path}/feed?limit=${count}&retFData&retUnit`),
        () => dataOf(`${path}/feed?${window}`),
        () => dataOf(`${path}/feed?ed=${timeMs + 1}`),
        () => dataOf(`${path}/cycle/day/stat/max/feed`),
        () => dataOf(`${path}/cycle/year/stat/last/last_value`),
        () => queried(`SELECT lastValue FROM Stream WHERE cid = '${compId}' AND id <> 'other'`),
        () =>
          queried(`SELECT sample(cycleId='year', stat='max') FROM Stream WHERE cid = '${compId}' AND id <> 'other'`),
        () => exported(`compId=${encodeURIComponent(compId)}&sd=${timeMs}&ed=${timeMs + 1}`),
        async () => {
          const reply = await service.put(`/api/feed?compId=${encodeURIComponent(compId)}&other=${rsid}`)
          assert.equal(reply.status, 200, reply.text)
          const { missing: _, ...values } = reply.json as Record<string, unknown>
          return Object.values(values)
        },
      ])
      assert.deepEqual(torn, [], `${torn.length} of ${replies} replies of ${compId}`)
    }
  })

  it('shows all of an upload or nothing in every other form: lines, files, charts, SQL, assistants, listeners', async () => {
    const compId = 'Forms'
    const ids = Array.from({ length: 12 }, (_, n) => `s${n}`)
    const timesMs = [0, 1, 2].map((minute) => Math.floor(Date.now() / hourMs) * hourMs - minute * 60_000 - hourMs)
    const { user } = await addPerson(service, 'owner')
    const copying = {
      name: 'copy',
      endpoint: 'copy',
      runAsUserUid: user.uid,
      sql: `INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'Copy', id, 5, lastValue FROM Stream WHERE cid = '${compId}'`,
    }
    const made = await manage.ask('POST', '/api/connector', copying)
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const { secret } = await addApiKey(service.sql, service.organizationUid, [
      { resource: 'connector/*/sink', methods: ['POST'] },
    ])
    const person = await openSqlPerson(service)
    const path = `/api/comp/${compId}`
    const key = `api_key=${service.apiKey}`
    const lines = async (address: string, Accept: string) => {
      const reply = await service.request('GET', address, { headers: { Accept } })
      assert.equal(reply.status, 200, reply.text)
      return reply.text.split(/\r?\n/).filter((line) => line !== '')
    }
    const lastCells = (csv: readonly string[]) => csv.slice(1).map((line) => line.split(',').at(-1))
    const asked = async (text: string) => {
      const rows = await person.ask(text)
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
      assert.ok(rows.length > 0)
      return rows.map((row) => row[columns.indexOf('data')])
    }
    await uploadAll(compId, ids, timesMs)(0)
    await fillEdges(service.sql, Date.now())
    const scope = `compId=${compId}&${key}`
    const { replies, torn, blind } = await play(uploadAll(compId, ids, timesMs), [
      () => dataOf(`${path}/stream/s3/feed`),
      () => dataOf(`${path}/stream/s3/feed?sd=${timesMs[2]}&ed=${timesMs[0]! + 1}`),
      () => dataOf(`${path}/last_value`),
      () => dataOf(`${path}/cycle/hour/stat/avg/feed`),
      // An average of old and new samples is no whole number.
      async () =>
        (await dataOf(`${path}/stream/s3/cycle/day/stat/avg/feed`)).flatMap((one) => [one, Math.round(one as number)]),
      async () => {
        const reply = await service.get(`${path}/stream/s3/chart`)
        return (reply.json as { items: unknown[][] }).items.flatMap((item) => item.slice(2))
      },
      async () => {
        const reply = await service.get(`${path}/stream/s3/chart?points=1`)
        return (reply.json as { items: unknown[][] }).items.flatMap((item) => item.slice(2))
      },
      async () => lastCells(await lines(`${path}/feed?${key}`, 'text/csv')),
      async () =>
        (await lines(`${path}/feed?${key}`, 'application/x-ndjson')).map((line) => (JSON.parse(line) as Item).data),
      async () => lastCells(await lines(`/api/export?format=csv&${scope}`, '*/*')),
      () => exported(`what=statistics&cycle=day&stat=max&${scope}`),
      async () => {
        const reply = await fetch(`${service.url}/api/export?format=parquet&${scope}`)
        return (await parquetReadObjects({ file: await reply.arrayBuffer() })).map(({ number }) => number)
      },
      () => queried(`SELECT sample(Range(last=3)) FROM Stream WHERE cid = '${compId}'`),
      () => asked(`select value from sample where component_id = '${compId}'`),
      () => asked(`select min, max, avg from day where component_id = '${compId}'`),
      () => table('read_samples', {}),
      () => table('last_values', {}),
      () => table('read_statistics', { cycle: 'day', statistic: 'max' }),
      async () =>
        (await told('run_gs_sql', { script: `SELECT lastValue FROM Stream WHERE cid = '${compId}'` }))
          .split(/\r?\n/)
          .slice(1)
          .filter((line) => line !== ''),
      async () => {
        const listened = await lines(`/api/live?seconds=0&${scope}`, '*/*')
        const data = listened
          .filter((line) => line.startsWith('data: '))
          .map((line) => JSON.parse(line.slice(6)) as Item)
        // Last values come first, and an upload meanwhile behind them.
        return data.slice(0, ids.length).map((one) => one.data)
      },
      async () => {
        const address = `/api/conn_sink/${service.organizationUid}/copy?api_key=${secret}`
        const reply = await service.request('POST', address)
        assert.equal(reply.status, 200, reply.text)
        return dataOf('/api/comp/Copy/last_value')
      },
    ])
    await person.leave()
    assert.deepEqual({ torn, blind }, { torn: [], blind: [] }, `${torn.length} of ${replies} replies`)
  })

  it('shows an upload together with the streams that it derives at once', async () => {
    const derived = (id: string) => ({ id, expression: 'v', variables: [{ name: 'v', streamId: 'a' }] })
    await manage.make('component', { id: 'Derived', stream: [{ id: 'a' }, ...['b', 'c', 'd'].map(derived)] })
    const firstMs = Date.now() - hourMs
    const upload = async (value: number) => {
      const sample = `compId=Derived&a=${value}&time=${firstMs + value}`
      const reply = await service.put(`/api/feed?${sample}&derMaxS=3&derTout=60000`)
      assert.equal(reply.status, 200, reply.text)
    }
    const { replies, torn } = await play(upload, [
      () => dataOf('/api/comp/Derived/last_value'),
      () => dataOf('/api/comp/Derived/cycle/day/stat/last/feed'),
      () => queried("SELECT lastValue FROM Stream WHERE cid = 'Derived'"),
    ])
    assert.deepEqual(torn, [], `${torn.length} of ${replies}`)
  })

  it('shows all streams or none while a script deletes the samples of all and an upload brings them again', async () => {
    const ids = Array.from({ length: 12 }, (_, n) => `s${n}`)
    const timeMs = Math.floor(Date.now() / hourMs) * hourMs
    const upload = uploadAll('Gone', ids, [timeMs, timeMs + 1])
    const person = await openSqlPerson(service)
    const { call } = await addPerson(service, 'admin')
    const turn = async (value: number) => {
      if (value % 2 === 0) return upload(value)
      const script = `DELETE FROM SAMPLE WHERE CID = 'Gone' AND ID IN (${ids.map((id) => `'${id}'`).join(', ')})`
      const { status, body } = await call('POST', `/api/gql?s=${encodeURIComponent(script)}`)
      assert.equal(status, 200, JSON.stringify(body))
    }
    /** A value of its own where some are missing, so that the reply counts as torn. */
    const whole = (count: number, ask: () => Promise<readonly unknown[]>) => async () => {
      const values = await ask()
      return values.length === 0 || values.length === count ? values : [...values, `${values.length} of ${count}`]
    }
    const path = '/api/comp/Gone'
    const { replies, torn } = await play(turn, [
      whole(12, () => dataOf(`${path}/last_value`)),
      whole(24, () => dataOf(`${path}/feed`)),
      whole(24, () => dataOf(`${path}/feed?sd=${timeMs}&ed=${timeMs + 2}`)),
      whole(12, () => dataOf(`${path}/cycle/day/stat/min/feed`)),
      whole(12, () => dataOf(`${path}/cycle/month/stat/max/last_value`)),
      whole(24, () => exported('compId=Gone')),
      whole(24, () => queried("SELECT sample(Range(last=2)) FROM Stream WHERE cid = 'Gone'")),
      whole(24, async () => (await person.ask("select value from sample where component_id = 'Gone'")).flat()),
    ])
    await person.leave()
    assert.deepEqual(torn, [], `${torn.length} of ${replies}`)
  })

  it('shows all of an upload or nothing where interval, point and other streams stand together', async () => {
    const compId = 'Mixed'
    const kinds = ['random', 'interval', 'point', 'interval', 'random', 'point', 'random']
    await manage.make('component', {
      id: compId,
      stream: kinds.map((kind, n) => ({ id: `s${n}`, kind, ...(kind === 'interval' ? { baseCycleId: 'hour' } : {}) })),
    })
    const timeMs = Math.floor(Date.now() / hourMs) * hourMs - 2 * hourMs
    const { replies, torn } = await play(
      uploadAll(
        compId,
        kinds.map((_, n) => `s${n}`),
        [timeMs],
      ),
      [
        () => dataOf(`/api/comp/${compId}/last_value`),
        () => dataOf(`/api/comp/${compId}/feed`),
        () => dataOf(`/api/comp/${compId}/feed?limit=7`),
        () => dataOf(`/api/comp/${compId}/cycle/year/stat/max/last_value`),
      ],
    )
    assert.deepEqual(torn, [], `${torn.length} of ${replies}`)
  })

  it('names a file that is replaced meanwhile with the size that it has', async () => {
    const upload = async (value: number) => {
      const reply = await service.put(`/api/comp/Files/stream/photo/feed/file/f${value}?time=1`, 'x'.repeat(value + 1))
      assert.equal(reply.status, 200, reply.text)
    }
    const { replies, torn } = await play(
      upload,
      ['feed', 'last_value', 'feed?sd=0&ed=2'].map((path) => async () => {
        const [file] = await read(`/api/comp/Files/stream/photo/${path}`)
        return [file!.fileName, `f${file!.size! - 1}`]
      }),
    )
    assert.deepEqual(torn, [], `${torn.length} of ${replies}`)
  })

  it('shows a component with all streams that an upload gives it, or none', async () => {
    const ids = Array.from({ length: 30 }, (_, n) => `s${n}`)
    let component = 0
    const upload = async () => {
      component += 1
      await uploadAll(`Young ${component}`, ids, [Date.now()])(1)
    }
    const { replies, torn } = await play(
      upload,
      ['feed', 'last_value', 'cycle/day/stat/nongapcount/last_value'].map((path) => async () => {
        const reply = await service.get(`/api/comp/Young ${component + 1}/${path}`)
        // All of them, or the component is not there.
        return reply.status === 404 ? [] : [ids.length, (reply.json as unknown[]).length]
      }),
    )
    assert.deepEqual(torn, [], `${torn.length} of ${replies}`)
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
        await eventually(async () => {
          const waiting = await sql`
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
          return waiting.length > 0
        })
        await sql`update component set description = 'new' where uid = ${uid}`
        await sql`update stream set description = 'new' where component_key = (select key from component where uid = ${uid})`
      })
      const { description, stream } = (await reply!) as Described & { readonly stream: readonly Described[] }
      assert.deepEqual([description, stream.map((each) => each.description)], ['old', ['old']])
    })

  it('shows the same statistics before, while and after retention takes the samples', async () => {
    const dayMs = 24 * hourMs
    const today = Math.floor(Date.now() / dayMs) * dayMs
    const ids = Array.from({ length: 8 }, (_, n) => `s${n}`)
    const days = Array.from({ length: 60 }, (_, n) => today - (n + 20) * dayMs + hourMs)
    await uploadAll('Old', ids, days)(3)
    const path = '/api/comp/Old/cycle/day/stat/sum/feed?limit=1000'
    const before = await read(path)
    assert.equal(before.length, 480)
    const organization = (await findOrganization(service.sql, service.organizationUid))!
    await transaction(service.sql, async (sql) => {
      const locked = (await lockOrganization(sql, organization.key))!
      await updateOrganization(sql, locked, { ...locked, retentionDays: 10 })
    })
    const state = { isOver: false, replies: 0 }
    const reading = Array.from({ length: 3 }, async () => {
      while (!state.isOver) {
        assert.deepEqual(await read(path), before)
        state.replies += 1
      }
    })
    while (await archiveSome(service.sql, Date.now()));
    state.isOver = true
    await Promise.all(reading)
    const left = await service.sql`
      select from sample join stream on stream.key = stream_key join component on component.key = component_key
      where component.id = 'Old'`
    assert.deepEqual([left.length, await read(path)], [0, before])
    assert.ok(state.replies > 0)
  })
})
