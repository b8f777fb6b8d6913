// A link for a user who has forgotten the password (docs/access.md#forgotten-passwords): made by an admin, who hands it
// over. With it one can sign in as that user, so it needs the rights of a new password; and a session of a person, because
// keys and tokens are no way to take an account over. Nobody makes one for themselves: whoever finds a session open must
// not lock its user out.
import type { Call, Route } from '../base/http/call.ts'
import { demandRole } from '../access/cover.ts'
import { baseUrlOf } from '../base/http/address.ts'
import { forbidden, notFound } from '../base/errors.ts'
import { envelopeReply } from '../base/http/description.ts'
import { jsonReply } from '../base/http/reply.ts'
import { objectSchema } from '../base/http/schema.ts'
import type { Secrets } from '../base/secret.ts'
import { randomToken } from '../base/secret.ts'
import type { World } from '../base/world.ts'
import { writeReset } from '../core/audit.ts'
import type { Caller } from '../core/caller.ts'
import { demand } from '../core/caller.ts'
import { insertResetLink, resetAddress, resetLinkMs } from '../core/reset-link.ts'
import { findMember } from '../core/user.ts'
import { changeFor } from './change.ts'
import type { Guard } from './entity.ts'
import { refuseForeignAccount } from './user.ts'

export const resetLinkRoutes = (world: World, guard: Guard, secrets: Secrets): readonly Route[] => {
  const make = async (caller: Caller, call: Call) => {
    const uid = call.params['uid']!
    demand(caller, 'PUT user', uid)
    if (caller.user === undefined) throw forbidden('a link for a new password is made by a person who is signed in')
    if (caller.user.uid === uid)
      throw forbidden('your own password needs currentPassword, or a link that another admin makes')
    const maker = { userKey: caller.user.key, organizationKey: caller.organizationKey }
    const [token, nowMs] = [randomToken(), world.clock.now()]
    await changeFor(call, world.sql, async (sql) => {
      const user = await findMember(sql, caller.organizationKey, uid)
      if (user === undefined) throw notFound('user', uid)
      await refuseForeignAccount(sql, caller, user)
      demandRole(caller, user.role)
      await insertResetLink(sql, secrets.hash(token), user.key, maker, nowMs)
      await writeReset(sql, caller.actor, user.key, 'user.reset_link')
    })
    const url = resetAddress(baseUrlOf(world.config, call.headers), token)
    const reply = jsonReply({ success: true, message: '', reset_link: { url, expires: nowMs + resetLinkMs } })
    return { ...reply, headers: { ...reply.headers, 'Cache-Control': 'no-store' } }
  }
  return [
    {
      method: 'POST',
      path: '/api/user/:uid/reset_link',
      handle: guard(make),
      description: {
        part: 'access',
        summary: 'Make a link by which a user sets a new password',
        path: { uid: { type: 'string' } },
        reply: envelopeReply('reset_link', objectSchema({ url: { type: 'string' }, expires: { type: 'integer' } })),
      },
    },
  ]
}
