import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { Fault } from '../../src/base/errors.ts'
import { openLookUps } from '../../src/access/look-up.ts'

/** Look-ups that end when they are told to, in the order in which they were begun. */
const openDesk = () => {
  const lookUps = openLookUps()
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (name: string, address: string) =>
    lookUps.inTurn(address, () => {
      begun.push(name)
      return new Promise<string>((resolve) => ends.push(() => resolve(name)))
    })
  const endOne = async () => {
    ends.shift()!()
    await setImmediate()
  }
  return { lookUps, begun, ends, ask, endOne }
}

describe('look-ups of credentials', () => {
  it('begin for another address at once, however many of one address are under way and wait', async () => {
    const { lookUps, begun, ask } = openDesk()
    for (let index = 0; index < 1000; index += 1) void ask(`stranger ${index}`, '192.0.2.1')
    await setImmediate()
    assert.equal(begun.length, 8)
    assert.equal(lookUps.waiting(), 992)
    void ask('somebody else', '192.0.2.2')
    await setImmediate()
    assert.deepEqual(begun.slice(8), ['somebody else'])
  })

  it('begin for another address at once, however many networks of one site of IPv6 wait', async () => {
    const { begun, ask, endOne } = openDesk()
    for (let index = 0; index < 1000; index += 1) void ask(`stranger ${index}`, `2001:db8:1:${index.toString(16)}::1`)
    await setImmediate()
    const before = begun.length
    assert.ok(before < 16)
    void ask('somebody else', '192.0.2.2')
    await setImmediate()
    assert.deepEqual(begun.slice(before), ['somebody else'])
    void ask('and another', '2001:db8:2::1')
    await endOne()
    assert.ok(begun.slice(before).includes('and another'))
  })

  it('go round the addresses where all places are taken', async () => {
    const { begun, ask, endOne } = openDesk()
    for (let address = 1; address <= 40; address += 1)
      for (let index = 0; index < 25; index += 1) void ask(`stranger ${address}`, `192.0.2.${address}`)
    await setImmediate()
    assert.ok(begun.length <= 16)
    void ask('somebody else', '198.51.100.1')
    for (let ended = 0; ended < 100; ended += 1) await endOne()
    // Behind one of each of the other addresses, and not behind all 1,000.
    assert.ok(begun.indexOf('somebody else') < 60, `begun as number ${begun.indexOf('somebody else')}`)
    assert.ok(begun.includes('somebody else'))
  })

  it('give their places back when they fail, and refuse more than 5,000 that wait of one address', async () => {
    const { lookUps, ends, ask, endOne } = openDesk()
    await Promise.all(
      Array.from({ length: 100 }, () =>
        assert.rejects(lookUps.inTurn('192.0.2.1', () => Promise.reject(new Error('the database is away')))),
      ),
    )
    const asked = Array.from({ length: 5008 }, (_, index) => ask(`stranger ${index}`, '192.0.2.1'))
    await setImmediate()
    assert.equal(lookUps.waiting(), 5000)
    await assert.rejects(ask('one more', '192.0.2.1'), (error) => error instanceof Fault && error.code === 'busy')
    while (ends.length > 0) await endOne()
    assert.equal((await Promise.all(asked)).length, 5008)
  })
})
