// The audit log: who changed what, and when (decisions 11). Read only.
import type { Call, Route } from '../base/call.ts'
import { jsonReply } from '../base/reply.ts'
import type { World } from '../base/world.ts'
import { listAudit } from '../core/audit.ts'
import type { Caller } from '../core/caller.ts'
import { demand } from '../core/caller.ts'
import type { Guard } from './entity.ts'
import { envelope, readPage } from './entity.ts'

export const auditRoutes = (world: World, guard: Guard): readonly Route[] => {
  const list = async (caller: Caller, call: Call) => {
    const page = readPage(call.query)
    demand(caller, 'GET audit')
    const { entries, totalCount } = await listAudit(world.sql, caller.organizationKey, page)
    const shown = entries.map(({ atMs, actor, action, subject, detail }) => ({
      time: atMs,
      actor,
      action,
      subject,
      detail,
    }))
    return jsonReply({ ...envelope('audit', shown), totalCount })
  }
  return [{ method: 'GET', path: '/api/audit', body: 'raw', handle: guard(list) }]
}
