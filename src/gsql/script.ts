// A script, ready to run: parsed, built, checked and emitted once, and kept for the next time the same text comes.
import { buildScript } from './build.ts'
import { checkScript } from './check.ts'
import { copyOf } from './copy.ts'
import type { Copy } from './copy.ts'
import { emitQuery, emitStreams, emitTexts, emitValue } from './emit.ts'
import type { Emitted } from './emit.ts'
import { scriptFault } from './fault.ts'
import { parseScript } from './parse.ts'
import type { Action, StatementPlan, StreamPlan } from './plan.ts'

export type CompiledStatement = {
  readonly plan: StatementPlan
  /** undefined where the rows can be told without Postgres. */
  readonly main: Emitted | undefined
  readonly copy: Copy | undefined
  /** For each source, the query for its texts; undefined where they are known. */
  readonly texts: readonly (Emitted | undefined)[]
  /** For each Stream with statistics, the query for its streams. */
  readonly streams: readonly (Emitted | undefined)[]
}

export type CompiledScript = {
  readonly statements: readonly CompiledStatement[]
  readonly readsStreams: boolean
  /** Whether it holds INSERT, UPDATE or DELETE. */
  readonly writes: boolean
  /** Memory for each part of a statement, where there are too many to have the usual amount. */
  readonly workMemKb: number | undefined
}

export const compileScript = (text: string, maxBytes: number): CompiledScript => {
  const plans = checkScript(buildScript(parseScript(text, maxBytes)))
  const statements = plans.map(compileStatement)
  return {
    statements,
    workMemKb: workMemOf(statements),
    readsStreams: plans.some(({ readsStreams }) => readsStreams),
    writes: plans.some(({ action: { kind } }) => kind !== 'select' && kind !== 'set'),
  }
}

/** What a statement may have in memory for sorting and keeping rows, all of its parts together. */
const mostKb = 100 * 1024
/** What each part may have (pool.ts). */
export const usualKb = 4 * 1024

/** Every SELECT and every table may sort or keep rows. */
const workMemOf = (statements: readonly CompiledStatement[]): number | undefined => {
  const texts = statements.flatMap(({ main, texts: asked }) => [main, ...asked].map((one) => one?.text ?? ''))
  const parts = Math.max(...texts.map((text) => text.match(/\bselect\b|\bunnest\(/g)?.length ?? 0))
  return parts * usualKb > mostKb ? Math.max(64, Math.floor(mostKb / parts)) : undefined
}

/** Of the SQL of a statement, with what is asked before it: each table of texts repeats a part of the WHERE. */
const maxSqlLength = 4_000_000

const compileStatement = (plan: StatementPlan): CompiledStatement => {
  const { action } = plan
  const copy = action.kind === 'set' ? undefined : copyOf(action.query)
  let length = 0
  const counted = (emitted: Emitted | undefined) => {
    length += emitted?.text.length ?? 0
    if (length > maxSqlLength) throw scriptFault(plan.at, 'the statement stands for too much')
    return emitted
  }
  return {
    plan,
    copy,
    main: copy ? undefined : counted(emitAction(action, plan)),
    texts: plan.sources.map((source) => (source.asked ? counted(emitTexts(source)) : undefined)),
    streams: plan.streams.map((stream) => (hasStatistics(stream) ? counted(emitStreams(stream)) : undefined)),
  }
}

const hasStatistics = ({ relation: { origin } }: StreamPlan) =>
  origin.kind === 'stream' && origin.reading.statistics.length > 0

const emitAction = (action: Action, plan: StatementPlan): Emitted | undefined => {
  if (action.kind !== 'set') return emitQuery(action.query, plan.sites.length)
  return action.value.kind === 'constant' || action.value.kind === 'variable' ? undefined : emitValue(action.value)
}

/** Scripts by their text, the least recently used forgotten first. */
export const scriptCache = (maxBytes: number, most = 500) => {
  const known = new Map<string, CompiledScript>()
  return (text: string): CompiledScript => {
    const found = known.get(text) ?? compileScript(text, maxBytes)
    known.delete(text)
    known.set(text, found)
    if (known.size > most) known.delete(known.keys().next().value!)
    return found
  }
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
