// The master key inside a backup: encrypted by a passphrase, because a backup travels further than a server does. Without
// the key a restored database has no API key that is known and no secret that can be read, so a backup is made without
// it only where that is asked for in so many words.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, scrypt } from 'node:crypto'
import { BackupError } from './backup-error.ts'

export type SealedKey = {
  readonly salt: string
  /** scrypt: the base-2 logarithm of N, r and p. */
  readonly cost: readonly [logN: number, r: number, p: number]
  readonly nonce: string
  readonly tag: string
  readonly key: string
}

/** Half a second and 128 MiB: a passphrase that people can remember is weak, and a backup may be guessed at for years. */
export const usualCost: SealedKey['cost'] = [17, 8, 1]
const mostLogN = 20
export const leastPassphrase = 8

export const sealKey = async (masterKey: string, passphrase: string, cost = usualCost): Promise<SealedKey> => {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(passphrase, salt, cost), nonce)
  const key = Buffer.concat([cipher.update(masterKey, 'utf8'), cipher.final()])
  const [saltText, nonceText, tag, keyText] = [salt, nonce, cipher.getAuthTag(), key].map(toText)
  return { salt: saltText!, cost, nonce: nonceText!, tag: tag!, key: keyText! }
}

export const openKey = async (sealed: SealedKey, passphrase: string): Promise<string> => {
  if (!(sealed.cost[0] <= mostLogN && sealed.cost[1] <= 8 && sealed.cost[2] <= 4))
    throw new BackupError('The master key in this backup is sealed in a way that is not known here.')
  const derived = await deriveKey(passphrase, fromText(sealed.salt), sealed.cost)
  try {
    const decipher = createDecipheriv('aes-256-gcm', derived, fromText(sealed.nonce), { authTagLength: 16 })
    decipher.setAuthTag(fromText(sealed.tag))
    return decipher.update(fromText(sealed.key), undefined, 'utf8') + decipher.final('utf8')
  } catch (error) {
    throw new BackupError('The passphrase is not the one that this backup was made with.', error)
  }
}

const toText = (bytes: Buffer) => bytes.toString('base64url')
const fromText = (text: string) => Buffer.from(text, 'base64url')

const deriveKey = (passphrase: string, salt: Buffer, [logN, r, p]: SealedKey['cost']): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const limits = { N: 2 ** logN, r, p, maxmem: 256 * 2 ** logN * r }
    scrypt(passphrase.normalize('NFKC'), salt, 32, limits, (error, key) => (error ? reject(error) : resolve(key)))
  })

/** A checksum that only a holder of the master key can make: a backup that somebody has changed is found out. */
export const authenticate = (masterKey: string, text: string): string =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', masterKey, '', 'coppice backup', 32)))
    .update(text)
    .digest('hex')
