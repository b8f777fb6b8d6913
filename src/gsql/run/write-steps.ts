// The effects of a script as steps of the one write path: inserts that follow each other and create in the same way are
// one batch, so that the usual script is one write. A refusal of the write is reported with its place in the script.
import { Fault, notFound } from '../../base/errors.ts'
import { emptySamples, noDerivation, pushSample } from '../../core/sample/batch.ts'
import type { SampleBatch } from '../../core/sample/batch.ts'
import { folderPath, rootFolder } from '../../core/folder.ts'
import type { SampleTimes, WriteStep } from '../../core/sample/store.ts'
import { refusedAt, scriptFault } from '../fault.ts'
import { placeOfRow } from './effects.ts'
import type { AppliedOptions, Effect, InsertedRow, InsertStatement, UpdateStatement } from './effects.ts'

/** An update is stored in pieces of this many samples, so that the memory of each is soon free. */
const mostUpdated = 50_000

/** The number of a row in its statement's result, from 1, by its place among those that are written here. */
type RowOf = (index: number) => number

/** Collects the effects of a script as steps; nothing else is kept of them. */
export const openSteps = (nowMs: number, rowOf: RowOf = (index) => index + 1) => {
  const all: WriteStep[] = []
  let last: { readonly name: string; readonly growing: Growing } | undefined
  const add = (effect: Effect): void => {
    if (effect.kind === 'delete') {
      last = undefined
      all.push({ kind: 'delete', series: seriesOf(effect.rows) })
      return
    }
    // An update changes what is there: it neither creates nor fills the intervals between.
    const options = effect.kind === 'insert' ? effect.options : {}
    const name = `${effect.kind} ${JSON.stringify(options)}`
    const isFull = effect.kind === 'update' && (last?.growing.size() ?? 0) >= mostUpdated
    if (last?.name !== name || isFull) {
      last = { name, growing: openBatch(effect.statement, options, nowMs, rowOf) }
      all.push(last.growing.step)
    }
    last.growing.add(effect.statement, effect.rows)
  }
  return { all: all as readonly WriteStep[], add }
}

/** A stream's times together: a million rows with texts of their own would be a hundred megabytes. */
const seriesOf = (rows: Extract<Effect, { kind: 'delete' }>['rows']): readonly SampleTimes[] => {
  const found = new Map<string, Map<string, number[]>>()
  for (const { cid, id, timeMs } of rows) {
    const streams = found.get(cid) ?? new Map<string, number[]>()
    found.set(cid, streams)
    const times = streams.get(id)
    if (times) times.push(timeMs)
    else streams.set(id, [timeMs])
  }
  return [...found].flatMap(([cid, streams]) => Array.from(streams, ([id, timesMs]) => ({ cid, id, timesMs })))
}

type Statement = InsertStatement | UpdateStatement

type Growing = {
  readonly step: WriteStep
  readonly size: () => number
  readonly add: (statement: Statement, rows: readonly InsertedRow[]) => void
}

/** The samples of one statement; its gaps are filled by themselves, and a gap between two statements stays. */
type Part = { readonly statement: Statement; readonly start: number }

const openBatch = (statement: Statement, options: AppliedOptions, nowMs: number, rowOf: RowOf): Growing => {
  const components: SampleBatch['components'][number][] = []
  const indexes = new Map<string, number>()
  // One text for all samples of a stream, and not one for each row.
  const ids = new Map<string, string>()
  const samples = emptySamples()
  const partStarts: number[] = []
  const parts: Part[] = []
  const push = ({ cid, id, timeMs, sample }: InsertedRow): void => {
    let index = indexes.get(cid)
    if (index === undefined) {
      index = components.push({ ref: cid, name: undefined, templateId: options.compTmplId }) - 1
      indexes.set(cid, index)
    }
    const known = ids.get(id)
    if (known === undefined) ids.set(id, id)
    pushSample(samples, index, known ?? id, sample, timeMs ?? nowMs)
  }
  return {
    step: {
      kind: 'batch',
      batch: {
        form: 'script',
        uploadMs: nowMs,
        components,
        samples,
        wantedStreamIds: [],
        creation: creationOf(statement, options),
        fillsGaps: 'places' in statement,
        partStarts,
        derivation: noDerivation,
      },
      explain: (error) => explained(error, parts, options, rowOf),
    },
    size: () => samples.values.length,
    add: (one, rows) => {
      if (parts.at(-1)?.statement !== one) {
        const start = samples.values.length
        parts.push({ statement: one, start })
        partStarts.push(start)
      }
      for (const row of rows) push(row)
    },
  }
}

const creationOf = (statement: Statement, { folder, dtId, dsId }: AppliedOptions): SampleBatch['creation'] => {
  const places = 'places' in statement ? statement.places.options : {}
  // A @variable may be NULL where its twin is not.
  if ((dtId === undefined) !== (dsId === undefined))
    throw scriptFault((dtId === undefined ? places.dsId : places.dtId)!, 'DTID and DSID go together')
  return {
    folderPath: folder === undefined ? rootFolder : refusedAt(places.folder!, () => folderPath(folder)),
    streamTemplate: dtId === undefined ? undefined : { templateId: dtId, streamId: dsId! },
  }
}

const explained = (error: unknown, parts: readonly Part[], options: AppliedOptions, rowOf: RowOf): unknown => {
  if (!(error instanceof Fault)) return error
  const { code, about, message } = error
  const { statement, start } = parts.findLast((part) => part.start <= (about?.first ?? 0))!
  if (!('places' in statement)) {
    if (code !== 'bad_request') return error
    return scriptFault(about?.member === 'value' ? statement.sampleAt : statement.at, message)
  }
  const { at, places } = statement
  if (code === 'template_not_found') {
    const isOfComponents =
      options.compTmplId !== undefined && notFound('template', options.compTmplId).message === message
    return scriptFault((isOfComponents ? places.options.compTmplId : places.options.dtId) ?? at, message)
  }
  if (code === 'stream_not_found') return scriptFault(places.options.dsId ?? at, message)
  if (code !== 'bad_request') return error
  if (about === undefined || about.first !== about.last) return scriptFault(at, message)
  const row = rowOf(about.first - start)
  return scriptFault(placeOfRow(about.member === 'time' ? places.time : places.sample, row), `row ${row}: ${message}`)
}
