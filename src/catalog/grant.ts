// Grants of users to OAuth clients (docs/oauth.md#ending-it): users see theirs, in all organizations, and end them. By
// a session only: a token shows nothing of its user's other grants, and ends none.
import type { Access } from '../access/guard.ts'
import type { Route } from '../base/http/call.ts'
import { notFound } from '../base/errors.ts'
import { describeList, doneReply } from '../base/http/description.ts'
import { listReply } from '../base/http/list-reply.ts'
import { readPage } from '../base/http/page.ts'
import { jsonReply } from '../base/http/reply.ts'
import { objectSchema } from '../base/http/schema.ts'
import type { World } from '../base/world.ts'
import type { Grant } from '../core/oauth-grant.ts'
import { endGrant, findGrantKey, listGrants } from '../core/oauth-grant.ts'
import { changeFor } from './change.ts'

export const grantRoutes = (world: World, access: Access): readonly Route[] => {
  const list = access.guardUser(async ({ userKey }, call) => {
    const page = readPage(call.query, {})
    return listReply(
      call,
      world.sql,
      description.rows,
      (sql) => listGrants(sql, userKey, page, world.clock.now()),
      show,
    )
  })
  const end = access.guardUser(async ({ userKey, userUid }, call) => {
    const uid = call.params['uid']!
    await changeFor(call, world.sql, async (sql) => {
      const key = await findGrantKey(sql, userKey, uid)
      if (key === undefined || !(await endGrant(sql, key, `user ${userUid}`, 'the user ended it')))
        throw notFound('grant', uid)
    })
    await access.refresh()
    return jsonReply({ success: true, message: '' })
  })
  return [
    {
      method: 'GET',
      path: '/api/grant',
      handle: list,
      description,
    },
    {
      method: 'DELETE',
      path: '/api/grant/:uid',
      handle: end,
      description: {
        part: 'oauth',
        summary: 'End the access of an application',
        path: { uid: { type: 'string' } },
        reply: doneReply,
      },
    },
  ]
}

const text = { type: 'string' } as const
const shown = objectSchema({
  uid: text,
  client: objectSchema({ clientId: text, name: text, organizationName: text }),
  organization: objectSchema({ uid: text, name: text }),
  scope: text,
  created: { type: 'integer' },
  refreshed: { type: ['integer', 'null'] },
})

const description = describeList('oauth', 'grant', 'List the applications that may act for you', shown)

const show = (grant: Grant) => ({
  uid: grant.uid,
  client: { clientId: grant.clientId, name: grant.clientName, organizationName: grant.clientOrganizationName },
  organization: { uid: grant.organizationUid, name: grant.organizationName },
  scope: grant.scope,
  created: grant.createdMs,
  refreshed: grant.refreshedMs,
})
