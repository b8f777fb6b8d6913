// A new password or another e-mail for one's own account needs the current password (docs/access.md#roles): a person who
// finds a session open must not lock its user out. Those of others are set by admins, who need the right instead. It is
// checked before the change's transaction begins, because hashing takes its time, and
// user.ts looks whether it is still the one when its turn has come; wrong ones count as failed sign-ins do.
import type { Call } from '../base/http/call.ts'
import { readInput } from '../base/http/input.ts'
import { Fault } from '../base/errors.ts'
import type { Limiter } from '../base/http/limit.ts'
import { untilGone } from '../base/http/reading.ts'
import { verifyPassword } from '../base/secret.ts'
import type { World } from '../base/world.ts'
import type { Caller } from '../core/caller.ts'
import { demand, holdersOf } from '../core/caller.ts'
import { findUserWithPassword } from '../core/user.ts'
import type { Guard } from './entity.ts'
import { missingCurrent, userEntity, wrongCurrent } from './user.ts'

export const guardOwnPassword =
  (world: World, limiter: Limiter, guard: Guard): Guard =>
  (handle) =>
    guard(async (caller, call) => {
      if (call.method !== 'PUT' || caller.user?.uid !== call.params['uid']) return handle(caller, call)
      return handle({ ...caller, shownPasswordHash: await demandCurrent(world, limiter, caller, call) }, call)
    })

/** Gives the hash of the password that was shown; undefined where none is needed. */
const demandCurrent = async (
  world: World,
  limiter: Limiter,
  caller: Caller,
  call: Call,
): Promise<string | undefined> => {
  const { password, email, currentPassword } = userEntity.readChange(await readInput(call))
  if (password === undefined && email === undefined) return undefined
  demand(caller, 'PUT user', caller.user!.uid)
  const user = await findUserWithPassword(world.sql, caller.user!.key)
  if (password === undefined && email === user?.email) return undefined
  if (currentPassword === undefined) throw missingCurrent()
  const holders = holdersOf(caller, call.address)
  const check = async (signal: AbortSignal) => {
    if (!(await verifyPassword(currentPassword, user?.passwordHash, holders, { signal }))) throw wrongCurrent()
  }
  await untilGone(call, (signal) =>
    limiter.signIn(call.address, user?.email ?? '', () => check(signal), { isFailure: isWrong, signal }),
  )
  return user?.passwordHash
}

const isWrong = (error: unknown) => error instanceof Fault && error.status === 403
