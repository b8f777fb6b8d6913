// The turns of removals (removal.ts): tenants (db/0040_tenant.sql) have one after another, each for a bounded piece of its own. An
// organization of 50,000 components kept the removal of 3 samples of somebody else waiting for 107 s before.
import type { Fragment, Sql } from '../base/database/sql.ts'

/** Remembers the tenant that had the last turn. */
export type Turn = { last: string }

/** Before all tenants. */
const nobody = ''

export const newTurn = (): Turn => ({ last: nobody })

/**
 * The tenant behind the last one, of those that `waiting` has under tenant; undefined when nobody waits. It is passed on at once: a
 * piece that fails keeps nobody else waiting. An index has to begin with the tenant, so that nobody's rows are read, however many.
 */
export const nextTenant = async (sql: Sql, waiting: Fragment, turn: Turn): Promise<string | undefined> => {
  const next = async (last: string): Promise<string | undefined> => {
    const [row] = await sql<{ tenant: string }[]>`
      select tenant from (${waiting}) as waiting where tenant > ${last} order by tenant limit 1`
    return row?.tenant
  }
  const tenant = (await next(turn.last)) ?? (turn.last === nobody ? undefined : await next(nobody))
  turn.last = tenant ?? nobody
  return tenant
}
