// The oracle of derived streams: docs/derived.md by brute force, word by word, over samples that are all in memory. It
// shares with the server the calendar, and with the oracle of statistics what a statistic is; nothing else.
import type { Calendar } from '../../../src/core/time/calendar.ts'
import type { Statistic } from '../../../src/core/statistic/statistic.ts'
import type { Value } from '../../../src/core/sample/value.ts'
import type { OracleStream } from '../statistic/oracle.ts'
import { expectStatistic, samplesOf } from '../statistic/oracle.ts'

export type OracleVariable = {
  readonly name: string
  readonly stream: OracleStream
  /** 0 or less. */
  readonly offset: number
  /** Of its cycle, in the zone of the source's component; none: it is plain. */
  readonly calendar: Calendar | undefined
  readonly statistic: Statistic | undefined
}

/** What variables are in a formula: numbers are doubles. */
export type Known = number | string | boolean | null

/** The same in GS SQL and in TypeScript; the latter throws where the former fails. */
export type Formula = { readonly text: string; readonly work: (known: Readonly<Record<string, Known>>) => Known }

export type OracleDerivation = {
  readonly stream: OracleStream
  readonly formula: Formula
  readonly variables: readonly OracleVariable[]
}

/** At each time that counts, in order: what must be there; null in a random stream: nothing. */
export type Expectation = { readonly timeMs: number; readonly value: Value; readonly fails: boolean }

/** A hole longer than this, in which no variable has data, is not filled with gaps. */
export const longestHole = 100_000

export const expectDerived = (derivation: OracleDerivation, fromMs = -Infinity): readonly Expectation[] =>
  timesOf(derivation)
    .filter((timeMs) => timeMs >= fromMs)
    .map((timeMs) => {
      const value = valueAt(derivation, timeMs)
      return { timeMs, value: value ?? null, fails: value === undefined }
    })

/** Undefined where it fails. */
const valueAt = ({ stream, formula, variables }: OracleDerivation, timeMs: number): Value | undefined => {
  const known: Record<string, Known> = {}
  for (const variable of variables) known[variable.name] = knownAt(stream, variable, timeMs)
  try {
    return fitted(stream, formula.work(known))
  } catch (error) {
    if (error instanceof FormulaError) return undefined
    throw error
  }
}

export class FormulaError extends Error {}

const fitted = ({ valueType }: OracleStream, value: Known): Value => {
  if (value === null) return null
  switch (valueType) {
    case 'DOUBLE':
      if (typeof value !== 'number' || !Number.isFinite(value)) throw new FormulaError('not a number')
      // There is one zero.
      return value + 0
    case 'LONG':
      if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new FormulaError('not whole')
      return value + 0
    case 'BOOLEAN':
      if (typeof value === 'boolean') return value
      if (value !== 0 && value !== 1) throw new FormulaError('neither true nor false')
      return value === 1
    case 'STRING':
      return String(value)
    case 'FILE':
      throw new Error('a file stream is not derived')
  }
}

const doubleOf = (value: Value): Known => (typeof value === 'bigint' ? Number(value) : value)

const knownAt = (derived: OracleStream, variable: OracleVariable, timeMs: number): Known => {
  const { stream, calendar, offset } = variable
  if (calendar !== undefined) {
    let edgeMs = calendar.startOf(timeMs)
    for (let back = offset; back < 0; back += 1) edgeMs = calendar.startOf(edgeMs - 1)
    return statisticAt(variable, calendar, edgeMs)
  }
  if (derived.kind === 'interval') {
    let endMs = timeMs
    for (let back = offset; back < 0; back += 1) endMs = derived.calendar!.startOf(endMs - 1)
    return statisticAt(variable, derived.calendar!, endMs)
  }
  const samples = samplesOf(stream)
  const at = samples.findIndex((sample) => sample.timeMs === timeMs)
  return doubleOf(samples[at + offset]?.value ?? null)
}

/** Of the interval that ends there. */
const statisticAt = ({ stream, statistic }: OracleVariable, calendar: Calendar, endMs: number): Known => {
  const isText = stream.valueType === 'STRING' || stream.valueType === 'FILE'
  const by = statistic ?? (isText ? 'last' : 'avg')
  const window = { startMs: endMs, endMs: endMs + 1 }
  const [found] = expectStatistic([stream], calendar, by, window, 1)
  return doubleOf(found?.value ?? null)
}

const firstMs = (stream: OracleStream) => samplesOf(stream)[0]?.timeMs
const lastMs = (stream: OracleStream) => samplesOf(stream).at(-1)?.timeMs

const timesOf = ({ stream, variables }: OracleDerivation): readonly number[] => {
  if (stream.kind === 'interval') return endsOf(stream.calendar!, variables)
  const plain = variables.filter(({ calendar }) => calendar === undefined)
  if (plain.length === 0) return cycleEnds(variables)
  return samplesOf(plain[0]!.stream)
    .map(({ timeMs }) => timeMs)
    .filter((timeMs) => plain.every((variable) => variable.stream.values.has(timeMs)))
}

/** The time up to which every variable has data. */
const completeMs = (variables: readonly OracleVariable[]): number =>
  Math.min(...variables.map(({ stream }) => lastMs(stream) ?? -Infinity))

const inOrder = (times: Iterable<number>) => [...new Set(times)].toSorted((a, b) => a - b)

/** Where a sample belongs, if intervals hold their end or their start. */
const endOver = (calendar: Calendar, { kind }: OracleStream, timeMs: number) =>
  kind === 'interval' ? calendar.endAtOrAfter(timeMs) : calendar.endOf(timeMs)

const cycleEnds = (variables: readonly OracleVariable[]): readonly number[] => {
  const untilMs = completeMs(variables)
  const ends = variables.flatMap(({ stream, calendar }) =>
    samplesOf(stream).map(({ timeMs }) => endOver(calendar!, stream, timeMs)),
  )
  return inOrder(ends).filter((endMs) => endMs <= untilMs)
}

const endsOf = (base: Calendar, variables: readonly OracleVariable[]): readonly number[] => {
  const untilMs = completeMs(variables)
  if (untilMs === -Infinity) return []
  const starts = variables.map(({ stream }) => endOver(base, stream, firstMs(stream)!))
  const withData = new Set(
    variables.flatMap(({ stream }) => samplesOf(stream).map(({ timeMs }) => endOver(base, stream, timeMs))),
  )
  const ends: number[] = []
  let hole: number[] = []
  const closeHole = () => {
    if (hole.length <= longestHole) for (const endMs of hole) ends.push(endMs)
    hole = []
  }
  for (let endMs = Math.min(...starts); endMs <= untilMs; endMs = base.endOf(endMs)) {
    if (!withData.has(endMs)) {
      hole.push(endMs)
      continue
    }
    closeHole()
    ends.push(endMs)
  }
  closeHole()
  return ends
}
