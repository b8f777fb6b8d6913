import assert from 'node:assert/strict'
import { setImmediate as loop } from 'node:timers/promises'
import type { Holders } from '../../src/base/shares.ts'
import { addressWeight, bodyWeight, openTurns, uploadWeight } from '../../src/base/turns.ts'

/** Turns that the test ends, and the order in which works were begun. */
const openTable = () => {
  const ends: (() => void)[] = []
  const turns = openTurns((end) => ends.push(end))
  const begun: string[] = []
  return {
    turns,
    begun,
    ask: (name: string, ...holders: Holders) =>
      turns.begin(
        1,
        () => holders,
        () => begun.push(name),
      ),
    /** Gives what was begun in the turn that follows. */
    nextTurn: async (): Promise<readonly string[]> => {
      const before = begun.length
      ends.shift()?.()
      await loop()
      return begun.slice(before)
    },
    isOver: () => ends.length === 0,
  }
}

describe('base/turns', () => {
  it('begins 256 works of a turn at once, heavy ones fewer, and asks nobody for their holders', () => {
    for (const weight of [1, 4]) {
      const turns = openTurns(() => {})
      let begun = 0
      const begin = () =>
        turns.begin(
          weight,
          () => assert.fail('not needed'),
          () => (begun += 1),
        )
      for (let index = 0; index < 256 / weight; index += 1) begin()
      assert.equal(begun, 256 / weight)
      assert.throws(begin, /not needed/)
    }
  })

  it('begins no more than 128 in a turn for which others wait, and everything in the end', async () => {
    const { begun, ask, nextTurn, isOver } = openTable()
    for (let index = 0; index < 3000; index += 1) ask(`${index}`, 'strangers', `stranger ${index % 120}`)
    assert.ok(begun.length <= 256 + 128)
    for (let turn = 0; !isOver(); turn += 1) {
      assert.ok((await nextTurn()).length <= 128)
      assert.ok(turn < 300)
    }
    assert.equal(new Set(begun).size, 3000)
  })

  it('begins the work of somebody known at once beside any number of strangers', async () => {
    const { begun, ask, nextTurn } = openTable()
    for (let index = 0; index < 3000; index += 1) ask(`${index}`, 'strangers', `stranger ${index}`)
    ask('first', 'organization a', 'key')
    assert.equal(begun.at(-1), 'first')
    await nextTurn()
    ask('second', 'organization a', 'key')
    assert.equal(begun.at(-1), 'second')
  })

  it('begins the work of another organization in this turn or the next beside all the calls of one', async () => {
    const { begun, ask, nextTurn } = openTable()
    for (let index = 0; index < 3000; index += 1) ask(`${index}`, 'organization a', `key ${index % 50}`)
    await nextTurn()
    ask('another', 'organization b', 'key')
    await nextTurn()
    assert.ok(begun.includes('another'))
  })

  it('begins a heavy work in a turn of its own, however many light ones of others go on coming', async () => {
    for (const organization of ['organization a', 'organization b']) {
      const { turns, begun, ask, nextTurn } = openTable()
      const askMany = (count: number) => {
        for (let index = 0; index < count; index += 1) ask(`${index}`, 'organization a', `key ${index % 50}`)
      }
      askMany(600)
      turns.begin(
        bodyWeight(10_000_000),
        () => [organization, 'heavy'],
        () => begun.push('heavy'),
      )
      for (let turn = 0; turn < 4; turn += 1) {
        askMany(128)
        await nextTurn()
      }
      assert.ok(begun.includes('heavy'), organization)
    }
  })

  it('keeps the order of one caller', async () => {
    const { begun, ask, nextTurn, isOver } = openTable()
    for (let index = 0; index < 2000; index += 1) ask(`${index}`, 'organization a', 'key')
    while (!isOver()) await nextTurn()
    assert.deepEqual(
      begun,
      Array.from({ length: 2000 }, (_, index) => `${index}`),
    )
  })

  it('weighs an upload by its body, so that few long ones are begun in a turn', () => {
    assert.deepEqual([0, 4095, 4096, 60_000, 1_000_000].map(uploadWeight), [1, 1, 2, 15, 32])
    assert.deepEqual([1024, 10_000, 31_000, 1_000_000].map(addressWeight), [5, 40, 122, 128])
    const { turns } = openTable()
    let begun = 0
    for (let index = 0; index < 500; index += 1)
      turns.begin(
        uploadWeight(60_000),
        () => ['organization a', 'key'],
        () => (begun += 1),
      )
    assert.ok(begun < 30, String(begun))
    assert.equal(begun + turns.waiting(), 500)
  })
})
