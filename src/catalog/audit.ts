// The audit log: every change, its actor and its time (docs/management.md#audit-log). Read only.
//
//   GET /api/audit?entity=api_key&actor=<uid>&sd=1794700000000&ed=1794800000000
import type { Call, Route } from '../base/http/call.ts'
import { badRequest } from '../base/errors.ts'
import { describeList } from '../base/http/description.ts'
import { listReply } from '../base/http/list-reply.ts'
import { reader, text } from '../base/http/members.ts'
import { readPage } from '../base/http/page.ts'
import { epoch } from '../base/http/params.ts'
import type { Query } from '../base/http/query-string.ts'
import { objectSchema } from '../base/http/schema.ts'
import type { World } from '../base/world.ts'
import type { AuditEntry, AuditSearch } from '../core/audit.ts'
import { listAudit } from '../core/audit.ts'
import type { Caller } from '../core/caller.ts'
import { demand } from '../core/caller.ts'
import type { Guard } from './entity.ts'

const time = reader({ type: 'integer', description: 'epoch milliseconds' }, (name, value) =>
  epoch(name, value as string),
)
const word = text(0, 512)
const filters = { actor: word, action: word, entity: word, subject: word, sd: time, ed: time }

const readSearch = (query: Query): AuditSearch => {
  const { sd, ed, actor, action, entity, subject, ...page } = readPage(query, filters)
  if (sd !== undefined && ed !== undefined && sd > ed) throw badRequest('sd is after ed')
  return { ...page, actor, action, entity, subject, fromMs: sd, beforeMs: ed }
}

export const auditRoutes = (world: World, guard: Guard): readonly Route[] => {
  const list = async (caller: Caller, call: Call) => {
    const search = readSearch(call.query)
    demand(caller, 'GET audit')
    return listReply(
      call,
      world.listSql ?? world.sql,
      description.rows,
      (sql) => listAudit(sql, caller.organizationKey, search),
      show,
    )
  }
  const description = describeList('management', 'audit', 'Read the audit log, latest first', shown, filters)
  return [{ method: 'GET', path: '/api/audit', handle: guard(list), description }]
}

const shown = objectSchema({
  time: { type: 'integer' },
  actor: { type: 'string' },
  actorName: { type: ['string', 'null'], description: 'the e-mail of the user, or the name of the key' },
  action: { type: 'string' },
  subject: { type: ['string', 'null'] },
  subjectName: { type: ['string', 'null'], description: 'as it is called now, or was when it was removed' },
  detail: {},
})

const show = ({ atMs, ...entry }: AuditEntry) => ({ time: atMs, ...entry })
