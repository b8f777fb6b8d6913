// Errors of a running script, as its caller gets them.
import { faultFromSql, sqlCode } from '../../base/database/sql.ts'
import { Fault } from '../../base/errors.ts'
import { OutOfTime } from './deadline.ts'
import type { Deadline } from './deadline.ts'
import { scriptFault } from '../fault.ts'
import type { Position } from '../fault.ts'
import type { ScriptLimits } from './script-context.ts'
import type { CompiledStatement } from '../script.ts'

export const tookTooLong = (at: Position, limits: Pick<ScriptLimits, 'timeoutMs'>) =>
  scriptFault(at, `the script took longer than ${limits.timeoutMs} ms`)

/** A query is cancelled at the end of its time; and before it by a compression that has waited for a day (core/upkeep/compression.ts): that one may be tried again. */
export const isTimeout = (error: unknown, deadline: Deadline) =>
  error instanceof OutOfTime || (sqlCode(error) === '57014' && deadline.wasReached())

export const tooManyRows = (at: Position, most: number) => scriptFault(at, `more than ${most} rows`)

type Places = Pick<CompiledStatement, 'at' | 'sites' | 'overflows'>

const overflow = ({ overflows, at }: Places, error: unknown) => {
  const [first = at, ...others] = overflows
  const isOne = others.every(({ line, column }) => line === first.line && column === first.column)
  return scriptFault(first, `a number is out of range${isOne ? '' : ', here or in a later aggregate'}`, error)
}

/** Postgres' own words never reach the caller. An error that we did not foresee stays an error of ours. */
export const faultOf = (error: unknown, plan: Places): unknown => {
  if (error instanceof Fault) return error
  const code = sqlCode(error) ?? ''
  if (code === 'GS001') {
    const { message, detail } = error as Error & { readonly detail: string }
    return scriptFault(plan.sites[Number(detail)] ?? plan.at, message)
  }
  if (code !== '53300' && /^5[34]/.test(code))
    return scriptFault(plan.at, 'the statement needs more memory than allowed', error)
  if (code === '22003') return overflow(plan, error)
  if (code.startsWith('22')) return scriptFault(plan.at, 'a value is out of range', error)
  return faultFromSql(error)
}
