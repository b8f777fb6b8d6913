// A reply shows one moment (docs/replies.md) while samples are deleted, tiles are made of them, and retention takes them: of a
// deletion a reader sees all or nothing, and of tiles and retention nothing at all. The game: test/support/one-moment.ts.
import assert from 'node:assert/strict'
import { transaction } from '../../src/base/database/sql.ts'
import { findOrganization, lockOrganization, updateOrganization } from '../../src/core/organization.ts'
import { countSome, removeSome } from '../../src/core/upkeep/removal.ts'
import { archiveSome } from '../../src/core/upkeep/retention.ts'
import { fillEdges } from '../../src/core/sql-role/calendar.ts'
import { rollUp } from '../../src/core/statistic/rollup.ts'
import { addPerson } from '../support/http.ts'
import { openManager } from '../support/manage.ts'
import type { Manager } from '../support/manage.ts'
import {
  dataIn,
  integers,
  numbered,
  openReadings,
  orNone,
  play,
  samplesOf,
  uploads,
  whole,
} from '../support/one-moment.ts'
import type { Reader, Readings } from '../support/one-moment.ts'
import { addSession } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import type { SqlPerson } from '../support/sql-role.ts'
import { openSqlPerson } from '../support/sql-role.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const today = Math.floor(Date.now() / dayMs) * dayMs
const ids = numbered(12)

