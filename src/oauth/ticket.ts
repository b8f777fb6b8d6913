// The hidden fields of the page's forms, so that nothing is kept on the server: a seal, which only the browser with the
// cookie can show, and after signing in a ticket, which names the visitor, the way of signing in, the request and the
// browser. A ticket is good for ten minutes, while the password is the same and the session it came by goes on.
import { createHash } from 'node:crypto'
import type { Secrets } from '../base/secret.ts'
import { equalInConstantTime } from '../base/secret.ts'
import type { Sql, Transaction } from '../base/database/sql.ts'
import { holdSession } from '../core/session.ts'
import type { UserWithPassword } from '../core/user.ts'
import { findUserWithPassword, holdMember, holdPassword } from '../core/user.ts'
import type { AuthorizationRequest } from './authorize.ts'

const ticketLifeMs = 10 * 60_000

export type Visitor = {
  readonly user: UserWithPassword
  /** The session by which the browser was signed in already; undefined after typing the password. */
  readonly sessionHash: Buffer | undefined
}

type Content = readonly [userKey: number, endsMs: number, purpose: string, password: string, session: string | null]

export const openTickets = (secrets: Secrets) => {
  const sealOf = (browser: string) => secrets.hash(`seal ${browser}`).toString('base64url')
  const passwordMark = ({ passwordHash }: UserWithPassword) => secrets.hash(passwordHash).toString('base64url')
  return {
    sealOf,
    isSealOf: (browser: string, seal = '') => equalInConstantTime(Buffer.from(sealOf(browser)), Buffer.from(seal)),

    ticketOf: (request: AuthorizationRequest, browser: string, { user, sessionHash }: Visitor, nowMs: number) => {
      const session = sessionHash?.toString('base64url') ?? null
      const content: Content = [
        user.key,
        nowMs + ticketLifeMs,
        purposeOf(request, browser),
        passwordMark(user),
        session,
      ]
      return secrets.encrypt(JSON.stringify(content), 'oauth consent').toString('base64url')
    },

    /** The visitor who signed in for exactly this request in exactly this browser, if that was not too long ago. */
    visitorOf: async (
      sql: Sql,
      request: AuthorizationRequest,
      browser: string,
      ticket: string,
      nowMs: number,
    ): Promise<Visitor | undefined> => {
      const content = contentOf(secrets, ticket)
      if (content === undefined) return undefined
      const [userKey, endsMs, purpose, password, session] = content
      if (endsMs <= nowMs || purpose !== purposeOf(request, browser)) return undefined
      const user = await findUserWithPassword(sql, userKey)
      if (user === undefined || passwordMark(user) !== password) return undefined
      return { user, sessionHash: session === null ? undefined : Buffer.from(session, 'base64url') }
    },
  }
}

const contentOf = (secrets: Secrets, ticket: string): Content | undefined => {
  try {
    return JSON.parse(secrets.decrypt(Buffer.from(ticket, 'base64url'), 'oauth consent')) as Content
  } catch {
    return undefined
  }
}

const purposeOf = ({ client, input }: AuthorizationRequest, browser: string) =>
  createHash('sha256')
    .update(JSON.stringify([browser, client.key, input]))
    .digest('base64')

/**
 * Whether the visitor's password or session still holds; it then does until the transaction ends. Rows are locked in
 * the order in which changes lock them: removing a user takes the membership first, a new password the account before
 * sessions.
 */
export const holdVisitor = async (
  sql: Transaction,
  { user, sessionHash }: Visitor,
  organizationKey: number,
): Promise<boolean> =>
  (await holdMember(sql, organizationKey, user.key)) &&
  (await holdPassword(sql, user)) &&
  (sessionHash === undefined || (await holdSession(sql, sessionHash)))
