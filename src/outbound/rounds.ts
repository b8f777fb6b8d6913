// The rounds of hashing that a password goes through, as a server or a wallet asks for them. They are one call, which nobody can
// end, not even with its thread: PostgreSQL's protocol and encrypted keys have up to 2,147,483,647 of them, more than an hour of a
// core for each test of a connection, and this server could not stop before they were done.
import crypto from 'node:crypto'
import { ExternalError } from './external-error.ts'

/** Of a session, and of a key. PostgreSQL's own default is 4,096, OpenSSL's 2,048. These take 0.3 to 2 s. */
const mostRounds = 1_000_000

const refusal = (asking: string) =>
  new ExternalError('value', `${asking} asks for more than 1,000,000 rounds of hashing the password`)

/** For this thread, whose drivers find it in the module. */
export const limitRounds = (refuse: (error: ExternalError) => void): void => {
  const { pbkdf2Sync } = crypto
  let left = mostRounds
  crypto.pbkdf2Sync = (password, salt, iterations, bytes, digest) => {
    if (iterations > left) {
      refuse(refusal('the server'))
      // An error here would be nobody's, and end the thread. The socket is closed by now, and this goes nowhere.
      return Buffer.alloc(bytes)
    }
    const hashed = pbkdf2Sync(password, salt, iterations, bytes, digest)
    left -= iterations
    return hashed
  }
}

/** A wallet whose password is known. Of other blocks of PEM than these OpenSSL reads no number of rounds. */
export const demandFewRounds = (wallet: string): void => {
  for (const [, text] of wallet.matchAll(/-----BEGIN ENCRYPTED PRIVATE KEY-----([^-]*)/g)) {
    const base64 = text!.replaceAll(/\s+/g, '')
    // Of anything else OpenSSL might make other bytes.
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw unread()
    const [key] = partsOf(Buffer.from(base64, 'base64'))
    const [algorithm] = key === undefined ? [] : partsOf(key.content)
    if (algorithm !== undefined && hasLargeNumber(algorithm)) throw refusal('the wallet')
  }
}

type Part = { readonly tag: number; readonly content: Buffer }

const unread = () => new ExternalError('tls', 'the private key of the wallet cannot be read')

/** Values of ASN.1, one after another. */
const partsOf = (bytes: Buffer): readonly Part[] => {
  const parts: Part[] = []
  for (let at = 0; at < bytes.length;) {
    const [tag, short] = [bytes[at]!, bytes[at + 1] ?? 0x80]
    const lengthBytes = short < 0x80 ? 0 : short - 0x80
    const from = at + 2 + lengthBytes
    if (short === 0x80 || lengthBytes > 4 || from > bytes.length) throw unread()
    const to = from + (lengthBytes === 0 ? short : bytes.readUIntBE(at + 2, lengthBytes))
    if (to > bytes.length) throw unread()
    parts.push({ tag, content: bytes.subarray(from, to) })
    at = to
  }
  return parts
}

const [integerTag, isMadeOfParts] = [0x02, 0x20]

/** The numbers of an algorithm are rounds, lengths, and the cost of scrypt, wherever they stand. */
const hasLargeNumber = ({ tag, content }: Part): boolean => {
  if ((tag & isMadeOfParts) !== 0) return partsOf(content).some(hasLargeNumber)
  if (tag !== integerTag) return false
  return content.length > 3 || (content.length > 0 && content.readUIntBE(0, content.length) > mostRounds)
}
