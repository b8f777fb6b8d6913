// Runs a GS SQL script for a caller and stores its effects: through the one write path, with the caller's own rights,
// all of it or nothing.
import type { Holders } from '../base/shares.ts'
import type { Pool, Sql } from '../base/database/sql.ts'
import type { World } from '../base/world.ts'
import type { Caller } from '../core/caller.ts'
import { componentKeys } from '../core/component.ts'
import type { Ingestion } from '../core/sample/ingest.ts'
import { findOrganizationByKey } from '../core/organization.ts'
import type { Compiler } from '../gsql/compiler.ts'
import type { Effect, InsertedRow } from '../gsql/run/effects.ts'
import { openMemory, openScriptMemory } from '../gsql/memory.ts'
import type { ScriptMemory } from '../gsql/memory.ts'
import type { Value } from '../gsql/value.ts'
import type { ScriptPool } from '../gsql/run/script-pool.ts'
import { maxResultBytes, runScript } from '../gsql/run/run.ts'
import type { ScriptResult, ScriptRun } from '../gsql/run/run.ts'
import type { CompiledScript } from '../gsql/script.ts'
import { openScriptCache } from '../gsql/script-cache.ts'
import type { ScriptCache } from '../gsql/script-cache.ts'
import { openSteps } from '../gsql/run/write-steps.ts'

export type ScriptInput = {
  readonly script: CompiledScript
  /** The holders whose share of memory and connections it uses. */
  readonly holders: Holders
  /** The caller of the script opens it, and closes it when nothing of the script is needed any more. */
  readonly memory: ScriptMemory
  /** Undefined: the zone of the organization. */
  readonly timeZone: string | undefined
  readonly variables: Readonly<Record<string, Value>>
  readonly signal?: AbortSignal
}

export type Ran = ScriptResult & Written

/** Numbers of samples; `updated` and `deleted` only for scripts that do so. */
export type Written = { readonly inserted: number; readonly updated?: number; readonly deleted?: number }

export type Scripts = {
  readonly compile: ScriptCache['compile']
  readonly openMemory: (holders: Holders) => ScriptMemory
  readonly run: (caller: Caller, input: ScriptInput) => Promise<Ran>
  /** The rows that the script would insert, and the numbers that it would update and delete; nothing is stored. */
  readonly preview: (caller: Caller, input: ScriptInput) => Promise<Preview>
}

export type Preview = Omit<Written, 'inserted'> & { readonly rows: readonly PreviewRow[] }

export type PreviewRow = {
  readonly cid: string
  readonly id: string
  readonly time: number
  readonly sample: Value
}

/** Pools of scripts (gsql/run/script-pool.ts), which see only the views for scripts. */
export type ScriptPools = {
  /** The server that is written to. */
  readonly primary: ScriptPlace
  /** A server that shows all that is stored now, for scripts that only read. */
  readonly choose: () => Promise<ScriptPlace>
}

/** Statistics that a script asks for are read by another pool of the same server, because they are of the same moment. */
export type ScriptPlace = {
  readonly scripts: ScriptPool
  readonly readSql: Pool
  /** Of a standby: whether the script may succeed elsewhere. */
  readonly isLost?: (error: unknown) => boolean
}

