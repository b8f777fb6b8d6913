// Cycle intervals against Temporal, which is asked the slow and obvious way.
import assert from 'node:assert/strict'
import { Temporal } from 'temporal-polyfill'
import { cycleUnits, localMsOf, openCalendar } from '../../../src/core/time/calendar.ts'
import type { CycleDefinition } from '../../../src/core/time/calendar.ts'
import { openZone } from '../../../src/core/time/zone.ts'
import { withSeed } from '../../support/random.ts'
import { shortOrLong } from '../../support/soak.ts'
import { countSteps } from '../../support/steps.ts'

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Pacific/Apia',
  'Pacific/Kwajalein',
  'Asia/Manila',
  'America/Juneau',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Africa/Casablanca',
]

const at = (text: string) => Date.parse(text)
const cycle = (size: number, unit: CycleDefinition['unit'], reference = '2001-01-01T00:00:00'): CycleDefinition => ({
  size,
  unit,
  reference,
})

/** The moment of a local time by the words of docs/statistics.md#cycles. */
const momentOf = (local: Temporal.PlainDateTime, zone: string): number => {
  const earlier = local.toZonedDateTime(zone, { disambiguation: 'earlier' })
  if (earlier.toPlainDateTime().equals(local)) return earlier.epochMilliseconds
  const gap = earlier.getTimeZoneTransition('next')
  assert.ok(gap)
  return gap.epochMilliseconds
}

const fixedMs = { second: 1_000, minute: 60_000, hour: 3_600_000 } as const

const slowEdge = ({ size, unit, reference }: CycleDefinition, zone: string, index: number): number => {
  const local = Temporal.PlainDateTime.from(reference)
  if (unit === 'second' || unit === 'minute' || unit === 'hour')
    return momentOf(local, zone) + index * size * fixedMs[unit]
  return momentOf(local.add({ [`${unit}s`]: index * size }), zone)
}

/** The interval [start, end) that holds the moment. */
const slowInterval = (definition: CycleDefinition, zone: string, ms: number): readonly [number, number] => {
  const unitMs = { ...fixedMs, day: 86_400_000, week: 604_800_000, month: 2_629_746_000, year: 31_556_952_000 }
  let index = Math.floor((ms - slowEdge(definition, zone, 0)) / (unitMs[definition.unit] * definition.size)) + 2
  while (slowEdge(definition, zone, index) <= ms) index += 1
  while (slowEdge(definition, zone, index) > ms) index -= 1
  return [slowEdge(definition, zone, index), slowEdge(definition, zone, index + 1)]
}

