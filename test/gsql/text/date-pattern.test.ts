// TOEPOCHMILLIS and dtFormatter against Temporal's own idea of zones, and against each other. The zones of Postgres are
// the host's, those of Temporal come with Node: they agree on the past, while rules for the future still change.
import assert from 'node:assert/strict'
import { Temporal } from 'temporal-polyfill'
import { openRandom } from '../../support/random.ts'
import { openScripts } from '../scripts.ts'
import type { Scripts } from '../scripts.ts'

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/Sao_Paulo',
  'Antarctica/Troll',
]

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

describe('dates', () => {
  let scripts: Scripts
  before(async () => (scripts = await openScripts()))
  after(() => scripts.close())

  const valuesOf = async (script: string, rows: readonly unknown[]) => {
    const result = await scripts.run(script, { variables: { HTTP_BODY: JSON.stringify(rows) } })
    return result.rows.map(([value]) => value)
  }

  it('mean without a zone what Temporal says: of two moments the first, of none the one moved forward', async () => {
    const random = openRandom(1)
    for (const zone of zones) {
      const locals = Array.from({ length: 150 }, () => {
        const ms = Date.UTC(1995 + random.integer(25), 0, 1) + random.integer(366 * 1440) * 60_000
        return new Date(ms).toISOString().slice(0, 16)
      })
      // Where the clock changes, every ten minutes.
      for (let day = Temporal.ZonedDateTime.from(`2015-01-01[${zone}]`), count = 0; count < 4; count++) {
        const next = day.getTimeZoneTransition('next')
        if (!next) break
        for (let minute = -180; minute < 180; minute += 10)
          locals.push(next.toPlainDateTime().add({ minutes: minute }).toString().slice(0, 16))
        day = next
      }
      const script = `SELECT TOEPOCHMILLIS(t, 'yyyy-MM-dd''T''HH:mm', '${zone}') FROM JSON_TABLE(@HTTP_BODY) WITH(t String '$[*]')`
      const expected = locals.map((local) => Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds)
      assert.deepEqual(await valuesOf(script, locals), expected, zone)
    }
  })

  it('are written as Temporal shows them, and read back', async () => {
    const random = openRandom(2)
    const moments = Array.from(
      { length: 150 },
      () => Date.UTC(1975, 0, 1) + random.integer(2 ** 31) * 650 + random.integer(1000),
    )
    const pattern = quoted("yyyy-MM-dd'T'HH:mm:ss.SSSXXX")
    for (const zone of zones) {
      const script = `SELECT dtFormatter(t, ${pattern}, '${zone}') FROM JSON_TABLE(@HTTP_BODY) WITH(t Long '$[*]')`
      const texts = await valuesOf(script, moments)
      const expected = moments.map((ms) => {
        const here = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)
        const offset = here.offset.slice(0, 6)
        return `${here.toPlainDateTime().toString({ fractionalSecondDigits: 3 })}${offset === '+00:00' ? 'Z' : offset}`
      })
      // Offsets of a hundred years ago had seconds, which neither form has.
      const whole = moments.map(
        (ms) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).offset.length === 6,
      )
      assert.deepEqual(
        texts.filter((_, index) => whole[index]),
        expected.filter((_, index) => whole[index]),
        zone,
      )
      const back = await valuesOf(
        `SELECT TOEPOCHMILLIS(t, ${pattern}) FROM JSON_TABLE(@HTTP_BODY) WITH(t String '$[*]')`,
        texts,
      )
      assert.deepEqual(
        back.filter((_, index) => whole[index]),
        moments.filter((_, index) => whole[index]),
        zone,
      )
    }
  })

  const patterns = [
    'yyyy-MM-dd HH:mm:ss.SSS VV',
    "EEEE, d. MMMM yyyy 'at' h:mm:ss.SSS a z",
    'E dd MMM yy hh:mm:ss a SSSSSSSSS X',
    'yyyyMMddHHmmssSSSZ',
    'M/d/y H:m:s.SSS xxx',
    '[dd.]MM.uuuu HH:mm:ss,SSSXX',
  ]
  for (const pattern of patterns)
    it(`are read back by the pattern that wrote them: ${pattern}`, async () => {
      const random = openRandom(3)
      const moments = Array.from(
        { length: 100 },
        () => Date.UTC(2001, 0, 1) + random.integer(2 ** 31) * 300 + random.integer(1000),
      )
      for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Kolkata']) {
        const texts = `dtFormatter(t, ${quoted(pattern)}, '${zone}')`
        // The second of two hours with the same name cannot be distinguished from the first.
        const script = `SELECT TOEPOCHMILLIS(${texts}, ${quoted(pattern)}, '${zone}') = t
          OR TOEPOCHMILLIS(${texts}, ${quoted(pattern)}, '${zone}') = t - 3600000 AND Month(t, '${zone}') = 10
          FROM JSON_TABLE(@HTTP_BODY) WITH(t Long '$[*]')`
        assert.deepEqual(new Set(await valuesOf(script, moments)), new Set([true]), zone)
      }
    })

  it('are cut and moved in the calendar of their zone', async () => {
    const random = openRandom(4)
    const moments = Array.from({ length: 80 }, () => Date.UTC(1992, 0, 1) + random.integer(2 ** 31) * 400)
    for (const zone of zones) {
      const run = (call: string) => valuesOf(`SELECT ${call} FROM JSON_TABLE(@HTTP_BODY) WITH(t Long '$[*]')`, moments)
      const here = moments.map((ms) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone))
      assert.deepEqual(
        await run(`DateTrunc('day', t, '${zone}')`),
        here.map((one) => one.startOfDay().epochMilliseconds),
        `day ${zone}`,
      )
      assert.deepEqual(
        await run(`DateTrunc('month', t, '${zone}')`),
        here.map((one) => one.with({ day: 1 }).startOfDay().epochMilliseconds),
        `month ${zone}`,
      )
      assert.deepEqual(
        await run(`DateAdd(t, 1, 'month', '${zone}')`),
        here.map((one) => one.toPlainDateTime().add({ months: 1 }).toZonedDateTime(zone).epochMilliseconds),
        `month later ${zone}`,
      )
      assert.deepEqual(
        await run(`Hour(t, '${zone}')`),
        here.map(({ hour }) => hour),
        `hour ${zone}`,
      )
      assert.deepEqual(
        await run(`DayOfWeek(t, '${zone}')`),
        here.map(({ dayOfWeek }) => dayOfWeek),
        `weekday ${zone}`,
      )
    }
  })
})
