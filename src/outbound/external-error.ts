// An error of an external database, in one sentence for the user who set the connection up. It never holds the
// password, and crosses from the thread as plain members.
import { Fault } from '../base/errors.ts'

export type Reason =
  /** The address is one that may not be reached. */
  | 'forbidden'
  /** The name is unknown. */
  | 'name'
  /** Nobody listens there, or the way is closed. */
  | 'refused'
  | 'tls'
  /** User or password. */
  | 'login'
  | 'database'
  | 'rights'
  | 'timeout'
  /** The statement. */
  | 'sql'
  /** A value that cannot be read. */
  | 'value'
  /** The driver of this kind is not installed. */
  | 'driver'
  /** The connection was lost. */
  | 'lost'
  | 'cancelled'
  | 'other'

/** Texts of others may have any characters, and our database takes no NUL. */
export const inOneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()

export class ExternalError extends Fault {
  readonly reason: Reason

  constructor(reason: Reason, message: string, cause?: unknown) {
    super('bad_request', inOneLine(message), { cause })
    this.reason = reason
  }
}
