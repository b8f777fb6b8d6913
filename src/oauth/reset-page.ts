// The page at /alt/reset (docs/access.md#forgotten-passwords): a user sets a new password by a link. Looking at it uses
// nothing up, so a program that follows links in mails does no harm. Links that do not hold count as failed sign-ins of
// their address. A password is hashed only for a link that holds, before the transaction that uses it up.
import type { Access } from '../access/guard.ts'
import type { Call, Handler } from '../base/http/call.ts'
import { Fault, unauthorized } from '../base/errors.ts'
import type { Limiter } from '../base/http/limit.ts'
import type { Reply } from '../base/http/reply.ts'
import { holdersOfCall } from '../base/http/room.ts'
import type { Secrets } from '../base/secret.ts'
import { hashPassword } from '../base/secret.ts'
import type { Transaction } from '../base/database/sql.ts'
import type { World } from '../base/world.ts'
import { writeReset } from '../core/audit.ts'
import { endSomeBeforeReset } from '../core/ending.ts'
import { findResetLink, resetPassword, takeResetLink } from '../core/reset-link.ts'
import { findUserWithPassword } from '../core/user.ts'
import { patientTransaction } from '../core/sample/catalog-change.ts'
import { headersWith, pageOf } from './frame.ts'
import type { Input } from './input.ts'
import { readInput } from './input.ts'
import { holdersOfUser } from './login.ts'
import { resetDonePage, resetEndedPage, resetPage, resetScript } from './page/reset.ts'

const leastPassword = 8
const mostPassword = 1000
const mostToken = 100

export const resetPageHandler = (world: World, access: Access, secrets: Secrets, limiter: Limiter): Handler => {
  const { sql, clock } = world
  const page = pageOf(world, headersWith(resetScript))

  const show = (call: Call, status: number, token: string, problem?: string, headers: Reply['headers'] = {}) =>
    page(call, status, headers, (frame) => resetPage(frame, { token, problem }))

  const use = async (call: Call, { token = '', password = '', again = '' }: Input): Promise<Reply> => {
    if (token.length > mostToken) throw ended()
    const tokenHash = secrets.hash(token)
    const userOfLink = await findResetLink(sql, tokenHash, clock.now())
    const user = userOfLink === undefined ? undefined : await findUserWithPassword(sql, userOfLink)
    if (user === undefined) throw ended()
    if (password.length < leastPassword || password.length > mostPassword)
      return show(call, 400, token, `The password must have from ${leastPassword} to ${mostPassword} characters.`)
    if (password !== again) return show(call, 400, token, 'The two passwords differ.')
    // Somebody with a link is no stranger, and does not wait for those who guess.
    const passwordHash = await hashPassword(password, await holdersOfUser(sql, user))
    const endSome = async (tx: Transaction) => {
      const holder = await findResetLink(tx, tokenHash, clock.now())
      return holder !== undefined && endSomeBeforeReset(tx, 'anyone', holder, { address: call.address })
    }
    // Of very many grants a piece at a time; the link is used up by the last transaction alone.
    while (await patientTransaction(sql, holdersOfCall(call), endSome));
    await patientTransaction(sql, holdersOfCall(call), async (tx) => {
      const key = await takeResetLink(tx, tokenHash, clock.now())
      if (key === undefined) throw ended()
      await resetPassword(tx, key, passwordHash)
      await writeReset(tx, 'anyone', key, 'user.reset_password', { address: call.address })
    })
    await access.refresh()
    // Strangers who guess at the e-mail do not keep its user from signing in with the new password, which is set by now.
    await limiter.knowAddress(call.address, user.email).catch(() => {})
    return page(call, 200, {}, resetDonePage)
  }

  return async (call) => {
    if (call.method !== 'POST') return show(call, 200, '')
    try {
      const input = await readInput(call)
      // In place of the e-mail stands the token: others' guesses are not counted against this link.
      return await limiter.signIn(call.address, `reset link ${input['token']}`, () => use(call, input))
    } catch (error) {
      if (!(error instanceof Fault) || error.status > 499) throw error
      const { 'Retry-After': wait } = error.headers
      if (wait)
        return show(call, error.status, '', `Too many attempts. Try again in ${wait} seconds.`, { 'Retry-After': wait })
      return error.status === 401 ? page(call, 404, {}, resetEndedPage) : show(call, error.status, '', error.message)
    }
  }
}

const ended = () => unauthorized('the link does not hold')