describe('calendar', () => {
  it('refuses a reference that is no local time', () => {
    for (const text of ['', '2001-01-01', '2001-01-01T00:00:00Z', '2001-02-30T00:00:00', '2001-01-01T24:00:00'])
      assert.throws(() => localMsOf(text), RangeError, text)
  })

  it('refuses a zone that does not exist', () => {
    assert.throws(() => openCalendar(cycle(1, 'day'), 'Europe/Atlantis'), RangeError)
  })

  it('agrees with Temporal on random cycles, zones and moments', () =>
    withSeed(({ fraction, pick }) => {
      for (let round = 0; round < shortOrLong(700, 3_000); round += 1) {
        const zone = pick(zones)
        const definition = cycle(
          1 + Math.floor(fraction() ** 3 * 40),
          pick(cycleUnits),
          pick(['2001-01-01T00:00:00', '2024-02-29T02:30:00', '1999-08-31T23:59:59', '2030-12-30T00:01:00']),
        )
        const calendar = openCalendar(definition, zone)
        const range = pick([
          ['1994-12-30T00:00:00Z', '1995-01-02T00:00:00Z'],
          ['2011-12-28T00:00:00Z', '2012-01-02T00:00:00Z'],
          ['1844-12-28T00:00:00Z', '1845-01-03T00:00:00Z'],
          ['2024-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
          ['1840-01-01T00:00:00Z', '2060-01-01T00:00:00Z'],
          ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
        ] as const)
        let ms = Math.floor(at(range[0]) + fraction() * (at(range[1]) - at(range[0])))
        // Half of the moments stand on or beside a change of the clock.
        const near = ms > at('1840-01-01T00:00:00Z') && ms < at('2060-01-01T00:00:00Z') && fraction() < 0.5
        const change =
          near && Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).getTimeZoneTransition('next')
        if (change) ms = change.epochMilliseconds + pick([-1, 0, 1, -3_600_000, 3_599_999, 86_400_000])
        const told = `${zone} ${JSON.stringify(definition)} ${ms}`

        const [start, end] = slowInterval(definition, zone, ms)
        assert.equal(calendar.startOf(ms), start, told)
        assert.equal(calendar.endOf(ms), end, told)
        assert.equal(calendar.endAtOrAfter(ms), ms === start ? start : end, told)
        assert.equal(calendar.endAtOrAfter(end), end, told)
      }
    }))

  it('clamps months referenced to the 31st and counts them from the reference', () => {
    const calendar = openCalendar(cycle(1, 'month', '2023-10-31T00:00:00'), 'UTC')
    const days = calendar.edgesBetween(at('2024-01-01T00:00:00Z'), at('2024-06-01T00:00:00Z'), 10)
    assert.deepEqual(
      days.map((ms) => new Date(ms).toISOString().slice(0, 10)),
      ['2024-01-31', '2024-02-29', '2024-03-31', '2024-04-30', '2024-05-31'],
    )
  })

  it('takes the first of a local time that happens twice', () => {
    // In 2010 St. John's set its clocks back at 00:01, so that midnight came twice.
    const calendar = openCalendar(cycle(1, 'day'), 'America/St_Johns')
    assert.equal(calendar.startOf(at('2010-11-07T12:00:00Z')), at('2010-11-07T02:30:00Z'))
    assert.equal(calendar.endOf(at('2010-11-07T12:00:00Z')), at('2010-11-08T03:30:00Z'))
  })

  it('takes the moment after the gap for a local time that does not happen', () => {
    const calendar = openCalendar(cycle(1, 'day', '2001-01-01T02:15:00'), 'Europe/Berlin')
    assert.equal(calendar.startOf(at('2026-03-29T12:00:00Z')), at('2026-03-29T01:00:00Z'))
  })

  it('leaves out the day that Pacific/Apia skipped', () => {
    const calendar = openCalendar(cycle(1, 'day'), 'Pacific/Apia')
    const from = at('2011-12-29T10:00:00Z')
    const to = at('2012-01-01T10:00:00Z')
    const edges = [
      at('2011-12-29T10:00:00Z'),
      at('2011-12-30T10:00:00Z'),
      at('2011-12-31T10:00:00Z'),
      at('2012-01-01T10:00:00Z'),
    ]
    assert.deepEqual(calendar.edgesBetween(from, to, 100), edges)
    assert.equal(calendar.countEdges(from, to), 3)
    assert.equal(calendar.countEdges(edges[1]!, to), 2)
    assert.equal(calendar.countEdges(edges[1]! - 1, edges[1]!), 1)
  })

  it('lists the first edges of a window and counts all of them', () => {
    for (const zone of zones)
      for (const unit of cycleUnits.slice(2)) {
        const calendar = openCalendar(cycle(unit === 'hour' ? 7 : 1, unit), zone)
        const from = at('2011-01-01T00:00:00Z')
        const to = at('2013-06-01T00:00:00Z')
        const all = calendar.edgesBetween(from + 1, to, Number.POSITIVE_INFINITY)
        assert.equal(calendar.countEdges(from, to), all.length, `${zone} ${unit}`)
        assert.deepEqual(calendar.edgesBetween(from + 1, to, 3), all.slice(0, 3))
        for (const [index, edge] of all.entries()) assert.equal(calendar.endOf(edge - 1), edge, `${zone} ${index}`)
      }
  })

  it('steps over any number of edges to the one that going from edge to edge comes to', () =>
    withSeed(({ fraction, integer, pick }) => {
      for (let round = 0; round < shortOrLong(300, 3_000); round += 1) {
        const zone = pick(zones)
        const unit = pick(cycleUnits)
        const definition = cycle(
          pick([1, 1, 1 + integer(7)]),
          unit,
          pick(['2001-01-01T00:00:00', '2024-02-29T02:30:00', '1999-08-31T23:59:59', '2030-12-30T00:01:00']),
        )
        const calendar = openCalendar(definition, zone)
        // Most begin near a day that was skipped, or within a few edges of it.
        const near = pick([
          '2011-12-30T10:00:00Z',
          '1993-08-21T12:00:00Z',
          '1844-12-31T15:56:08Z',
          '2026-03-29T01:00:00Z',
        ])
        const edges = [calendar.startOf(at(near) + Math.floor((fraction() - 0.5) * 1e10 * fraction() ** 3))]
        for (let left = pick([1, 3, 60]); left > 0; left -= 1) edges.push(calendar.endOf(edges.at(-1)!))
        for (let tries = 0; tries < 20; tries += 1) {
          const [from, to] = [integer(edges.length), integer(edges.length)]
          const told = `${zone} ${JSON.stringify(definition)} ${edges[from]} ${to - from}`
          assert.equal(calendar.step(edges[from]!, to - from), edges[to], told)
          assert.equal(calendar.countEdges(edges[from]!, edges[to]!), Math.max(0, to - from), told)
        }
        for (let left = edges.length - 1; left > 0; left -= 1)
          assert.equal(calendar.startOf(edges[left]! - 1), edges[left - 1], `${zone} ${JSON.stringify(definition)}`)
      }
    }))

  it('steps over as many edges as a variable may go back, in as much work as over one', async () => {
    const steps = (by: number) => [{ size: 1, unit: 'day', reference: '2001-01-01T00:00:00' }, 'Pacific/Apia', by]
    const [one, many] = await countSteps(new URL('calendar-steps.ts', import.meta.url), 'stepFromNow', [
      steps(-1),
      steps(-1_000_000),
    ])
    assert.ok(many! <= one! + 20, `${one} ${many}`)
  })

  it('counts nothing in a window that is empty or runs backwards', () => {
    for (const unit of cycleUnits) {
      const calendar = openCalendar(cycle(1, unit), 'Asia/Kathmandu')
      assert.equal(calendar.countEdges(1_000_000, 1_000_000), 0)
      assert.equal(calendar.countEdges(1_000_000_000_000, 1_000_000), 0)
    }
  })

  it('holds in the years 1 and 9999 and for cycles longer than that', () => {
    const first = at('0001-01-01T00:00:00Z')
    const last = at('9999-12-31T23:59:59.999Z')
    for (const zone of zones)
      for (const definition of [cycle(1, 'second'), cycle(1, 'day'), cycle(1, 'year'), cycle(20_000, 'year')]) {
        const calendar = openCalendar(definition, zone)
        for (const ms of [first, last]) {
          assert.ok(calendar.startOf(ms) <= ms && ms < calendar.endOf(ms), `${zone} ${definition.unit}`)
          assert.deepEqual([calendar.startOf(ms), calendar.endOf(ms)], slowOrSelf(definition, zone, ms))
        }
      }
  })
})

