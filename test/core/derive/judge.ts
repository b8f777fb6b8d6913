// What holds of derived streams whenever the background has nothing to do, judged by the oracle over what is stored: a
// stream is what its sources say, up to where it says that it may be behind or that it has failed.
import assert from 'node:assert/strict'
import type { Pool } from '../../../src/base/database/sql.ts'
import { readSamples } from '../../../src/core/reading/sample-read.ts'
import { sampleValue } from '../../../src/core/sample/sample.ts'
import type { Value } from '../../../src/core/sample/value.ts'
import type { OracleStream } from '../statistic/oracle.ts'
import { samplesOf } from '../statistic/oracle.ts'
import type { OracleDerivation } from './oracle.ts'
import { expectDerived } from './oracle.ts'

/** What the stream shows of itself. */
export type ShownState = {
  readonly staleFrom: number | null
  readonly deriveError: { readonly time: number; readonly message: string } | null
}

/** Reads all that is stored. */
export const readStreams = async (pool: Pool, streams: readonly OracleStream[]): Promise<void> => {
  const most = 1_000_000
  const byKey = new Map(streams.map((stream) => [stream.key, stream]))
  for (const stream of streams) {
    stream.values.clear()
    stream.sorted = undefined
  }
  const window = { startMs: undefined, endMs: undefined }
  for (const sample of await readSamples(pool, streams, window, most)) {
    const stream = byKey.get(sample.streamKey)!
    stream.values.set(sample.timeMs, sampleValue(stream.valueType, sample))
  }
}

const iso = (ms: number | null | undefined) =>
  ms === null || ms === undefined ? String(ms) : new Date(ms).toISOString()

/** Sources are as they are stored; those that are derived have been judged before. */
export const judge = (derivation: OracleDerivation, state: ShownState, describe: () => string): void => {
  const { stream } = derivation
  const staleMs = state.staleFrom ?? Infinity
  const failedMs = state.deriveError?.time ?? Infinity
  const expected = expectDerived(derivation)
  const say = (what: string) =>
    `${describe()}\n${what}\nstaleFrom ${iso(state.staleFrom)}, deriveError ${JSON.stringify(state.deriveError)}, ` +
    `last ${iso(samplesOf(stream).at(-1)?.timeMs)}`

  const failing = expected.find(({ fails, timeMs }) => fails && timeMs < staleMs)
  if (failing) assert.ok(failedMs <= failing.timeMs, say(`it fails at ${iso(failing.timeMs)}, which is not shown`))
  if (failedMs < staleMs) assert.equal(failing?.timeMs, failedMs, say('it shows an error where it does not fail'))

  const untilMs = Math.min(staleMs, failedMs)
  const wanted = new Map<number, Value>()
  for (const { timeMs, value } of expected)
    if (timeMs < untilMs && (value !== null || stream.kind === 'interval')) wanted.set(timeMs, value)
  for (const { timeMs, value } of samplesOf(stream)) {
    if (timeMs >= untilMs) break
    if (!wanted.has(timeMs)) assert.fail(say(`there is ${show(value)} at ${iso(timeMs)}, and should be nothing`))
    if (!isSame(value, wanted.get(timeMs)!))
      assert.fail(say(`at ${iso(timeMs)} there is ${show(value)} in place of ${show(wanted.get(timeMs))}`))
    wanted.delete(timeMs)
  }
  for (const [timeMs, value] of wanted) assert.fail(say(`at ${iso(timeMs)} is nothing in place of ${show(value)}`))
}

const show = (value: unknown) => (typeof value === 'bigint' ? `${value}n` : JSON.stringify(value))

const isSame = (found: Value, expected: Value): boolean => {
  if (typeof found !== 'number' || typeof expected !== 'number') return found === expected
  return Math.abs(found - expected) <= 1e-9 * Math.max(1, Math.abs(expected))
}
