// Removals that go on in the background (docs/management.md#removals): a deletion is answered with its progress, which can
// be asked for until it is over, and for 30 days after.
//
//   DELETE /api/component/<uid>  ->  202 {"success":true,"message":"","removal":{"uid":"...","samplesRemoved":0,...}}
//   GET /api/removal/<uid>
import type { Access, Account } from '../access/guard.ts'
import { notFound } from '../base/errors.ts'
import type { Route } from '../base/http/call.ts'
import { describeList, doneReply, envelopeReply } from '../base/http/description.ts'
import { listReply } from '../base/http/list-reply.ts'
import { oneOf, trueOrFalse } from '../base/http/members.ts'
import { readPage } from '../base/http/page.ts'
import type { Reply } from '../base/http/reply.ts'
import { jsonReply } from '../base/http/reply.ts'
import type { Schema } from '../base/http/schema.ts'
import { objectSchema } from '../base/http/schema.ts'
import type { World } from '../base/world.ts'
import { demand, demandOfNamed, hiddenFrom } from '../core/caller.ts'
import { findRemoval, listRemovals, removalSorts, removedEntities } from '../core/upkeep/removal-progress.ts'
import type { RemovalProgress, RemovalsOf } from '../core/upkeep/removal-progress.ts'

const filters = { entity: oneOf(...removedEntities), done: trueOrFalse }
const sorts = Object.keys(removalSorts)

export const removalRoutes = (world: World, access: Access): readonly Route[] => {
  const list = access.guardAnywhere(async (account, call) => {
    const { done: isDone, ...search } = readPage(call.query, filters, sorts)
    const org = call.query.get('org')
    const callers = account.callers.filter(({ organizationUid }) => org === undefined || organizationUid === org)
    for (const caller of callers) {
      demand(caller, 'GET component')
      if (hiddenFrom(caller, 'stream').size > 0) demand(caller, 'GET stream')
    }
    const whose = { organizationKeys: keysOf(callers), userKey: org === undefined ? account.user?.userKey : undefined }
    return listReply(
      call,
      world.sql,
      listed.rows,
      (sql) => listRemovals(sql, whose, search, { ...search, isDone }),
      show,
    )
  })
  const one = access.guardAnywhere(async (account, call) => {
    const uid = call.params['uid']!
    const removal = await findRemoval(world.sql, whoseOf(account), uid)
    const caller = account.callers.find(({ organizationKey }) => organizationKey === removal?.organizationKey)
    // A key with rights to one component learns nothing of others.
    const judged = caller ?? account.callers.find(({ user }) => user === undefined)
    if (judged) demand(judged, 'GET component', removal?.componentUid ?? undefined)
    if (judged && removal?.entity === 'stream') demandOfNamed(judged, 'GET stream', [{ uid: removal.subject }])
    if (removal === undefined) throw notFound('removal', uid)
    return jsonReply({ success: true, message: '', removal: show(removal) })
  })
  return [
    {
      method: 'GET',
      path: '/api/removal',
      handle: list,
      description: listed,
    },
    {
      method: 'GET',
      path: '/api/removal/:uid',
      handle: one,
      description: {
        part: 'management',
        summary: 'Show how far a removal is',
        details: 'A DELETE that is answered with 202 shows the uid under removal.',
        path: { uid: { type: 'string', description: 'of a removal' } },
        reply: envelopeReply('removal', shown),
      },
    },
  ]
}

const keysOf = (callers: Account['callers']) => callers.map(({ organizationKey }) => organizationKey)

const whoseOf = ({ callers, user }: Account): RemovalsOf => ({
  organizationKeys: keysOf(callers),
  userKey: user?.userKey,
})

/** 202 with the progress, or 200 when all is gone. */
export const removedReply = (removal: RemovalProgress | undefined): Reply =>
  removal === undefined
    ? jsonReply({ success: true, message: '' })
    : jsonReply({ success: true, message: '', removal: show(removal) }, 202)

const moment: Schema = { type: 'integer', description: 'epoch milliseconds' }

const shown: Schema = {
  title: 'Removal',
  ...objectSchema({
    uid: { type: 'string' },
    entity: { type: 'string', enum: removedEntities },
    subject: { type: 'string', description: 'the uid of the removed entity' },
    name: { type: 'string', description: 'its id, or its name' },
    start: moment,
    end: { ...moment, type: ['integer', 'null'], description: 'epoch milliseconds; null while it goes on' },
    streams: { type: 'integer' },
    streamsRemoved: { type: 'integer' },
    samples: { type: ['integer', 'null'], description: 'null while they are counted' },
    samplesRemoved: { type: 'integer' },
  }),
}

const listed = describeList(
  'management',
  'removal',
  'List removals that go on in the background, and those that are over, latest first',
  shown,
  filters,
  sorts,
)

/** The reply of a DELETE. */
export const removedSchema: Schema = {
  ...doneReply.schema,
  properties: { ...doneReply.schema.properties, removal: shown },
}

const show = (removal: RemovalProgress) => ({
  uid: removal.uid,
  entity: removal.entity,
  subject: removal.subject,
  name: removal.name,
  start: removal.startMs,
  end: removal.endMs,
  streams: removal.streams,
  streamsRemoved: removal.streamsRemoved,
  samples: removal.samples,
  samplesRemoved: removal.samplesRemoved,
})
