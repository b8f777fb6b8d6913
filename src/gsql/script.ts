// A script, ready to run: parsed, built, checked and emitted once, and kept for the next time the same text comes.
import { buildScript } from './syntax/build.ts'
import { checkScript } from './check/check.ts'
import { copyOf } from './copied-columns.ts'
import type { Copy } from './copied-columns.ts'
import { emitKept, emitLooked, emitQuery, emitStreams, emitTexts, emitValue } from './emit/emit.ts'
import type { Emitted } from './emit/emitted.ts'
import { scriptFault } from './fault.ts'
import type { Position } from './fault.ts'
import { parseScript } from './syntax/parse.ts'
import type { Action, QueryPlan, SourcePlan, StatementPlan, StreamPlan, StreamReading, Term } from './plan.ts'
import type { CsvColumn } from './text/csv-table.ts'
import type { Type } from './value.ts'
import { isOfStream } from './check/stream-table.ts'

/** What is left of a statement's plan once its queries have become SQL: plain data, for it comes from another thread. */
export type CompiledStatement = {
  readonly at: Position
  readonly action: CompiledAction
  readonly sources: readonly CompiledSource[]
  readonly streams: readonly CompiledStream[]
  readonly sites: StatementPlan['sites']
  readonly overflows: StatementPlan['overflows']
  /** undefined where the rows are known without Postgres. */
  readonly main: Emitted | undefined
  readonly copy: Copy | undefined
  /** In a script that writes, for each Stream whose samples it looks at, the query for their streams. */
  readonly looked: readonly (Emitted | 'all')[]
}

type Columns = { readonly columns: QueryPlan['columns'] }

export type CompiledAction =
  /** `value` is known without Postgres; undefined where it is asked for. */
  | { readonly kind: 'set'; readonly variable: string; readonly type: Type; readonly value: Term | undefined }
  | ({ readonly kind: 'select' } & Columns)
  | ({ readonly kind: 'insert' } & Columns & Pick<Insert, 'options' | 'places'> & { readonly takes: Insert['columns'] })
  | ({ readonly kind: 'update'; readonly sampleAt: Position } & Columns)
  | ({ readonly kind: 'delete' } & Columns)

type Insert = Extract<Action, { kind: 'insert' }>

export type CompiledSource = Pick<SourcePlan, 'index' | 'at' | 'table'> &
  ({ readonly text: Term } | { readonly asked: Emitted })

export type CompiledStream = {
  readonly relation: number
  readonly at: Position
  readonly reading: Pick<StreamReading, 'range' | 'cycleId' | 'cycleAt' | 'statistics'> & {
    /** Where the range ends, if that is with something that is going on. */
    readonly endsWith: 'now' | 'streamEd' | undefined
  }
  /** The query for its streams, where it has statistics. */
  readonly wanted: Emitted | undefined
}

export type CompiledScript = {
  readonly statements: readonly CompiledStatement[]
  readonly readsStreams: boolean
  /** Whether it holds INSERT, UPDATE or DELETE. */
  readonly writes: boolean
  /** Whether what it writes may hang on samples that it reads. */
  readonly writesWhatItReads: boolean
  /** Memory for each part of a statement, where there are too many to have the usual amount. */
  readonly workMemKb: number | undefined
  /** Of an Ingest SQL. */
  readonly imported?: Imported
}

/** How an Ingest SQL takes the external rows. */
export type Imported = {
  /** The columns of each CSV_TABLE(@JDBC_RESULT), the same ones once. */
  readonly spools: readonly (readonly CsvColumn[])[]
  /** Whether it also wants @JDBC_RESULT as a text. */
  readonly readsText: boolean
}

export type ScriptForm = 'script' | 'import'

export const compileScript = (text: string, maxBytes: number, form: ScriptForm = 'script'): CompiledScript => {
  const plans = checkScript(buildScript(parseScript(text, maxBytes)))
  const writes = plans.some(({ action: { kind } }) => kind !== 'select' && kind !== 'set')
  const spools = form === 'import' ? spoolResult(plans) : []
  const statements = plans.map((plan, index) => compileStatement(plan, writes, form === 'import' ? index : undefined))
  return {
    statements,
    ...(form === 'import' ? { imported: { spools, readsText: holdsResult(statements) } } : {}),
    workMemKb: workMemOf(statements),
    readsStreams: plans.some(({ readsStreams }) => readsStreams),
    writes,
    writesWhatItReads: statements.some(({ looked }) => looked.length > 0),
  }
}

const resultName = 'jdbc_result'

/** Gives every CSV_TABLE(@JDBC_RESULT) its spool. A script that sets @JDBC_RESULT itself means that text. */
const spoolResult = (plans: readonly StatementPlan[]): Imported['spools'] => {
  if (plans.some(({ action }) => action.kind === 'set' && action.variable === resultName)) return []
  const spools = new Map<string, readonly CsvColumn[]>()
  for (const source of plans.flatMap(({ sources }) => sources)) {
    const { text, table } = source
    if (text.kind !== 'variable' || text.name !== resultName || table.kind !== 'csv' || table.delimiter) continue
    const key = table.columns.map(({ position, type }) => `${position} ${type}`).join()
    source.spool = spools.has(key) ? [...spools.keys()].indexOf(key) : spools.size
    if (!spools.has(key)) spools.set(key, table.columns)
  }
  return [...spools.values()]
}

/** Anywhere in what was compiled, which is plain data. */
const holdsResult = (part: unknown): boolean => {
  if (typeof part !== 'object' || part === null) return false
  const { kind, name } = part as { readonly kind?: unknown; readonly name?: unknown }
  return (kind === 'variable' && name === resultName) || Object.values(part).some(holdsResult)
}

