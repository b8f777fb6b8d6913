// Views for people who ask by SQL (docs/bi.md): they say the same as the API, at every moment.
import assert from 'node:assert/strict'
import { transaction } from '../../../src/base/database/sql.ts'
import { findOrganization, lockOrganization, updateOrganization } from '../../../src/core/organization.ts'
import { archiveSome } from '../../../src/core/upkeep/retention.ts'
import { rollUp } from '../../../src/core/statistic/rollup.ts'
import { openManager } from '../../support/manage.ts'
import type { TestService } from '../../support/service.ts'
import { openTestService } from '../../support/service.ts'
import { shortOrLong } from '../../support/soak.ts'
import type { SqlPerson } from '../../support/sql-role.ts'
import { openSqlPerson } from '../../support/sql-role.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
const nowMs = Date.now()

/** Whole days, so that tests do not depend on the day: changes of summer time and archived times are among them. */
const spring = Date.parse('2026-03-28T22:00:00Z')
const changes = [spring, Date.parse('2026-04-04T12:00:00Z')]
const autumn = Math.floor(nowMs / dayMs) * dayMs - 2 * dayMs

const zones = ['Europe/Berlin', 'Australia/Lord_Howe', ...shortOrLong([], ['Asia/Kathmandu'])]

const streams = [
  { id: 'random', kind: 'random', valueType: 'DOUBLE' },
  { id: 'long', kind: 'interval', valueType: 'LONG', baseCycleId: '15minute' },
  { id: 'daily', kind: 'interval', valueType: 'DOUBLE', baseCycleId: 'day' },
  { id: 'on', kind: 'random', valueType: 'BOOLEAN' },
  { id: 'state', kind: 'random', valueType: 'STRING' },
  { id: 'mode', kind: 'point', valueType: 'DOUBLE' },
]

/** The columns of the views, by statistic; values of LONGs have columns of their own, in which they are exact. */
const columns = [
  [
    'first',
    "case value_type when 'STRING' then to_json(first_text) when 'LONG' then to_json(first_long) else to_json(first) end",
  ],
  [
    'last',
    "case value_type when 'STRING' then to_json(last_text) when 'LONG' then to_json(last_long) else to_json(last) end",
  ],
  ['min', "case value_type when 'LONG' then to_json(min_long) else to_json(min) end"],
  ['max', "case value_type when 'LONG' then to_json(max_long) else to_json(max) end"],
  ['sum', "case value_type when 'LONG' then to_json(sum_long) else to_json(sum) end"],
  ['avg', 'to_json(avg)'],
  ['minoccurrence', 'to_json((extract(epoch from min_time) * 1000)::bigint)'],
  ['maxoccurrence', 'to_json((extract(epoch from max_time) * 1000)::bigint)'],
  ['nongapcount', 'to_json(count)'],
  ['nongapmilliseccount', 'to_json(covered_ms)'],
] as const