describe('zone', () => {
  it('knows the offset of every zone as Temporal does, local mean time to the second', () => {
    for (const name of zones) {
      const zone = openZone(name)
      for (let ms = at('0001-01-01T00:00:00Z'); ms < at('9999-01-01T00:00:00Z'); ms += 1.3e12 + 123_456_789) {
        const slow = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(name).offsetNanoseconds / 1e6
        assert.equal(zone.offsetMs(ms), slow, `${name} ${new Date(ms).toISOString()}`)
      }
    }
    assert.equal(openZone('America/New_York').offsetMs(at('1700-01-01T00:00:00Z')), -17_762_000)
  })

  it('finds the days that were skipped, each once', () => {
    const skipped = (name: string) =>
      openZone(name)
        .skippedDays()
        .map((ms) => new Date(ms).toISOString())
    assert.deepEqual(skipped('Pacific/Apia'), ['2011-12-30T10:00:00.000Z'])
    assert.deepEqual(skipped('Pacific/Kwajalein'), ['1993-08-21T12:00:00.000Z'])
    assert.deepEqual(skipped('Asia/Manila'), ['1844-12-31T15:56:08.000Z'])
    for (const name of ['UTC', 'Europe/Berlin', 'America/Juneau', 'Africa/Casablanca'])
      assert.deepEqual(skipped(name), [])
  })
})

/** Temporal cannot count 20,000 years from a reference; there the calendar is asked itself. */
const slowOrSelf = (definition: CycleDefinition, zone: string, ms: number): readonly number[] => {
  if (definition.size < 1_000) return slowInterval(definition, zone, ms)
  const calendar = openCalendar(definition, zone)
  return [calendar.startOf(calendar.endOf(ms) - 1), calendar.endOf(calendar.startOf(ms))]
}
