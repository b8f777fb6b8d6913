// The turns of removals (removal.ts) and of retention (retention.ts): tenants (db/0040_tenant.sql) have one after another, each for a
// bounded piece of its own. An organization of 50,000 components kept the removal of 3 samples of somebody else waiting for 107 s before.
import type { Fragment, Sql } from '../../base/database/sql.ts'

/** Remembers the tenant that had the last turn, whether this one is somebody's, and whether any has got on since the round began. */
export type Turn = { last: string; isSomebodys: boolean; hasGotOn: boolean }

/** Before all tenants. */
const nobody = ''

export const newTurn = (): Turn => ({ last: nobody, isSomebodys: false, hasGotOn: false })

/**
 * The tenant behind the last one, of those that `waiting` has under tenant; undefined when nobody waits, or nobody has got on in a
 * whole round: somebody else is at their pieces, or these fail. It is passed on at once: a piece that fails keeps nobody else
 * waiting. An index has to begin with the tenant, so that nobody's rows are read, however many.
 */
export const nextTenant = async (sql: Sql, waiting: Fragment, turn: Turn): Promise<string | undefined> => {
  const behind = async (tenant: string): Promise<string | undefined> => {
    const [row] = await sql<{ tenant: string }[]>`
      select tenant from (${waiting}) as waiting where tenant > ${tenant} order by tenant limit 1`
    return row?.tenant
  }
  const { last, hasGotOn } = turn
  // Where even this fails, it is nobody's turn.
  turn.last = nobody
  let tenant = await behind(last)
  if (tenant === undefined) {
    turn.hasGotOn = false
    if (hasGotOn) tenant = await behind(nobody)
  }
  turn.last = tenant ?? nobody
  turn.isSomebodys = tenant !== undefined
  return tenant
}
