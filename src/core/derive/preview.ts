// The samples that an expression would give, none of them stored: by the same rows and the same SQL as deriving.
import { badRequest } from '../../base/errors.ts'
import type { Transaction } from '../../base/database/sql.ts'
import { nobodyHears } from '../sample/gate.ts'
import { sampleValue } from '../sample/sample.ts'
import { shownMs } from '../sample/rows.ts'
import type { Value } from '../sample/value.ts'
import type { Span } from '../time/span.ts'
import { collectRows, rowsAtOnce } from './collect.ts'
import { readDraft } from './definition.ts'
import type { Drafted } from './definition.ts'
import { selectValues } from './statement.ts'
import type { Tools } from './work.ts'

export type PreviewedSample = { readonly timeMs: number; readonly value: Value }

/** Long enough for what people look at, and not for what they would rather not have saved. */
const statementMs = 5000

export const previewStream = async (
  tools: Tools,
  sql: Transaction,
  drafted: Drafted,
  [fromMs, toMs]: Span,
  most: number,
  nowMs: number,
): Promise<readonly PreviewedSample[]> => {
  const definition = await readDraft(sql, drafted)
  if (definition === undefined) return []
  const { kind, valueType } = definition
  const compiled = tools.compiled(definition)
  await sql`select set_config('statement_timeout', ${String(statementMs)}, true)`
  const asked = { definition, compiled, mode: 'compare', nowMs, claimedUntilMs: 0, heard: nobodyHears } as const
  const found: PreviewedSample[] = []
  for (let atMs = fromMs; atMs < toMs && found.length < most;) {
    const wanted = [{ definition, span: [atMs, toMs] }] as const
    const [collected] = await collectRows(sql, wanted, rowsAtOnce(definition, most))
    const { rows, reachedMs } = collected!
    atMs = reachedMs
    if (rows.timesMs.length === 0) continue
    const { text, values } = selectValues(asked, rows)
    const given = await sql
      .unsafe<{ timeMs: number; value: number | bigint | string | null }[]>(text, values as (string | number)[])
      .catch((error: unknown) => {
        const message = compiled.explain(error, statementMs)
        throw message === undefined ? error : badRequest(message)
      })
    for (const { timeMs, value } of given) {
      if (value === null && kind === 'random') continue
      const [num, long, text_] = [value as number | null, value as number | bigint | null, value as string | null]
      found.push({ timeMs: shownMs(kind, timeMs), value: sampleValue(valueType, { num, long, text: text_ }) })
    }
  }
  return found.slice(0, most)
}
