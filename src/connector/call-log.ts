// The log of sink calls, for the studio. It is written every second, many calls at once: a log must not cost what it
// logs. A crash loses a second of log, never a sample.
import { sqlCode, transaction } from '../base/database/sql.ts'
import type { World } from '../base/world.ts'
import { callsKept, insertCalls } from '../core/connector.ts'
import type { SinkCall } from '../core/connector.ts'

export type CallLog = {
  readonly add: (call: SinkCall) => void
  /** Resolves when all calls so far can be read. */
  readonly flush: () => Promise<void>
}

const everyMs = 1000
/** Of bodies that wait to be written, of all connectors in debug together: beyond that, calls are logged without. */
const mostBodyBytes = 8 * 1024 * 1024
/** Of one statement. */
const mostWrittenBytes = 1024 * 1024

/** A character takes two at the most in memory. */
const bytesOf = ({ body, query }: SinkCall): number => 2 * ((body?.length ?? 0) + (query?.length ?? 0))
const sumOf = (calls: readonly SinkCall[]): number => calls.reduce((sum, call) => sum + bytesOf(call), 0)

/** Whether the error is about a written value, and not about the database: data exceptions and broken constraints. */
const isOfValues = (error: unknown) => /^2[23]/.test(sqlCode(error) ?? '')

export const openCallLog = (world: World): CallLog => {
  // Calls by connector. More than are kept of each would be forgotten at once.
  let waiting = new Map<number, SinkCall[]>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  let bodyBytes = 0
  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const calls = [...waiting.values()].flat()
    waiting = new Map()
    // A write under way must be waited for too.
    if (calls.length > 0) writing = writing.then(() => write(calls)).finally(() => (bodyBytes -= sumOf(calls)))
    await writing
  }
  /** A refused batch is halved until the call is found that the database cannot take: no other call is lost. */
  const write = async (calls: readonly SinkCall[]): Promise<void> => {
    if (calls.length > 1 && sumOf(calls) > mostWrittenBytes) return inHalves(calls)
    try {
      await transaction(world.sql, (sql) => insertCalls(sql, calls))
    } catch (error) {
      if (calls.length === 1 || !isOfValues(error)) world.log.warn({ err: error }, 'sink calls not logged')
      else await inHalves(calls)
    }
  }
  const inHalves = async (calls: readonly SinkCall[]): Promise<void> => {
    const half = calls.length >> 1
    await write(calls.slice(0, half))
    await write(calls.slice(half))
  }
  return {
    add: (given) => {
      const call = bodyBytes + bytesOf(given) > mostBodyBytes ? { ...given, body: null, query: null } : given
      bodyBytes += bytesOf(call)
      const own = waiting.get(call.connectorKey)
      if (own === undefined) waiting.set(call.connectorKey, [call])
      else if (own.push(call) > callsKept) bodyBytes -= bytesOf(own.shift()!)
      timer ??= setTimeout(() => void flush(), everyMs).unref()
    },
    flush,
  }
}
