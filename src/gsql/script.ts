// A script, ready to run: parsed, built, checked and emitted once, and kept for the next time the same text comes.
import { buildScript } from './syntax/build.ts'
import { checkScript } from './check/check.ts'
import { copyOf } from './copied-columns.ts'
import type { Cell, Copy } from './copied-columns.ts'
import { emitKept, emitLooked, emitQuery, emitStreams, emitTexts, emitValue } from './emit/emit.ts'
import type { Emitted, RowOrigins } from './emit/emitted.ts'
import { scriptFault } from './fault.ts'
import type { Position } from './fault.ts'
import { parseScript } from './syntax/parse.ts'
import type { Action, QueryPlan, SourcePlan, StatementPlan, StreamPlan, StreamReading, Term } from './plan/plan.ts'
import type { CsvColumn } from './text/csv-table.ts'
import type { Type } from './value.ts'
import { isOfStream } from './check/stream-table.ts'

/** A statement with its queries as SQL: plain data, because it comes from another thread. */
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
  /** Of an import: the statement only copies columns of a spool, and constants. */
  readonly spooled?: Spooling
  /** In a script that writes, for each Stream whose samples it looks at, the query for their streams. */
  readonly looked: readonly (Emitted | 'all')[]
}

export type Spooling = { readonly spool: number; readonly cells: readonly Cell[] }

type Columns = { readonly columns: QueryPlan['columns'] }

export type CompiledAction =
  /** `value` is known without Postgres; undefined where Postgres works it out. */
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
    /** The moving end of the range, if it has one. */
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
  /** Whether its effects may depend on samples that it reads. */
  readonly writesWhatItReads: boolean
  /** Memory for each part of a statement, where there are too many to have the usual amount. */
  readonly workMemKb: number | undefined
  /** Set for an Ingest SQL. */
  readonly imported?: Imported
}

/** The external rows of an Ingest SQL. */
export type Imported = {
  /** The columns of each CSV_TABLE(@JDBC_RESULT), the same ones once. */
  readonly spools: readonly (readonly CsvColumn[])[]
  /** Whether it also wants @JDBC_RESULT as a text. */
  readonly readsText: boolean
}

export type ScriptForm = 'script' | 'import'

export const compileScript = (text: string, maxBytes: number, form: ScriptForm = 'script'): CompiledScript =>
  compilePlans(checkScript(buildScript(parseScript(text, maxBytes))), form)

export const compilePlans = (plans: readonly StatementPlan[], form: ScriptForm): CompiledScript => {
  const writes = plans.some(({ action: { kind } }) => kind !== 'select' && kind !== 'set')
  const spooled = form === 'import' ? spooledSources(plans) : undefined
  const statements = plans.map((plan, index) =>
    compileStatement(plan, writes, spooled && { statement: index, spools: spooled.ofStatements[index]! }),
  )
  return {
    statements,
    ...(spooled ? { imported: { spools: spooled.spools, readsText: holdsResult(statements) } } : {}),
    workMemKb: workMemOf(statements),
    readsStreams: plans.some(({ readsStreams }) => readsStreams),
    writes,
    writesWhatItReads: statements.some(({ looked }) => looked.length > 0),
  }
}

const resultName = 'jdbc_result'

type Spooled = {
  readonly spools: Imported['spools']
  /** For each statement the spools of its sources, by their numbers. */
  readonly ofStatements: readonly RowOrigins['spools'][]
}

/** Gives every CSV_TABLE(@JDBC_RESULT) its spool. A script that sets @JDBC_RESULT itself means that text. */
const spooledSources = (plans: readonly StatementPlan[]): Spooled => {
  const isSet = plans.some(({ action }) => action.kind === 'set' && action.variable === resultName)
  const numbers = new Map<string, number>()
  const spools: (readonly CsvColumn[])[] = []
  const spoolOf = ({ text, table }: SourcePlan): number | undefined => {
    if (isSet || text.kind !== 'variable' || text.name !== resultName) return undefined
    if (table.kind !== 'csv' || table.delimiter) return undefined
    const key = table.columns.map(({ position, type }) => `${position} ${type}`).join()
    const spool = numbers.get(key) ?? spools.push(table.columns) - 1
    numbers.set(key, spool)
    return spool
  }
  const ofStatements = plans.map(({ sources }) => {
    const own = new Map<number, number>()
    for (const source of sources) {
      const spool = spoolOf(source)
      if (spool !== undefined) own.set(source.index, spool)
    }
    return own
  })
  return { spools, ofStatements }
}

