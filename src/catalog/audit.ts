// The audit log: every change, its actor and its time (docs/management.md#audit-log). Read only.
//
//   GET /api/audit?entity=api_key&actor=<uid>&sd=1794700000000&ed=1794800000000
import type { Call, Route } from '../base/http/call.ts'
import { badRequest } from '../base/errors.ts'
import { listReply } from '../base/http/list-reply.ts'
import { epoch } from '../base/http/params.ts'
import type { Query } from '../base/http/query-string.ts'
import type { World } from '../base/world.ts'
import type { AuditEntry, AuditSearch } from '../core/audit.ts'
import { listAudit } from '../core/audit.ts'
import type { Caller } from '../core/caller.ts'
import { demand } from '../core/caller.ts'
import type { Guard } from './entity.ts'
import { readFilter, readPage } from './entity.ts'

const filters = ['actor', 'action', 'entity', 'subject', 'sd', 'ed']

const readSearch = (query: Query): AuditSearch => {
  const time = (name: string) => {
    const given = query.get(name)
    return given === undefined ? undefined : epoch(name, given)
  }
  const [fromMs, beforeMs] = [time('sd'), time('ed')]
  if (fromMs !== undefined && beforeMs !== undefined && fromMs > beforeMs) throw badRequest('sd is after ed')
  return {
    ...readPage(query, filters),
    actor: readFilter(query, 'actor'),
    action: readFilter(query, 'action'),
    entity: readFilter(query, 'entity'),
    subject: readFilter(query, 'subject'),
    fromMs,
    beforeMs,
  }
}

export const auditRoutes = (world: World, guard: Guard): readonly Route[] => {
  const list = async (caller: Caller, call: Call) => {
    const search = readSearch(call.query)
    demand(caller, 'GET audit')
    return listReply(call, world.sql, 'audit', (sql) => listAudit(sql, caller.organizationKey, search), show)
  }
  return [{ method: 'GET', path: '/api/audit', handle: guard(list) }]
}

const show = ({ atMs, actor, action, subject, detail }: AuditEntry) => ({ time: atMs, actor, action, subject, detail })