describe('views for SQL', function () {
  this.timeout(120_000)
  let service: TestService
  let person: SqlPerson
  before(async () => {
    service = await openTestService()
    const manage = await openManager(service)
    for (const timeZone of zones)
      await manage.make('component', {
        id: timeZone,
        name: timeZone,
        timeZone,
        stream: streams.map((each) => ({ ...each, name: each.id })),
      })
    for (const compId of zones) await put(samplesOf(compId))
    person = await openSqlPerson(service)
  })
  after(async () => {
    await person.leave()
    await service.close()
  })

  const put = async (samples: readonly object[]) => {
    const reply = await service.put('/api/feed?autofillGapsWithNulls=false', JSON.stringify(samples))
    assert.equal(reply.status, 200, reply.text)
  }

  const samplesOf = (compId: string) => {
    const samples: object[] = []
    for (const startMs of [...changes, autumn])
      for (let at = 0; at < 16; at += 1) {
        const time = startMs + at * 30 * minuteMs
        const add = (streamId: string, data: unknown, lateMs = 0) =>
          samples.push({ compId, streamId, time: time + lateMs, data })
        add('random', ((at * 7) % 11) - 3, 1)
        add('long', at % 5 === 0 ? null : at * 10)
        add('on', at % 3 === 0)
        if (at % 6 === 0) add('state', `state ${at}`)
        if (at === 0) add('daily', 5)
        if (at === 0) add('mode', 4)
      }
    return samples
  }

  /** The API's statistics of a cycle, by stream and interval. */
  const ofApi = async (cycle: string) => {
    const found: string[] = []
    for (const compId of zones)
      for (const [statistic] of columns) {
        let path = `/api/comp/${encodeURIComponent(compId)}/cycle/${cycle}/stat/${statistic}/feed`
        let query: string | undefined = '?retStreamId&retIntvlSd'
        while (query !== undefined) {
          const reply = await service.get(`${path}${query}`)
          assert.equal(reply.status, 200, reply.text)
          for (const { streamId, sdTime, time, data } of reply.json as Readonly<Record<string, number | string>>[])
            found.push(JSON.stringify([compId, streamId, sdTime, time, statistic, rounded(data)]))
          query = /<(\?[^>]*)>/.exec(reply.headers.get('link') ?? '')?.[1]
        }
      }
    return found.toSorted()
  }

  const ofViews = async (cycle: string) => {
    const rows = await person.ask(`
      select component_id, stream_id, (extract(epoch from start_time) * 1000)::float8, (extract(epoch from time) * 1000)::float8,
        ${columns.map(([, column]) => column).join(', ')}
      from coppice.${cycle}`)
    return rows
      .flatMap(([component, stream, start, time, ...values]) =>
        values.map((value, at) => {
          // In JSON the API has true and false where the views have 1 and 0.
          const isFlag = stream === 'on' && ['first', 'last', 'min', 'max'].includes(columns[at]![0])
          return JSON.stringify([
            component,
            stream,
            start,
            time,
            columns[at]![0],
            isFlag ? value === 1 : rounded(value),
          ])
        }),
      )
      .toSorted()
  }

  /** Doubles may be added up in another order. */
  const rounded = (value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(13)) : value)

  const compare = async (when: string, ...cycles: readonly string[]) => {
    for (const cycle of cycles) {
      const [expected, found] = [await ofApi(cycle), await ofViews(cycle)]
      assert.ok(expected.length > 90)
      const [ofOne, ofOther] = [new Set(expected), new Set(found)]
      const missing = expected.filter((each) => !ofOther.has(each)).slice(0, 5)
      const strange = found.filter((each) => !ofOne.has(each)).slice(0, 5)
      assert.deepEqual({ when, cycle, missing, strange }, { when, cycle, missing: [], strange: [] })
    }
  }

  it('have the statistics of the API: before there are tiles, with them, with late samples, and of the archive', async () => {
    await compare('before there are tiles', ...shortOrLong(['day'], ['hour', 'day']))
    while (await rollUp(service.sql, nowMs));
    await compare('with tiles', ...shortOrLong(['hour', 'month'], ['hour', 'day', 'month']))
    await put(zones.map((compId) => ({ compId, streamId: 'random', time: spring + 5 * minuteMs, data: -100 })))
    await put(zones.map((compId) => ({ compId, streamId: 'long', time: spring + 60 * minuteMs, data: 1000 })))
    await compare('with late samples', ...shortOrLong(['day'], ['day', 'month']))
    const { key } = (await findOrganization(service.sql, service.organizationUid))!
    await transaction(service.sql, async (sql) => {
      const organization = (await lockOrganization(sql, key))!
      await updateOrganization(sql, organization, { ...organization, retentionDays: 60 })
    })
    while (await archiveSome(service.sql, nowMs));
    const [left] = await service.sql<
      [{ count: number }]
    >`select count(*)::integer as count from sample where time < ${autumn - dayMs}`
    assert.equal(left.count, 0)
    await compare('of the archive', ...shortOrLong(['hour', 'month'], ['hour', 'day', 'month']))
  })

  it('have the samples of the API', async () => {
    for (const compId of zones) {
      const reply = await service.get(`/api/comp/${encodeURIComponent(compId)}/feed?retStreamId&retIntvlSd`)
      const expected = (reply.json as { streamId: string; sdTime: number; time: number; data: unknown }[]).map(
        ({ streamId, sdTime, time, data }) =>
          JSON.stringify([streamId, sdTime, time, typeof data === 'boolean' ? Number(data) : data]),
      )
      const rows = await person.ask(`
        select stream_id, (extract(epoch from start_time) * 1000)::float8, (extract(epoch from time) * 1000)::float8,
          case value_type when 'STRING' then to_json(text) else to_json(value) end
        from coppice.sample where component_id = '${compId}'`)
      assert.deepEqual(rows.map((row) => JSON.stringify(row)).toSorted(), expected.toSorted())
    }
  })

  it('find samples by time without a look at other weeks', async () => {
    const plan = await person.ask(`
      explain select * from coppice.sample
      where component_id = 'Europe/Berlin' and indexed_time >= '2026-03-28' and indexed_time < '2026-03-30'`)
    const text = plan.map(([line]) => line).join('\n')
    assert.match(text, /"time" >= '2026-03-28/)
    assert.equal(new Set(text.match(/_hyper_\d+_\d+_chunk\b/g)).size, 1, text)
  })

  it('ask for the spans of each stream once, whatever bounds of time they are given', async () => {
    for (const view of ['hour', 'day', 'month'])
      for (const bounds of [
        "> now() - interval '3 days'",
        "between now() - interval '3 days' and now()",
        'is not null',
      ]) {
        const [[plan]] = (await person.ask(`
          explain (analyze, format json)
          select count(*) from coppice.${view} where component_id = 'Europe/Berlin' and time ${bounds}`)) as [
          [[object]],
        ]
        const asked = /"Function Name": "spans",(?:(?!"Node Type")[^])*?"Actual Loops": (\d+)/.exec(
          JSON.stringify(plan, null, 1),
        )
        assert.equal(asked?.[1], String(streams.length), `${view} ${bounds}`)
      }
  })

  it('list components and streams', async () => {
    assert.deepEqual(
      await person.ask('select id, time_zone from coppice.component order by id'),
      zones.toSorted().map((zone) => [zone, zone]),
    )
    assert.deepEqual(
      await person.ask(
        `select id, kind, value_type, base_cycle from coppice.stream where component_id = '${zones[0]}' order by position`,
      ),
      streams.map(({ id, kind, valueType, ...more }) => [
        id,
        kind,
        valueType,
        'baseCycleId' in more ? more.baseCycleId : null,
      ]),
    )
  })
})
