// Refresh tokens: each has the uid of its grant, encrypted, so that one which was used is recognized by itself when it is used again,
// and nothing has to be kept of it: a client that refreshes in a loop left a row each for 90 days. It is good only while its hash is
// stored; a nonce and a tag of 224 bits together cannot be guessed.
import type { Secrets } from '../base/secret.ts'

const purpose = 'refresh token'

export const refreshTokenOf = (secrets: Secrets, grantUid: string): string =>
  secrets.encrypt(grantUid, purpose).toString('base64url')

/** The uid of the grant that it was made for; undefined: it is none of these, such as one of an earlier version. */
export const grantUidOf = (secrets: Secrets, token: string): string | undefined => {
  const encrypted = Buffer.from(token, 'base64url')
  // Another writing of the same bytes was never given to anybody: it is no second use.
  if (encrypted.toString('base64url') !== token) return undefined
  try {
    return secrets.decrypt(encrypted, purpose)
  } catch {
    return undefined
  }
}