/** What a statement may have in memory for sorting and keeping rows, all of its parts together. */
const mostKb = 100 * 1024
/** What each part may have (script-pool.ts). */
export const usualKb = 4 * 1024

/** Every SELECT and every table may sort or keep rows. */
const workMemOf = (statements: readonly CompiledStatement[]): number | undefined => {
  const texts = statements.flatMap(({ main, sources }) => [
    main?.text ?? '',
    ...sources.map((source) => ('asked' in source ? source.asked.text : '')),
  ])
  const parts = Math.max(...texts.map((text) => text.match(/\bselect\b|\bunnest\(/g)?.length ?? 0))
  return parts * usualKb > mostKb ? Math.max(64, Math.floor(mostKb / parts)) : undefined
}

/** Of the SQL of a statement, with what is asked before it: each table of texts repeats a part of the WHERE. */
const maxSqlLength = 4_000_000

/** `kept`: the number of a statement of an import, whose effects stay in the database. */
const compileStatement = (plan: StatementPlan, writes: boolean, kept?: number): CompiledStatement => {
  const { action, at, sites, overflows } = plan
  const copy = action.kind === 'set' || kept !== undefined ? undefined : copyOf(action.query)
  let length = 0
  const counted = (emitted: Emitted) => {
    length += emitted.text.length
    if (length > maxSqlLength) throw scriptFault(at, 'the statement stands for too much')
    return emitted
  }
  return {
    at,
    action: compiledAction(action),
    sites,
    overflows,
    copy,
    main:
      copy || (action.kind === 'set' && isKnown(action.value)) ? undefined : counted(emitAction(action, plan, kept)),
    sources: plan.sources.map((source) => ({
      index: source.index,
      at: source.at,
      table: source.table,
      ...(source.asked
        ? { asked: counted(emitTexts(source)) }
        : { text: source.spool === undefined ? source.text : nothing }),
    })),
    streams: plan.streams.flatMap((stream) => compiledStream(stream, counted)),
    looked: writes ? plan.streams.filter(looksAtSamples).map(emitLooked) : [],
  }
}

/** In place of a text that nobody reads. */
const nothing: Term = { kind: 'constant', type: 'STRING', value: null }

const isKnown = ({ kind }: Term) => kind === 'constant' || kind === 'variable'

const looksAtSamples = ({ relation: { origin } }: StreamPlan) =>
  origin.kind === 'stream' && (origin.reading.samples || [...origin.reading.used].some((column) => !isOfStream(column)))

const compiledAction = (action: Action): CompiledAction => {
  if (action.kind === 'set') {
    const { kind, variable, value } = action
    return { kind, variable, type: value.type, value: isKnown(value) ? value : undefined }
  }
  const { columns } = action.query
  if (action.kind === 'insert')
    return { kind: 'insert', columns, takes: action.columns, options: action.options, places: action.places }
  return action.kind === 'update'
    ? { kind: 'update', columns, sampleAt: action.sampleAt }
    : { kind: action.kind, columns }
}

const compiledStream = (stream: StreamPlan, counted: (emitted: Emitted) => Emitted): readonly CompiledStream[] => {
  const { relation, at } = stream
  if (relation.origin.kind !== 'stream') return []
  const { range: asked, cycleId, cycleAt, statistics } = relation.origin.reading
  // Its edges are in the SQL.
  const range = asked?.kind === 'between' ? { kind: asked.kind, from: undefined, to: undefined } : asked
  const wanted = statistics.length > 0 ? counted(emitStreams(stream)) : undefined
  const to = asked?.kind === 'between' ? asked.to?.kind : undefined
  const endsWith = to === 'now' || to === 'streamEd' ? to : undefined
  return [{ relation: relation.id, at, reading: { range, cycleId, cycleAt, statistics, endsWith }, wanted }]
}

const emitAction = (action: Action, plan: StatementPlan, kept: number | undefined): Emitted => {
  if (action.kind === 'set') return emitValue(action.value)
  return kept !== undefined && action.kind !== 'select'
    ? emitKept(action.query, kept)
    : emitQuery(action.query, plan.sites.length)
}

/** The first script costs sixty milliseconds, the second one; so a first one runs when the server starts. */
export const warmUp = () => {
  for (let round = 0; round < 3; round++) compileScript(warmUpScript, 65_536)
}

const warmUpScript = `
  SET @x = Left(@HTTP_BODY, 3) + 'a';
  WITH a AS (SELECT t, Max(v) AS m FROM JSON_TABLE(@HTTP_BODY) WITH (t Long '$.list[*].t', v Double '$.list[?(@.k=="v")].v')
    WHERE t > 5 AND NOT v IS NULL OR t BETWEEN 1 AND 2 GROUP BY t HAVING m > 1 ORDER BY t DESC LIMIT 10)
  INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) WITH (FOLDER = '/Components/x')
  SELECT 'c', 's', t, CASE WHEN m LIKE '1%' THEN Cast(m AS LONG) ELSE NULL END FROM a
  UNION ALL SELECT b.x, "id", TOEPOCHMILLIS(b.y, 'yyyy-MM-dd HH:mm:ss', 'UTC'), -1.5 * 2
  FROM CSV_TABLE(@HTTP_BODY, TRUE, ';') WITH (1 x STRING, 2 y STRING) b LEFT JOIN a ON a.t = b.x AND b.x IN (1, 2);
  SELECT cname, sample(Range(sd=-1d, ed=now), cycleId='day', stat='max') FROM Stream WHERE EXISTS (SELECT 1)`