describe('a reply', function () {
  let service: TestService
  let manage: Manager
  let readings: Readings
  let person: SqlPerson
  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
    const { user } = await addPerson(service, 'owner')
    readings = openReadings(service.url, `session=${await addSession(service.sql, user)}`)
    // The thread that compiles takes a second of a core to start, for which a crowd of scripts would not wait.
    await readings.queried('SELECT 1')
    person = await openSqlPerson(service)
  })
  after(async () => {
    await person.leave()
    await service.close()
  })

  const asked = async (text: string) => (await person.ask(text)).flat()
  const rollOnce = () => rollUp(service.sql, Date.now())
  /** The sums of days that are in tiles, right or not. */
  const tiledOf = async (compId: string): Promise<readonly unknown[]> => {
    const tiles = await service.sql<{ sum: number }[]>`
      select distinct sum_num as sum
      from tile_day join stream on stream.key = stream_key join component on component.key = component_key
      where component.id = ${compId}
      order by 1`
    return tiles.map(({ sum }) => sum)
  }

  it('shows all streams or none while a script deletes the samples of all and an upload brings them again', async () => {
    const { dataOf, exported, queried, script, uploadAll } = readings
    const timeMs = Math.floor(Date.now() / hourMs) * hourMs
    const upload = uploadAll('Gone', ids, [timeMs, timeMs + 1])
    const remove = (some: readonly string[]) =>
      script(`DELETE FROM SAMPLE WHERE CID = 'Gone' AND ID IN (${some.map((id) => `'${id}'`).join(', ')})`)
    const path = '/api/comp/Gone'
    await play({
      upload: (value) => (value % 2 === 0 ? upload(value) : remove(ids)),
      half: () => remove(ids.slice(6)),
      readers: {
        lastValue: whole(12, () => dataOf(`${path}/last_value`)),
        feed: whole(24, () => dataOf(`${path}/feed`)),
        window: whole(24, () => dataOf(`${path}/feed?sd=${timeMs}&ed=${timeMs + 2}`)),
        statistic: whole(12, () => dataOf(`${path}/cycle/day/stat/min/feed`)),
        lastStatistic: whole(12, () => dataOf(`${path}/cycle/month/stat/max/last_value`)),
        exported: whole(24, () => exported('compId=Gone')),
        gsql: whole(24, () => queried("SELECT sample(Range(last=2)) FROM Stream WHERE cid = 'Gone'")),
        sql: whole(24, () => asked("select value from sample where component_id = 'Gone'")),
      },
    })
  })

  it('shows all samples of a stream or none while many are deleted by one call, tiles of them included', async () => {
    const { dataOf, exported, queried, put, send } = readings
    const timesMs = Array.from({ length: 960 }, (_, n) => today - 20 * dayMs + n * (hourMs / 4))
    const until = timesMs.at(-1)! + 1
    const path = '/api/comp/Many/stream/a'
    const remove = (sd: number) => send('DELETE', `${path}/feed?sd=${sd}&ed=${until}`)
    const counted = async (read: Promise<readonly unknown[]>) =>
      (await read).reduce<number>((sum, count) => sum + Number(count), 0)
    /** One or the other, as the sum of all counts. */
    const all =
      (read: () => Promise<readonly unknown[]>): Reader =>
      async () => {
        const count = await counted(read())
        return [count === 0 ? timesMs.length : count, timesMs.length]
      }
    await put(samplesOf('Many', ['a'], timesMs, 0))
    await fillEdges(service.sql, Date.now())
    while (await rollOnce());
    assert.notDeepEqual(await tiledOf('Many'), [])
    await play({
      upload: (value) => (value % 2 === 0 ? put(samplesOf('Many', ['a'], timesMs, value)) : remove(timesMs[0]!)),
      half: () => remove(timesMs[480]!),
      readers: {
        feed: whole(timesMs.length, () => dataOf(`${path}/feed?limit=1000`)),
        exported: whole(timesMs.length, () => exported('compId=Many')),
        gsql: whole(timesMs.length, () =>
          queried(`SELECT sample(Range(sd=${timesMs[0]}, ed=${until})) FROM Stream WHERE cid = 'Many'`),
        ),
        days: all(() => dataOf(`${path}/cycle/day/stat/nongapcount/feed?limit=1000`)),
        year: all(async () => {
          const counts = await dataOf(`${path}/cycle/year/stat/nongapcount/feed`)
          return counts.slice(0, 2)
        }),
        sqlDays: all(() => asked("select count from day where component_id = 'Many' and time > current_date - 40")),
        sqlMonths: all(() => asked("select count from month where component_id = 'Many' and time > current_date - 80")),
      },
      beside: [rollOnce],
    })
  })

  it('shows a component with all of its streams or not at all while it is deleted, and its samples behind it', async () => {
    const { put, send, json, queried } = readings
    const samples = (value: number) => put(samplesOf('Doomed', ids, [today, today + 1], value))
    const uidOf = async () =>
      (await json<{ component: readonly { uid: string }[] }>('/api/component?id=Doomed')).component[0]!.uid
    const path = '/api/comp/Doomed'
    const ofAll = "FROM Stream WHERE cid = 'Doomed'"
    await play({
      upload: async (value) => {
        if (value % 2 === 0) return samples(value)
        return send('DELETE', `/api/component/${await uidOf()}`)
      },
      half: async () => {
        const { stream } = await manage.one('component', await uidOf())
        for (const { uid } of stream.slice(6)) await send('DELETE', `/api/stream/${uid}`)
      },
      readers: {
        feed: whole(24, orNone(readings, `${path}/feed`, dataIn)),
        lastValue: whole(12, orNone(readings, `${path}/last_value`, dataIn)),
        statistic: whole(12, orNone(readings, `${path}/cycle/day/stat/min/feed`, dataIn)),
        exported: whole(
          24,
          orNone(readings, '/api/export?format=ndjson&compId=Doomed', (text) =>
            dataIn(`[${text.trim().replaceAll('\n', ',')}]`),
          ),
        ),
        gsql: whole(12, () => queried(`SELECT lastValue ${ofAll}`)),
        gsqlSamples: whole(24, () => queried(`SELECT sample(Range(last=2)) ${ofAll}`)),
        sql: whole(24, () => asked("select value from sample where component_id = 'Doomed'")),
        catalogue: whole(
          12,
          orNone(readings, '/api/export?what=catalogue&compId=Doomed', (text) => {
            const line = text.split('\n').find((each) => each.startsWith('{"component":'))
            if (line === undefined) return []
            return (JSON.parse(line) as { component: { stream: { kind: string }[] } }).component.stream.map(
              ({ kind }) => kind,
            )
          }),
        ),
      },
      beside: [() => countSome(service.sql), () => removeSome(service.sql, 5)],
    })
  })

  it('shows all of an upload or nothing while tiles are made of old samples and mended', async () => {
    const { dataOf, exported, json, queried, uploadAll, uploadHalf } = readings
    const timesMs = Array.from({ length: 40 }, (_, n) => today - 2 * dayMs - n * 6 * hourMs)
    const path = '/api/comp/Tiled'
    const ofAll = "FROM Stream WHERE cid = 'Tiled'"
    const recently = "where component_id = 'Tiled' and time > current_date - 14"
    const days = `Range(sd=${timesMs.at(-1)}, ed=${today}), cycleId='day'`
    await uploadAll('Tiled', ids, timesMs)(0)
    await fillEdges(service.sql, Date.now())
    while (await rollOnce());
    const tiled = new Set<unknown>()
    await play({
      upload: async (value) => {
        await Promise.all([uploadAll('Tiled', ids, timesMs)(value), rollOnce()])
        await rollOnce()
        for (const sum of await tiledOf('Tiled')) tiled.add(sum)
      },
      half: uploadHalf('Tiled', ids, timesMs),
      readers: {
        days: () => dataOf(`${path}/cycle/day/stat/avg/feed?limit=1000`),
        daysOfStream: () => dataOf(`${path}/stream/s3/cycle/day/stat/max/feed`),
        weeks: () => dataOf(`${path}/cycle/week/stat/avg/feed`),
        lastYear: integers(() => dataOf(`${path}/cycle/year/stat/avg/last_value`)),
        lastYearOfStream: integers(() => dataOf(`${path}/stream/s3/cycle/year/stat/avg/last_value`)),
        exported: () => exported('what=statistics&cycle=day&stat=min&compId=Tiled'),
        gsql: () => queried(`SELECT sample(${days}, stat='avg') ${ofAll}`),
        chart: async () => {
          const { items } = await json<{ items: unknown[][] }>(`${path}/stream/s3/chart?points=3`)
          return items.flatMap((item) => item.slice(2))
        },
        hour: () => asked(`select avg from hour ${recently} and stream_id = 's3'`),
        day: () => asked(`select min, max, avg from day ${recently}`),
        month: () => asked(`select min, max from month ${recently}`),
      },
    })
    // Some of them were mended meanwhile.
    assert.ok(tiled.size > 1)
  })

  it('shows the same statistics while retention takes the samples and uploads and deletions go on', async () => {
    const { dataOf, exported, queried, send, text, uploadAll } = readings
    const days = Array.from({ length: 40 }, (_, n) => today - (n + 20) * dayMs + hourMs)
    await uploadAll('Old', ids, days)(3)
    await fillEdges(service.sql, Date.now())
    while (await rollOnce());
    const [path, old] = ['/api/comp/Old', `sd=${days.at(-1)}&ed=${today - 15 * dayMs}`]
    const recent = [today - dayMs, today - dayMs + 1]
    const scope = `FROM Stream WHERE cid = 'Old'`
    const range = `Range(sd=${days.at(-1)! - 2 * hourMs}, ed=${today - 15 * dayMs})`
    const before = "component_id = 'Old' and time between current_date - 60 and current_date - 10"
    /** As it is now, as long as the game lasts. */
    const unchanged = async (read: () => Promise<unknown>): Promise<Reader> => {
      const first = JSON.stringify(await read())
      return async () => [first, JSON.stringify(await read())]
    }
    const statistics = ['sum', 'avg', 'max', 'nongapcount', 'first', 'maxoccurrence']
    const readers: Record<string, Reader> = {
      days: await unchanged(() =>
        asked(`select stream_id, time, count, sum, last from day where ${before} order by 1, 2`),
      ),
      hours: await unchanged(() =>
        asked(`select time, min, count from hour where stream_id = 's0' and ${before} order by 1`),
      ),
      exported: await unchanged(() => text(`/api/export?what=statistics&cycle=day&stat=sum&compId=Old&${old}`)),
      gsql: await unchanged(() => queried(`SELECT sample(${range}, cycleId='day', stat='sum') ${scope}`)),
      recent: () => dataOf(`${path}/feed?sd=${recent[0]}&ed=${recent[1]! + 1}`),
      lastValue: () => dataOf(`${path}/last_value`),
      recentOfStatistics: integers(() => dataOf(`${path}/cycle/day/stat/avg/last_value`)),
      recentExported: () => exported(`compId=Old&sd=${recent[0]}`),
      recentSql: () => asked(`select value from sample where component_id = 'Old' and time > current_date - 3`),
    }
    for (const name of statistics)
      readers[name] = await unchanged(() => text(`${path}/cycle/day/stat/${name}/feed?${old}&limit=1000`))
    readers['hoursOfApi'] = await unchanged(() => text(`${path}/cycle/hour/stat/sum/feed?${old}&limit=1000`))
    assert.equal((await dataOf(`${path}/cycle/day/stat/sum/feed?${old}&limit=1000`)).length, 480)
    const organization = (await findOrganization(service.sql, service.organizationUid))!
    await transaction(service.sql, async (sql) => {
      const locked = (await lockOrganization(sql, organization.key))!
      await updateOrganization(sql, locked, { ...locked, retentionDays: 10 })
    })
    /** A stream at a time, and the rest at the end. */
    const archive = async (value: number) => {
      if (value < uploads) await archiveSome(service.sql, Date.now(), undefined, 0)
      else while (await archiveSome(service.sql, Date.now()));
    }
    const beside = async (value: number) => {
      await uploadAll('Beside', ['a'], days.slice(0, 1))(value).catch(() => {})
      await uploadAll('Beside', ['a'], recent)(value)
      await send('DELETE', `/api/comp/Beside/stream/a/feed?sd=0&ed=${today + dayMs}`)
    }
    await play({
      upload: (value) => Promise.all([uploadAll('Old', ids, recent)(value), archive(value), beside(value)]),
      half: async (value) => {
        const left = await service.sql`
          select from sample join stream on stream.key = stream_key join component on component.key = component_key
          where component.id = 'Old' and time < ${today - 11 * dayMs}`
        assert.equal(left.length, 0)
        await uploadAll('Old', ids.slice(6), recent.slice(1))(value)
        await send('DELETE', `${path}/stream/s0/feed?sd=0&ed=${today - 15 * dayMs}`)
      },
      readers,
      beside: [rollOnce],
    })
  })
})
