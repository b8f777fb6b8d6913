// Secrets: making them, recognizing them, keeping them. A token or API key is found by its keyed hash
// (HMAC-SHA256), so a stolen table is of no use without the master key; secrets that must be shown again are encrypted
// (AES-256-GCM); a password is only ever checked (scrypt).
import cluster from 'node:cluster'
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'
import { busy } from './errors.ts'
import type { Holders } from './shares.ts'
import { openShares } from './shares.ts'

export type Secrets = {
  readonly hash: (secret: string) => Buffer
  /** The purpose is bound into the ciphertext: a text encrypted for one use cannot be decrypted as another. */
  readonly encrypt: (text: string, purpose: string) => Buffer
  readonly decrypt: (encrypted: Buffer, purpose: string) => string
}

export const openSecrets = (masterKey: string): Secrets => {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', masterKey, '', `coppice ${use}`, 32))
  const hashKey = derive('look-up of secrets')
  const encryptionKey = derive('encryption of secrets')
  return {
    hash: (secret) => createHmac('sha256', hashKey).update(secret).digest(),
    encrypt: (text, purpose) => {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce).setAAD(Buffer.from(purpose))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(1), nonce, cipher.getAuthTag(), body])
    },
    decrypt: (encrypted, purpose) => {
      if (encrypted[0] !== 1 || encrypted.length < 29) throw new Error('not encrypted by this product')
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, encrypted.subarray(1, 13))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(encrypted.subarray(13, 29))
      return decipher.update(encrypted.subarray(29), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

/** 256 random bits in 43 characters that need no escape in a URL, a cookie or a header, and are no option of a command. */
export const randomToken = (): string => {
  const token = randomBytes(32).toString('base64url')
  return token.startsWith('-') ? randomToken() : token
}

/** For a human to copy once: 20 characters without look-alikes, 98 bits. */
export const randomPassword = (): string =>
  Array.from(randomBytes(20), (byte) => 'abcdefghjkmnpqrstuvwxyz234567890'[byte % 32]).join('')

export const equalInConstantTime = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other)

// 32 MiB and about a tenth of a second, as OWASP lists for N = 2^15.
const cost = { logN: 15, r: 8, p: 3 }

/** 'scrypt$15$8$3$<salt>$<hash>': the cost is kept beside the hash, so that it can be raised later. */
export const hashPassword = async (password: string, holders: Holders = server): Promise<string> => {
  const salt = randomBytes(16)
  const hash = await inTurn(holders, () => derivePassword(password, salt, cost))
  return ['scrypt', cost.logN, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')].join('$')
}

export type Turn = {
  /** A hash is refused at once when more of its caller's wait already. */
  readonly mostWaiting?: number
  /** Aborted when nobody waits for it any more: then it gives up its place. */
  readonly signal?: AbortSignal
}

/** Takes as long for an account that does not exist (undefined) as for a wrong password. */
export const verifyPassword = async (
  password: string,
  stored: string | undefined,
  holders: Holders = server,
  turn: Turn = {},
): Promise<boolean> => {
  const [kind, logN, r, p, salt, hash] = (stored ?? nobody).split('$')
  if (kind !== 'scrypt' || salt === undefined || hash === undefined) throw new Error('unknown kind of password hash')
  const parameters = { logN: Number(logN), r: Number(r), p: Number(p) }
  const derive = () => derivePassword(password, Buffer.from(salt, 'base64'), parameters)
  const found = await inTurn(holders, derive, turn)
  return equalInConstantTime(found, Buffer.from(hash, 'base64')) && stored !== undefined
}

const nobody = `scrypt$${cost.logN}$${cost.r}$${cost.p}$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(32).toString('base64')}`

const derivePassword = (password: string, salt: Buffer, { logN, r, p }: typeof cost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const limits = { N: 2 ** logN, r, p, maxmem: 256 * 2 ** logN * r }
    scrypt(password.normalize('NFKC'), salt, 32, limits, (error, hash) => (error ? reject(error) : resolve(hash)))
  })

/**
 * Two of one organization and one of another, as shares are given: each takes 32 MiB and one of the four threads that
 * files and name look-ups need too. Where there are several workers, one of each in every worker: all of them have the same cores.
 */
export const hashTurns = openShares(cluster.isWorker ? 2 : 3)
// An admin may make two hundred users at once; those that wait keep nobody else from a turn.
const patienceMs = 60_000
const server: Holders = ['this server']

/** Never inside a transaction: its locks would be held until the turn has come. */
const inTurn = async <T>(
  holders: Holders,
  work: () => Promise<T>,
  { mostWaiting = Infinity, signal }: Turn = {},
): Promise<T> => {
  const turn = hashTurns.open(holders)
  if (hashTurns.waiting(holders.at(-1)) >= mostWaiting || !(await turn.wait(1, patienceMs, signal)))
    throw busy('too many passwords to check at once')
  try {
    return await work()
  } finally {
    turn.give()
  }
}