export const openScripts = (world: World, ingestion: Ingestion, pools: ScriptPools, compiler: Compiler): Scripts => {
  const { config, clock, sql } = world
  const shares = openScriptMemory()
  const limits = { timeoutMs: config.gsqlTimeoutMs, maxRows: config.gsqlMaxRows, maxBytes: maxResultBytes }

  const runFor = async (
    caller: Caller,
    { script, timeZone, variables, signal, holders, memory }: ScriptInput,
    nowMs: number,
    apply: (effect: Effect) => void,
    { scripts, readSql }: ScriptPlace,
  ): Promise<ScriptRun> => {
    // A script that brings its zone along and reads no streams needs to know nothing of the organization.
    const needsOrganization = timeZone === undefined || script.readsStreams
    const organization = needsOrganization ? await findOrganizationByKey(sql, caller.organizationKey) : undefined
    const context = {
      organizationKey: caller.organizationKey,
      components: script.readsStreams ? await readableComponents(sql, caller) : ('all' as const),
      mayReadStreams: organization?.plan.gsql ?? false,
      readSql,
      zone: timeZone ?? organization?.timeZone ?? 'UTC',
      nowMs,
      variables,
      holders,
      memory,
      ...(signal ? { signal } : {}),
    }
    return runScript(scripts, limits, script, context, apply)
  }

  /** A script that was lost on a standby is run again on the primary. */
  const inPlace = async <T>({ script }: ScriptInput, work: (place: ScriptPlace) => Promise<T>): Promise<T> => {
    const place = script.readsStreams && !script.writesWhatItReads ? await pools.choose() : pools.primary
    try {
      return await work(place)
    } catch (error) {
      if (place.isLost?.(error) !== true) throw error
      return work(pools.primary)
    }
  }

  return {
    compile: openScriptCache(compiler.compile).compile,
    openMemory: (holders) => openMemory(shares, holders),
    run: async (caller, input) => {
      const runOnce = async (place: ScriptPlace) => {
        // The memory of an overtaken attempt is not needed any more.
        input.memory.beginAnew()
        const nowMs = clock.now()
        const steps = openSteps(nowMs)
        const counts = openCounts(input.script, nowMs)
        const { seen, columns, rows } = await runFor(
          caller,
          input,
          nowMs,
          (effect) => {
            counts.add(effect)
            steps.add(effect)
          },
          place,
        )
        return {
          steps: steps.all,
          seen: seen!,
          result: { columns, rows, inserted: counts.inserted(), ...counts.touched() },
        }
      }
      if (input.script.writesWhatItReads)
        return ingestion.ingestSeen(caller, () => runOnce(pools.primary), input.signal)
      const { steps, result } = await inPlace(input, runOnce)
      await ingestion.ingestAll(caller, steps)
      return result
    },
    preview: (caller, input) =>
      inPlace(input, async (place) => {
        input.memory.beginAnew()
        const nowMs = clock.now()
        const rows: PreviewRow[] = []
        // One text for all samples of a stream, and not one for each row.
        const names = new Map<string, string>()
        const once = (name: string) => names.get(name) ?? names.set(name, name).get(name)!
        const counts = openCounts(input.script, nowMs)
        await runFor(
          caller,
          input,
          nowMs,
          (effect) => {
            counts.add(effect)
            if (effect.kind !== 'insert') return
            for (const { cid, id, timeMs = nowMs, sample } of effect.rows)
              rows.push({ cid: once(cid), id: once(id), time: timeMs, sample })
          },
          place,
        )
        return { rows, ...counts.touched() }
      }),
  }
}

/** Keys of the components that the caller may read: a key's rows may name some, or leave some out. */
const readableComponents = async (sql: Sql, caller: Caller): Promise<'all' | readonly number[]> => {
  const mayRead = (uid?: string) => caller.may('GET component/feed', uid)
  const named = caller.key?.named.get('component') ?? []
  if (!mayRead()) return componentKeys(sql, caller.organizationKey, 'only', named.filter(mayRead))
  const refused = named.filter((uid) => !mayRead(uid))
  return refused.length === 0 ? 'all' : componentKeys(sql, caller.organizationKey, 'except', refused)
}

const openCounts = ({ statements }: CompiledScript, nowMs: number) => {
  let inserted = 0
  const found = { update: 0, delete: 0 }
  const timesOf = new Map<string, Map<string, Set<number>>>()
  // The first sample alone needs no sets: most pushed bodies hold one.
  let first: InsertedRow | undefined
  const addInserted = (row: InsertedRow): void => {
    if (row.sample === null) return
    if (inserted === 0) {
      first = row
      inserted = 1
      return
    }
    if (first) {
      inserted = 0
      remember(first)
      first = undefined
    }
    remember(row)
  }
  const remember = ({ cid, id, timeMs = nowMs }: InsertedRow): void => {
    let streams = timesOf.get(cid)
    if (streams === undefined) timesOf.set(cid, (streams = new Map()))
    let times = streams.get(id)
    if (times === undefined) streams.set(id, (times = new Set()))
    const before = times.size
    if (times.add(timeMs).size > before) inserted += 1
  }
  const has = (kind: 'update' | 'delete') => statements.some(({ action }) => action.kind === kind)
  return {
    add: (effect: Effect): void => {
      if (effect.kind === 'insert') for (const row of effect.rows) addInserted(row)
      else found[effect.kind] += effect.rows.length
    },
    /** Samples, and not rows: a time of a stream that is there twice counts once, a NULL not at all. */
    inserted: () => inserted,
    /** The samples that the WHERE of UPDATEs and DELETEs found: 0 shows a wrong one. */
    touched: (): Omit<Written, 'inserted'> => ({
      ...(has('update') ? { updated: found.update } : {}),
      ...(has('delete') ? { deleted: found.delete } : {}),
    }),
  }
}
