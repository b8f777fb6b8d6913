// Rounds of hashing that a wallet asks its password to go through; a server that asks for them is in flood.test.ts.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import crypto, { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { demandFewRounds, limitRounds } from '../../src/outbound/rounds.ts'

const passphrase = 'secret'
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const usual = privateKey.export({ type: 'pkcs8', format: 'der', cipher: 'aes-256-cbc', passphrase })
const pem = (der: Buffer) =>
  `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${der.toString('base64')}\n-----END ENCRYPTED PRIVATE KEY-----\n`

/** A value of ASN.1 of up to 127 bytes. */
const part = (tag: number, content: Buffer = Buffer.alloc(0)) => Buffer.from([tag, content.length, ...content])

/** A key of this many rounds, in place of OpenSSL's own 2,048; nobody can read it. */
const asking = (rounds: number) => {
  const at = usual.indexOf(Buffer.from('02020800', 'hex'))
  const number = Buffer.from(`00${rounds.toString(16).padStart(8, '0')}`, 'hex')
  const least = number.subarray(number.findIndex((byte, index) => byte !== 0 || number[index + 1]! >= 0x80))
  const changed = Buffer.concat([usual.subarray(0, at + 1), Buffer.from([least.length]), least, usual.subarray(at + 4)])
  // All that it stands in is longer by as much.
  const more = changed.length - usual.length
  for (const head of ['3081', '3057', '304a', '3029', '301c']) {
    const found = changed.indexOf(Buffer.from(head, 'hex'))
    if (found < 0 || found > at) continue
    changed[found + (head === '3081' ? 2 : 1)]! += more
  }
  return pem(changed)
}

describe('rounds of hashing', () => {
  const many = /^the wallet asks for more than 1,000,000 rounds of hashing the password$/
  const unread = /^the private key of the wallet cannot be read$/

  it('are a million in all for a session, and the refusal of more ends no thread', () => {
    const { pbkdf2Sync } = crypto
    const hash = (rounds: number) => crypto.pbkdf2Sync('secret', 'salt', rounds, 32, 'sha256')
    const hashed = hash(4096)
    const refused: string[] = []
    limitRounds(({ message }) => void refused.push(message))
    try {
      assert.deepEqual([hash(4096), hash(1_000_000 - 4095)], [hashed, Buffer.alloc(32)])
      assert.deepEqual(refused, ['the server asks for more than 1,000,000 rounds of hashing the password'])
    } finally {
      crypto.pbkdf2Sync = pbkdf2Sync
    }
  })

  it('are those of OpenSSL for a wallet, and up to a million', () => {
    const wallet = pem(usual)
    createPrivateKey({ key: wallet, passphrase })
    demandFewRounds(wallet)
    demandFewRounds(`Bag Attributes\n${asking(1_000_000)}`)
    demandFewRounds(wallet.replaceAll('\n', '\r\n'))
    demandFewRounds(String(privateKey.export({ type: 'pkcs8', format: 'pem' })))
    // That OpenSSL refuses, too.
    demandFewRounds(pem(part(0x30, part(0x30, part(0x02)))))
  })

  for (const [what, wallet, message] of [
    ['more than a million', asking(1_000_001), many],
    ['as many as there can be, behind a key of few', pem(usual) + asking(2 ** 31 - 1), many],
    ['a number of seven bytes', pem(part(0x30, part(0x30, part(0x02, Buffer.alloc(7, 1))))), many],
    ['a length that is not told', pem(Buffer.from([0x30, 0x80, ...part(0x04, Buffer.alloc(126))])), unread],
    ['a length that is cut off', pem(Buffer.from([0x30, 0x82, 0x01])), unread],
    ['a length of seven bytes', pem(Buffer.from([0x30, 0x87, 0, 0, 0, 0, 0, 0, 2, ...part(0x05)])), unread],
    ['a key that is cut off', pem(usual.subarray(0, 40)), unread],
    ['a character that base64 has not', pem(usual).replace('\n', '\n:'), unread],
    ['a key that is encrypted twice', pem(usual).replace('\n', '\nProc-Type: 4,ENCRYPTED\n\n'), unread],
  ] as const)
    it(`are refused: ${what}`, () => {
      assert.throws(() => demandFewRounds(wallet), { message })
    })

  it('are refused before the key is read, which this process would wait for as long as it takes', async () => {
    const server = createServer((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const program = `
      import { testConnection } from '../../src/outbound/fetch.ts'
      import { holders, targetFrom } from '../support/outbound.ts'
      const more = { wallet: process.argv[1], walletPassword: 'secret' }
      const target = targetFrom('oracle', 'oracle://reader:secret@127.0.0.1:${port}/plant', { tls: true, more })
      const { error } = await testConnection(target, { timeoutMs: 20_000, holders })
      process.stdout.write(error, () => process.exit())`
    // Its certificate is read first.
    const wallet =
      asking(2 ** 31 - 1) + (await readFile(new URL('../support/tls-certificate.pem', import.meta.url), 'utf8'))
    const args = ['--import', 'tsx', '--input-type=module', '--eval', program, '--', wallet]
    try {
      const options = { cwd: import.meta.dirname, timeout: 40_000 }
      const { stdout } = await promisify(execFile)(process.execPath, args, options)
      assert.match(stdout, many)
    } finally {
      server.close()
    }
  })
})