/** Looks through the whole compiled script, which is plain data. */
const holdsResult = (part: unknown): boolean => {
  if (typeof part !== 'object' || part === null) return false
  const { kind, name } = part as { readonly kind?: unknown; readonly name?: unknown }
  return (kind === 'variable' && name === resultName) || Object.values(part).some(holdsResult)
}

/** The memory of a statement for sorting and keeping rows, all of its parts together. */
const mostKb = 100 * 1024
/** The memory of each part (run/script-pool.ts). */
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

/**
 * The most characters of a statement's SQL, with the queries before it: each table of texts repeats a part of the
 * WHERE.
 */
const maxSqlLength = 4_000_000

/** A statement of an import, whose rows and effects are in the database. */
type Kept = { readonly statement: number; readonly spools: RowOrigins['spools'] }

const compileStatement = (plan: StatementPlan, writes: boolean, kept: Kept | undefined): CompiledStatement => {
  const { action, at, sites, overflows } = plan
  const copy = action.kind === 'set' || kept ? undefined : copyOf(action.query)
  const origins: RowOrigins = {
    readings: new Map(plan.streams.map(({ relation, reading }) => [relation.id, reading])),
    spools: kept?.spools ?? new Map(),
  }
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
    ...(kept && action.kind === 'insert' ? spooledCopy(action.query, kept) : {}),
    main:
      copy || (action.kind === 'set' && isKnown(action.value))
        ? undefined
        : counted(emitAction(action, plan, origins, kept)),
    sources: plan.sources.map((source) => ({
      index: source.index,
      at: source.at,
      table: source.table,
      ...(source.asked
        ? { asked: counted(emitTexts(source, origins)) }
        : { text: origins.spools.has(source.index) ? nothing : source.text }),
    })),
    streams: plan.streams.map((stream) => compiledStream(stream, origins, counted)),
    looked: writes ? plan.streams.filter(looksAtSamples).map((stream) => emitLooked(stream, origins)) : [],
  }
}

/** Rows of any type are texts once they are kept, and what a variable holds is known only while the script runs. */
const spooledCopy = (query: QueryPlan, { spools }: Kept): Pick<CompiledStatement, 'spooled'> => {
  const [part, ...others] = copyOf(query) ?? []
  const spool = part?.source === undefined ? undefined : spools.get(part.source)
  const isPlain = query.columns.every(({ type }) => type !== 'ANY')
  const isKnownCell = (cell: Cell) => cell.kind === 'column' || cell.term.kind !== 'variable'
  return spool !== undefined && others.length === 0 && isPlain && part!.cells.every(isKnownCell)
    ? { spooled: { spool, cells: part!.cells } }
    : {}
}

/** Stands for a text that nobody reads. */
const nothing: Term = { kind: 'constant', type: 'STRING', value: null }

const isKnown = ({ kind }: Term) => kind === 'constant' || kind === 'variable'

const looksAtSamples = ({ reading }: StreamPlan) =>
  reading.samples || [...reading.used].some((column) => !isOfStream(column))

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

const compiledStream = (
  stream: StreamPlan,
  origins: RowOrigins,
  counted: (emitted: Emitted) => Emitted,
): CompiledStream => {
  const { relation, reading, at } = stream
  const { range: asked, cycleId, cycleAt, statistics } = reading
  // The edges of the range are in the SQL.
  const range = asked?.kind === 'between' ? { kind: asked.kind, from: undefined, to: undefined } : asked
  const wanted = statistics.length > 0 ? counted(emitStreams(stream, origins)) : undefined
  const to = asked?.kind === 'between' ? asked.to?.kind : undefined
  const endsWith = to === 'now' || to === 'streamEd' ? to : undefined
  return { relation: relation.id, at, reading: { range, cycleId, cycleAt, statistics, endsWith }, wanted }
}

const emitAction = (action: Action, plan: StatementPlan, origins: RowOrigins, kept: Kept | undefined): Emitted => {
  if (action.kind === 'set') return emitValue(action.value, origins)
  return kept && action.kind !== 'select'
    ? emitKept(action.query, origins, kept.statement)
    : emitQuery(action.query, origins, plan.sites.length)
}

/** The first script costs 60 ms, the second 1 ms; so a first one is compiled when the server starts. */
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
