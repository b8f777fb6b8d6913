// coppice reset-password: a link for a user who has forgotten the password, or a new password at once
// (docs/access.md#forgotten-passwords). It needs no credential but the right to read this machine's configuration.
import { readFile } from 'node:fs/promises'
import { findMasterKey } from '../../base/master-key.ts'
import { openPool } from '../../base/database/pool.ts'
import type { Pool } from '../../base/database/sql.ts'
import { transaction } from '../../base/database/sql.ts'
import { hashPassword, openSecrets, randomToken } from '../../base/secret.ts'
import { writeReset } from '../../core/audit.ts'
import { endSomeBeforeReset } from '../../core/ending.ts'
import { checkMasterKey } from '../../core/installation.ts'
import { insertResetLink, resetAddress, resetPassword } from '../../core/reset-link.ts'
import { findUserByEmail, ownerEmails } from '../../core/user.ts'
import type { User } from '../../core/user.ts'
import type { Command } from '../command.ts'
import { exit } from '../command.ts'
import type { Context } from '../context.ts'
import type { Given } from '../given.ts'
import { isGiven, textOf, UsageError } from '../given.ts'
import { HostError, hostConfig, refuseOutdated, withDatabase } from './host.ts'

const actor = 'host'
const leastPassword = 8

export const runResetPassword: Command['run'] = async (context, given) => {
  const [email, ...more] = given.positionals
  if (email === undefined || more.length > 0) throw new UsageError('name one user, by the e-mail')
  const config = hostConfig(context)
  const isSetting = isGiven(given, 'set') || textOf(given, 'password-file') !== undefined
  const password = isSetting ? await readPassword(context, given) : undefined
  return withDatabase(context, config, async (databaseUrl) => {
    await refuseOutdated(databaseUrl)
    const sql = openPool(databaseUrl, { connections: 2, name: 'coppice reset-password' })
    try {
      const user = await findUserByEmail(sql, email)
      if (user === undefined)
        throw new HostError(`There is no user ${email}. Owners are ${(await ownerEmails(sql)).join(', ')}.`)
      if (password !== undefined) {
        await setPassword(sql, user, password)
        await context.err(`The password of ${user.email} is set; all sessions and connected applications have ended.\n`)
        return exit.done
      }
      const masterKey = await findMasterKey(config)
      if (masterKey === undefined)
        throw new HostError('There is no master key: set MASTER_KEY or DATA_DIR as the server has it, or use --set.')
      const secrets = openSecrets(masterKey)
      await checkMasterKey(sql, secrets)
      const token = randomToken()
      await transaction(sql, async (tx) => {
        await insertResetLink(tx, secrets.hash(token), user.key, undefined, context.now())
        await writeReset(tx, actor, user.key, 'user.reset_link')
      })
      await context.err(`A link for ${user.email} to set a new password, valid for 24 hours and one use:\n`)
      await context.out(`${resetAddress(config.baseUrl ?? `http://${config.host}:${config.port}`, token)}\n`)
      return exit.done
    } finally {
      await sql.end({ timeout: 1 })
    }
  })
}

const setPassword = async (sql: Pool, user: User, password: string): Promise<void> => {
  const passwordHash = await hashPassword(password)
  // Of very many grants a piece at a time.
  while (await transaction(sql, (tx) => endSomeBeforeReset(tx, actor, user.key)));
  await transaction(sql, async (tx) => {
    await resetPassword(tx, user.key, passwordHash)
    await writeReset(tx, actor, user.key, 'user.reset_password')
  })
}

const readPassword = async (context: Context, given: Given): Promise<string> => {
  const path = textOf(given, 'password-file')
  const password = path === undefined ? await askTwice(context) : (await readFile(path, 'utf8')).split(/\r?\n/)[0]!
  if (password.length < leastPassword || password.length > 1000)
    throw new UsageError(`the password must have from ${leastPassword} to 1000 characters`)
  return password
}

const askTwice = async ({ ask, isInputTerminal }: Context): Promise<string> => {
  if (!isInputTerminal) throw new UsageError('the new password is needed: --password-file')
  const typed = await ask('New password: ', true)
  if (typed !== (await ask('The same again: ', true))) throw new UsageError('the two passwords differ')
  return typed
}
