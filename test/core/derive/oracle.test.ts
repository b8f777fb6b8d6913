// The oracle of derived streams by examples that a person can check: what it says, the server is held to.
import assert from 'node:assert/strict'
import { openCalendar } from '../../../src/core/time/calendar.ts'
import type { Value } from '../../../src/core/sample/value.ts'
import type { OracleStream } from '../statistic/oracle.ts'
import type { Known, OracleVariable } from './oracle.ts'
import { expectDerived, FormulaError, longestHole } from './oracle.ts'

const hours = openCalendar({ size: 1, unit: 'hour', reference: '2001-01-01T00:00:00' }, 'UTC')
const days = openCalendar({ size: 1, unit: 'day', reference: '2001-01-01T00:00:00' }, 'UTC')
const seconds = openCalendar({ size: 1, unit: 'second', reference: '2001-01-01T00:00:00' }, 'UTC')
const hourMs = 3_600_000

let lastKey = 0
const stream = (
  kind: OracleStream['kind'],
  samples: Readonly<Record<number, Value>>,
  more: Partial<OracleStream> = {},
): OracleStream => ({
  key: ++lastKey,
  kind,
  valueType: 'DOUBLE',
  calendar: kind === 'interval' ? hours : undefined,
  values: new Map(Object.entries(samples).map(([hour, value]) => [Number(hour) * hourMs, value])),
  sorted: undefined,
  archived: [],
  ...more,
})

const variable = (name: string, source: OracleStream, more: Partial<OracleVariable> = {}): OracleVariable => ({
  name,
  stream: source,
  offset: 0,
  calendar: undefined,
  statistic: undefined,
  ...more,
})

const expected = (
  derived: OracleStream,
  variables: readonly OracleVariable[],
  work: (known: Readonly<Record<string, Known>>) => Known,
) =>
  Object.fromEntries(
    expectDerived({ stream: derived, variables, formula: { text: '', work } }).map(({ timeMs, value, fails }) => [
      timeMs / hourMs,
      fails ? 'fails' : value,
    ]),
  )

const sum = ({ a, b }: Readonly<Record<string, Known>>): Known =>
  a === null || b === null ? null : Number(a) + Number(b)

describe('the oracle of derived streams', () => {
  it('expects a random stream where all plain variables have a sample', () => {
    const a = stream('random', { 1: 1, 2: 2, 3: 3 })
    const b = stream('random', { 2: 10, 3: 20, 4: 30 })
    assert.deepEqual(expected(stream('random', {}), [variable('a', a), variable('b', b)], sum), { 2: 12, 3: 23 })
  })

  it('takes the samples before by an offset, and null where there is none', () => {
    const a = stream('random', { 1: 1, 2: 2, 5: 3 })
    const variables = [variable('a', a), variable('b', a, { offset: -1 })]
    assert.deepEqual(expected(stream('random', {}), variables, sum), { 1: null, 2: 3, 5: 5 })
  })

  it('takes the statistic of the latest interval that has ended, and of those before by an offset', () => {
    const a = stream('random', { 1: 1, 2: 3, 24: 5, 25: 7, 49: 9 })
    const day = variable('b', a, { calendar: days, statistic: 'sum' })
    const values = { 1: null, 2: null, 24: 9, 25: 11, 49: 21 }
    assert.deepEqual(expected(stream('random', {}), [variable('a', a), day], sum), values)
    const before = { ...day, name: 'a', offset: -1 }
    assert.deepEqual(expected(stream('random', {}), [before, day], sum), { 24: null, 48: 16 })
  })

  it('expects a stream without plain variables at the ends of intervals that are over for all', () => {
    const a = stream('random', { 1: 1, 25: 3, 49: 5 })
    const b = stream('random', { 1: 1, 25: 3 })
    const variables = [
      variable('a', a, { calendar: days, statistic: 'last' }),
      variable('b', b, { calendar: days, statistic: 'first' }),
    ]
    assert.deepEqual(expected(stream('random', {}), variables, sum), { 24: 2 })
  })

  it('expects an interval stream per base interval once all variables have reached its end, gaps included', () => {
    const a = stream('random', { 0: 2, 0.5: 4, 1: 6, 4: 8 })
    const b = stream('interval', { 1: 10, 2: 20, 3: null, 4: 40, 5: 50 })
    const derived = stream('interval', {})
    assert.deepEqual(expected(derived, [variable('a', a), variable('b', b)], sum), { 1: 13, 2: 26, 3: null, 4: null })
    assert.deepEqual(expected(derived, [variable('a', a), variable('b', b, { offset: -1 })], sum), {
      1: null,
      2: 16,
      3: null,
      4: null,
    })
  })

  it('leaves out a hole that is too long for gaps', () => {
    const farMs = (longestHole + 2) * 1000
    const a = stream('random', {})
    for (const timeMs of [0, farMs, farMs + 1000]) a.values.set(timeMs, 1)
    const derived = stream('interval', {}, { calendar: seconds })
    const ends = expectDerived({
      stream: derived,
      variables: [variable('a', a)],
      formula: { text: 'a', work: (known) => known['a']! },
    })
    assert.deepEqual(
      ends.map(({ timeMs }) => timeMs),
      [1000, farMs + 1000],
    )
  })

  it('knows where an expression fails, or gives what its stream cannot hold', () => {
    const a = stream('random', { 1: 1, 2: 2.5 })
    const long = stream('random', {}, { valueType: 'LONG' })
    assert.deepEqual(
      expected(long, [variable('a', a)], (known) => known['a']!),
      { 1: 1, 2: 'fails' },
    )
    const fail = ({ a: value }: Readonly<Record<string, Known>>) => {
      if (value === 1) throw new FormulaError()
      return value!
    }
    assert.deepEqual(expected(stream('random', {}), [variable('a', a)], fail), { 1: 'fails', 2: 2.5 })
  })
})
