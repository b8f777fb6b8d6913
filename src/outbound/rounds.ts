// The rounds of hashing that a server asks a password to go through. They are one call, which nobody can end, not even with its
// thread: PostgreSQL's protocol has up to 2,147,483,647 of them, more than an hour of a core for each test of a connection, and
// this server could not stop before they were done.
import crypto from 'node:crypto'
import { ExternalError } from './external-error.ts'

/** Of a session. PostgreSQL's own default is 4,096. These take 0.3 to 2 s. */
const mostRounds = 1_000_000

/** For this thread, whose drivers find it in the module. */
export const limitRounds = (refuse: (error: ExternalError) => void): void => {
  const { pbkdf2Sync } = crypto
  let left = mostRounds
  crypto.pbkdf2Sync = (password, salt, iterations, bytes, digest) => {
    if (iterations > left) {
      refuse(new ExternalError('value', 'the server asks for more than 1,000,000 rounds of hashing the password'))
      // An error here would be nobody's, and end the thread. The socket is closed by now, and this goes nowhere.
      return Buffer.alloc(bytes)
    }
    const hashed = pbkdf2Sync(password, salt, iterations, bytes, digest)
    left -= iterations
    return hashed
  }
}
