import assert from 'node:assert/strict'
import {
  equalInConstantTime,
  hashPassword,
  openSecrets,
  randomPassword,
  randomToken,
  verifyPassword,
} from '../../src/base/secret.ts'

describe('secrets', () => {
  const secrets = openSecrets('a master key of some length')

  it('cannot be decrypted when changed, cut, for another purpose or with another master key', () => {
    const encrypted = secrets.encrypt('sésame', 'api_key')
    assert.equal(secrets.decrypt(encrypted, 'api_key'), 'sésame')
    assert.throws(() => secrets.decrypt(encrypted, 'connection'))
    assert.throws(() => openSecrets('another master key').decrypt(encrypted, 'api_key'))
    for (let at = 0; at < encrypted.length; at += 1) {
      const changed = Buffer.from(encrypted)
      changed[at]! ^= 1
      assert.throws(() => secrets.decrypt(changed, 'api_key'), `byte ${at}`)
    }
    assert.throws(() => secrets.decrypt(encrypted.subarray(0, -1), 'api_key'))
    assert.throws(() => secrets.decrypt(Buffer.alloc(0), 'api_key'))
  })

  it('look different each time they are encrypted, and the same when hashed, by the master key', () => {
    assert.notDeepEqual(secrets.encrypt('a', 'x'), secrets.encrypt('a', 'x'))
    assert.deepEqual(secrets.hash('a'), openSecrets('a master key of some length').hash('a'))
    assert.notDeepEqual(secrets.hash('a'), openSecrets('another master key').hash('a'))
  })

  it('are never taken for an option of a command', () => {
    const options = Array.from({ length: 2000 }, randomToken).filter((token) => token.startsWith('-'))
    assert.deepEqual(options, [])
  })

  it('are random, and need no escape anywhere', () => {
    const made = new Set(Array.from({ length: 1000 }, randomToken))
    assert.equal(made.size, 1000)
    for (const token of made) assert.match(token, /^[A-Za-z0-9_-]{43}$/)
    assert.match(randomPassword(), /^[a-hjkmnp-z02-9]{20}$/)
  })

  it('are checked as passwords, whatever way their letters are composed or how wide they are', async () => {
    const stored = await hashPassword('Zürich über alles')
    // As keyboards of East Asia type an s.
    assert.equal(await verifyPassword('Zürich über alleｓ', stored), true)
    assert.match(stored, /^scrypt\$15\$8\$3\$/)
    assert.equal(await verifyPassword('Zürich über alles'.normalize('NFD'), stored), true)
    assert.equal(await verifyPassword('zürich über alles', stored), false)
    assert.equal(await verifyPassword('', undefined), false)
    assert.notEqual(await hashPassword('the same'), await hashPassword('the same'))
  })

  it('are compared whole, and unequal lengths are not equal', () => {
    assert.equal(equalInConstantTime(Buffer.from('abc'), Buffer.from('abc')), true)
    assert.equal(equalInConstantTime(Buffer.from('abc'), Buffer.from('abd')), false)
    assert.equal(equalInConstantTime(Buffer.from('abc'), Buffer.from('abcd')), false)
  })
})
