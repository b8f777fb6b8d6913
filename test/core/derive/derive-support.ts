// Derived streams as the tests of this room make, feed and read them. Times are minutes from a moment on.
import assert from 'node:assert/strict'
import type { Pool } from '../../../src/base/database/sql.ts'
import { transaction } from '../../../src/base/database/sql.ts'
import type { CompileExpression } from '../../../src/core/derive/expression.ts'
import { eventually } from '../../support/within.ts'
import { compileDerivation } from '../../../src/gsql/derivation.ts'
import { openDeriver } from '../../../src/core/derive/deriver.ts'
import type { Deriver } from '../../../src/core/derive/deriver.ts'
import type { Manager, ShownComponent } from '../../support/manage.ts'
import { openManager } from '../../support/manage.ts'
import type { TestService } from '../../support/service.ts'
import { openTestService } from '../../support/service.ts'

export const startMs = Date.parse('2026-03-01T00:00:00Z')
export const minuteMs = 60_000

export type ByMinute = Readonly<Record<number, unknown>>

export type Derivations = {
  readonly service: TestService
  readonly manage: Manager
  readonly deriver: Deriver
  readonly component: (id: string, stream: readonly unknown[]) => Promise<ShownComponent>
  readonly upload: (compId: string, streamId: string, samples: ByMinute, query?: string) => Promise<void>
  /** Until nothing is left to do. */
  readonly pass: () => Promise<void>
  /** Of a component. */
  readonly organizationKey: (compId: string) => Promise<number>
  readonly stored: (compId: string, streamId: string) => Promise<ByMinute>
  readonly state: (uid: string) => Promise<{
    readonly key: number
    readonly staleMs: number | null
    readonly error: { readonly timeMs: number; readonly message: string } | null
  }>
  readonly close: () => Promise<void>
}

export const random = (id: string, expression?: string, variables?: readonly unknown[]) => ({
  id,
  ...(expression === undefined ? {} : { expression, variables }),
})
export const plain = (name: string, streamId = name) => ({ name, streamId })

export const hours = (samples: ByMinute): ByMinute =>
  Object.fromEntries(Object.entries(samples).map(([hour, value]) => [Number(hour) * 60, value]))

type StateRow = { key: number; staleMs: number | null; timeMs: number | null; message: string }

export const openDerivations = async (): Promise<Derivations> => {
  const service = await openTestService()
  const manage = await openManager(service)
  const deriver = openDeriver({ now: () => Date.now() }, compileDerivation)
  return {
    service,
    manage,
    deriver,
    component: (id, stream) => manage.make('component', { id, stream }),
    upload: async (compId, streamId, samples, query = '') => {
      const body = Object.entries(samples).map(([minute, data]) => ({
        compId,
        streamId,
        time: startMs + Number(minute) * minuteMs,
        data,
      }))
      const reply = await service.put(`/api/feed${query}`, JSON.stringify(body))
      assert.equal(reply.status, 200, reply.text)
    },
    pass: async () => {
      while (await deriver.deriveSome(service.sql));
    },
    organizationKey: async (compId) => {
      const [row] = await service.sql<[{ key: number }]>`
        select organization_key as key from component where id = ${compId}`
      return row.key
    },
    stored: async (compId, streamId) => {
      const reply = await service.get(`/api/comp/${compId}/stream/${streamId}/feed?limit=1000`)
      assert.equal(reply.status, 200, reply.text)
      return Object.fromEntries(
        (reply.json as { time: number; data: unknown }[]).map(({ time, data }) => [(time - startMs) / minuteMs, data]),
      )
    },
    state: async (uid) => {
      const [row] = await service.sql<[StateRow]>`
        select stream_key as key, stale_from as "staleMs", error_time as "timeMs", error_message as message
        from derivation
        where stream_key = (select key from stream where uid = ${uid})`
      const { key, staleMs, timeMs, message } = row
      return { key, staleMs, error: timeMs === null ? null : { timeMs, message } }
    },
    close: () => service.close(),
  }
}

/** Derives until nothing is left to do; gives the number of statements. */
export const passCounting = async (pool: Pool): Promise<number> => {
  // Rounds that end by the number of samples, and not by the machine's speed.
  const deriver = openDeriver({ now: () => Date.now() }, compileDerivation, { roundMs: 600_000, statementMs: 600_000 })
  let count = 0
  const counted = watched(pool, () => void (count += 1))
  while (await deriver.deriveSome(counted));
  return count
}

/** Calls `onAsk` with the beginning of each statement before it, of transactions too. */
export const watched = <T extends object>(sql: T, onAsk: (beginning: string) => void): T =>
  new Proxy(sql, {
    apply: (target, _this, given: unknown[]) => {
      // A tag with a text, and not the making of a name or a list.
      if (Array.isArray(given[0]) && 'raw' in given[0]) onAsk(String(given[0][0]))
      return (target as unknown as (...args: unknown[]) => unknown)(...given)
    },
    get: (target, property) => {
      const value = Reflect.get(target, property) as unknown
      if (property === 'begin')
        return (work: (inside: object) => Promise<unknown>) =>
          (value as (work: (inside: object) => Promise<unknown>) => unknown)((inside) => work(watched(inside, onAsk)))
      if (property === 'unsafe')
        return (...given: unknown[]) => {
          onAsk(String(given[0]))
          return (value as (...args: unknown[]) => unknown)(...given)
        }
      return value
    },
  })

const gateOfExpressions = 42_421_616

/** Expressions that wait while somebody is `inTheWay`. */
export const compileWaiting: CompileExpression = (...given) => {
  const compiled = compileDerivation(...given)
  return {
    ...compiled,
    text: `(select ${compiled.text} from (select pg_advisory_xact_lock_shared(${gateOfExpressions})) as waited)`,
  }
}

/** Calls the work once `wait` works out such an expression, and waits there. */
export const inTheWay = async <T>(
  sql: Pool,
  wait: () => Promise<T>,
  work: () => Promise<void>,
  waiting: 'somebody' | 'nobody' = 'somebody',
): Promise<T> => {
  const held = await transaction(sql, async (own) => {
    await own`select pg_advisory_xact_lock(${gateOfExpressions})`
    const begun = wait()
    begun.catch(() => {})
    await eventually(async () => {
      if (waiting === 'nobody') return true
      const rows = await sql`
        select from pg_locks
        where locktype = 'advisory' and not granted and mode = 'ShareLock' and objid = ${gateOfExpressions}`
      return rows.length > 0
    })
    await work()
    return { begun }
  })
  return held.begun
}
