// Runs a GS SQL script for a caller and stores what it inserts, updates and deletes: through the one write
// path, with the caller's own rights, all of it or nothing (gs-sql.md 2 and 5).
import { badRequest } from '../base/errors.ts'
import type { Pool } from '../base/sql.ts'
import type { World } from '../base/world.ts'
import { emptySamples, noDerivation, pushSample } from '../core/batch.ts'
import type { SampleBatch } from '../core/batch.ts'
import type { Caller } from '../core/caller.ts'
import { folderPath, rootFolder } from '../core/folder.ts'
import type { Ingestion, WriteStep } from '../core/ingest.ts'
import { findOrganizationByKey } from '../core/organization.ts'
import type { Value } from '../gsql/plan.ts'
import { maxResultBytes, runScript } from '../gsql/run.ts'
import type { AppliedOptions, Effect, InsertedRow, ScriptResult } from '../gsql/run.ts'
import { scriptCache, warmUp } from '../gsql/script.ts'
import type { CompiledScript } from '../gsql/script.ts'

export type ScriptInput = {
  readonly script: CompiledScript
  /** Undefined: the organization's. */
  readonly timeZone: string | undefined
  readonly variables: Readonly<Record<string, Value>>
  readonly signal?: AbortSignal
}

export type Ran = ScriptResult & { readonly inserted: number }

export type Scripts = {
  readonly compile: (text: string) => CompiledScript
  readonly run: (caller: Caller, input: ScriptInput) => Promise<Ran>
  /** What the script would insert, storing nothing. */
  readonly preview: (caller: Caller, input: ScriptInput) => Promise<readonly PreviewRow[]>
}

export type PreviewRow = {
  readonly cid: string
  readonly id: string
  readonly time: number
  readonly sample: Value
}

/** `pool` is the scripts' own (gsql/pool.ts): it sees only what scripts may see. */
export const openScripts = (world: World, ingestion: Ingestion, pool: Pool): Scripts => {
  const { config, clock, sql, readSql } = world
  const limits = { timeoutMs: config.gsqlTimeoutMs, maxRows: config.gsqlMaxRows, maxBytes: maxResultBytes }
  warmUp()

  const collect = async (caller: Caller, { script, timeZone, variables, signal }: ScriptInput, nowMs: number) => {
    const effects: Effect[] = []
    // A script that brings its zone along and reads no streams needs to know nothing of the organization.
    const needsOrganization = timeZone === undefined || script.readsStreams
    const organization = needsOrganization ? await findOrganizationByKey(sql, caller.organizationKey) : undefined
    const context = {
      organizationKey: caller.organizationKey,
      components: 'all' as const,
      mayReadStreams: organization?.plan.gsql ?? false,
      readSql,
      zone: timeZone ?? organization?.timeZone ?? 'UTC',
      nowMs,
      variables,
      ...(signal ? { signal } : {}),
    }
    const result = await runScript(pool, limits, script, context, (effect) => void effects.push(effect))
    return { result, effects }
  }

  return {
    compile: scriptCache(config.gsqlMaxScriptBytes),
    run: async (caller, input) => {
      const nowMs = clock.now()
      const { result, effects } = await collect(caller, input, nowMs)
      await ingestion.ingestAll(caller, stepsFrom(effects, nowMs))
      return { ...result, inserted: insertedCount(effects, nowMs) }
    },
    preview: async (caller, input) => {
      const nowMs = clock.now()
      const { effects } = await collect(caller, input, nowMs)
      return insertedRows(effects).map(({ cid, id, timeMs, sample }) => ({ cid, id, time: timeMs ?? nowMs, sample }))
    },
  }
}

const insertedRows = (effects: readonly Effect[]): readonly InsertedRow[] =>
  effects.flatMap((effect) => (effect.kind === 'insert' ? effect.rows : []))

/** Samples, and not rows: a time of a stream that is there twice counts once, a NULL not at all. */
const insertedCount = (effects: readonly Effect[], nowMs: number): number => {
  let count = 0
  const timesOf = new Map<string, Map<string, Set<number>>>()
  for (const { cid, id, timeMs = nowMs, sample } of insertedRows(effects)) {
    if (sample === null) continue
    let streams = timesOf.get(cid)
    if (streams === undefined) timesOf.set(cid, (streams = new Map()))
    let times = streams.get(id)
    if (times === undefined) streams.set(id, (times = new Set()))
    const before = times.size
    if (times.add(timeMs).size > before) count += 1
  }
  return count
}

/** Inserts that follow each other and create in the same way are one batch, so that the usual script is one write. */
const stepsFrom = (effects: readonly Effect[], nowMs: number): readonly WriteStep[] => {
  const steps: WriteStep[] = []
  let last: { readonly name: string; readonly growing: Growing } | undefined
  for (const effect of effects) {
    if (effect.kind === 'delete') {
      last = undefined
      steps.push({ kind: 'delete', samples: effect.rows })
      continue
    }
    // An update changes what is there: it neither creates nor fills the intervals between.
    const options = effect.kind === 'insert' ? effect.options : {}
    const name = `${effect.kind} ${JSON.stringify(options)}`
    if (last?.name !== name) {
      last = { name, growing: openBatch(options, nowMs, effect.kind === 'insert') }
      steps.push({ kind: 'batch', batch: last.growing.batch })
    }
    for (const row of effect.rows) last.growing.push(row)
  }
  return steps
}

type Growing = { readonly batch: SampleBatch; readonly push: (row: InsertedRow) => void }

const openBatch = (options: AppliedOptions, nowMs: number, fillsGaps: boolean): Growing => {
  const { dtId, dsId, compTmplId, folder } = options
  if ((dtId === undefined) !== (dsId === undefined)) throw badRequest('DTID and DSID go together')
  const components: SampleBatch['components'][number][] = []
  const indexes = new Map<string, number>()
  const samples = emptySamples()
  return {
    batch: {
      form: 'json',
      uploadMs: nowMs,
      components,
      samples,
      wantedStreamIds: [],
      creation: {
        folderPath: folder === undefined ? rootFolder : folderPath(folder),
        streamTemplate: dtId === undefined ? undefined : { templateId: dtId, streamId: dsId! },
      },
      fillsGaps,
      derivation: noDerivation,
    },
    push: ({ cid, id, timeMs, sample }) => {
      let index = indexes.get(cid)
      if (index === undefined) {
        index = components.push({ ref: cid, name: undefined, templateId: compTmplId }) - 1
        indexes.set(cid, index)
      }
      pushSample(samples, index, id, sample, timeMs ?? nowMs)
    },
  }
}
