import assert from 'node:assert/strict'
import type { Holders } from '../../src/base/shares.ts'
import { openShares } from '../../src/base/shares.ts'

const patienceMs = 5000
const alone = (name: string): Holders => [name]

describe('base/shares', () => {
  it('refuses a single caller more than half of everything', () => {
    const shares = openShares(100)
    const greedy = shares.open(alone('greedy'))
    while (greedy.take(1));
    assert.equal(greedy.amount, 50)
  })

  it('leaves half of the rest for the next', () => {
    const shares = openShares(64)
    const amounts = ['a', 'b', 'c'].map((name) => {
      const greedy = shares.open(alone(name))
      while (greedy.take(1));
      return greedy.amount
    })
    assert.deepEqual(amounts, [32, 16, 8])
  })

  it('counts all holdings of a caller together', () => {
    const shares = openShares(10)
    for (let n = 0; n < 5; n += 1) assert.equal(shares.open(alone('a')).take(1), true)
    assert.equal(shares.open(alone('a')).take(1), false)
    assert.equal(shares.open(alone('b')).take(1), true)
  })

  it('leaves one caller of a group room beside another, and other groups room beside both', () => {
    const shares = openShares(100)
    const hog = shares.open(['organization 1', 'a'])
    while (hog.take(1));
    const beside = shares.open(['organization 1', 'b'])
    while (beside.take(1));
    assert.ok(beside.amount >= 10)
    for (let n = 0; n < 100; n += 1) {
      const more = shares.open(['organization 1', `more ${n}`])
      while (more.take(1));
    }
    assert.ok(shares.free() >= 100 / 5, 'a group leaves a fifth')
    assert.equal(shares.open(['organization 2', 'c']).take(10), true)
  })

  it('lets the only place be taken', () => {
    const shares = openShares(1)
    const one = shares.open(alone('a'))
    assert.equal(one.take(1), true)
    assert.equal(shares.open(alone('b')).take(1), false)
    one.give()
    assert.equal(shares.open(alone('b')).take(1), true)
  })

  it('gives turns to one caller after another, not to the one with most waiting', async () => {
    const shares = openShares(1)
    const first = shares.open(alone('greedy'))
    first.take(1)
    const entered: string[] = []
    const enter = async (name: string) => {
      const holding = shares.open(alone(name))
      assert.equal(await holding.wait(1, patienceMs), true)
      entered.push(name)
      setImmediate(() => holding.give())
    }
    const all = ['greedy', 'greedy', 'greedy', 'modest', 'other'].map(enter)
    first.give()
    await Promise.all(all)
    await new Promise(setImmediate)
    assert.deepEqual(entered, ['greedy', 'modest', 'other', 'greedy', 'greedy'])
    assert.equal(shares.free(), 1)
  })

  it('lets a call enter at once only where none of its own caller waits before it', async () => {
    const shares = openShares(10)
    const first = shares.open(alone('a'))
    assert.equal(first.enter(4), true)
    const waiting = shares.open(alone('a')).wait(4, patienceMs)
    assert.equal(shares.open(alone('a')).enter(1), false)
    assert.equal(shares.open(alone('b')).enter(1), true)
    first.give()
    assert.equal(await waiting, true)
    assert.equal(shares.open(alone('a')).enter(1), true)
  })

  it('refuses a caller that has waited too long, or has gone, and leaves nothing of it behind', async () => {
    const shares = openShares(1)
    const holder = shares.open(alone('a'))
    holder.take(1)
    assert.equal(await shares.open(alone('b')).wait(1, 5), false)
    const leaving = new AbortController()
    const gone = shares.open(alone('b')).wait(1, patienceMs, leaving.signal)
    leaving.abort()
    assert.equal(await gone, false)
    assert.equal(await shares.open(alone('b')).wait(1, patienceMs, leaving.signal), false)
    assert.equal(shares.waiting(), 0)
    holder.give()
    assert.equal(shares.free(), 1)
    assert.equal(shares.open(alone('b')).take(1), true)
  })

  it('gives back a part, and everything once', () => {
    const shares = openShares(10)
    const holding = shares.open(alone('a'))
    holding.take(4)
    holding.give(1)
    assert.equal(shares.free(), 7)
    holding.give()
    holding.give()
    assert.equal(shares.free(), 10)
  })

  it('lets in the next of a caller when the one before it has lost its patience', async () => {
    const shares = openShares(10)
    const holding = shares.open(['a'])
    assert.ok(holding.take(4))
    const large = shares.open(['a']).wait(5, 20)
    const small = shares.open(['a']).wait(1, 5000)
    assert.equal(await large, false)
    assert.equal(await small, true)
  })

  for (const total of [2, 3, 4])
    it(`leaves the last of ${total} places to other groups, however many callers a group has`, () => {
      const shares = openShares(total)
      for (let n = 0; n < 100; n += 1) shares.open(['organization 1', `key ${n}`]).take(1)
      assert.equal(shares.free(), 1)
      assert.equal(shares.open(['organization 2', 'b']).take(1), true)
    })

  it('gives turns to one group after another, and within each to one caller after another', async () => {
    for (const total of [1, 2, 3, 4]) {
      const shares = openShares(total)
      const entered: string[] = []
      const enter = async (group: string, caller: string) => {
        const holding = shares.open([group, caller])
        assert.equal(await holding.wait(1, patienceMs), true)
        entered.push(caller)
        setImmediate(() => holding.give())
      }
      const crowd = Array.from({ length: 100 }, (_, n) => enter('organization 1', `a${n}`))
      const others = ['b', 'b', 'b', 'c'].map((caller) => enter('organization 2', caller))
      await Promise.all([...crowd, ...others])
      const turnsOf = (caller: string) => entered.flatMap((name, turn) => (name === caller ? [turn] : []))
      assert.ok(turnsOf('b')[0]! <= 2 * total, `b entered at turn ${turnsOf('b')[0]} of ${total} places`)
      assert.ok(turnsOf('c')[0]! < turnsOf('b')[2]!, 'c before the third of b')
      assert.ok(turnsOf('b')[2]! <= 12 * total, `all of organization 2 entered by turn ${turnsOf('b')[2]}`)
    }
  })

  it('counts an awaited amount from the moment of its turn', () => {
    const shares = openShares(1)
    const [a, b] = [shares.open(alone('a')), shares.open(alone('b'))]
    a.take(1)
    void b.wait(1, patienceMs)
    a.give()
    assert.equal(b.amount, 1)
    b.give()
    assert.equal(shares.free(), 1)
  })

  describe('in order', () => {
    it('lets nobody who wants little pass one who waits for much and has nothing', async () => {
      const shares = openShares(10, { inOrder: true })
      const first = shares.open(alone('a'))
      first.take(5)
      const large = shares.open(alone('b'))
      const largeIn = large.wait(6, patienceMs)
      const small = shares.open(alone('c'))
      assert.equal(small.take(1), false)
      const smallIn = small.wait(1, patienceMs)
      assert.deepEqual([first.isInTheWay(), large.isInTheWay(), small.isInTheWay()], [true, false, false])
      first.give()
      assert.deepEqual([await largeIn, await smallIn], [true, true])
      assert.deepEqual([large.isInTheWay(), shares.free()], [false, 3])
    })

    it('lets others pass one who has had its share already', async () => {
      const shares = openShares(10, { inOrder: true })
      const first = shares.open(alone('a'))
      first.take(5)
      const second = shares.open(alone('a'))
      const secondIn = second.wait(3, patienceMs)
      assert.equal(shares.open(alone('b')).take(2), true)
      assert.equal(first.isInTheWay(), false)
      first.give()
      assert.equal(await secondIn, true)
    })

    it('lets others go on when the one that waited for much has left', async () => {
      const shares = openShares(10, { inOrder: true })
      shares.open(alone('a')).take(5)
      const leaving = new AbortController()
      const large = shares.open(alone('b')).wait(6, patienceMs, leaving.signal)
      const small = shares.open(alone('c')).wait(1, patienceMs)
      leaving.abort()
      assert.deepEqual([await large, await small], [false, true])
      assert.equal(shares.open(alone('d')).take(1), true)
    })

    it('knows which group holds most', () => {
      const shares = openShares(100, { inOrder: true })
      const holdings = [20, 10, 15].map((amount, n) => {
        const holding = shares.open([n === 0 ? 'organization 1' : 'organization 2', `caller ${n}`])
        holding.take(amount)
        return holding
      })
      assert.deepEqual(
        holdings.map((holding) => holding.isOfLargest()),
        [false, true, true],
      )
    })
  })

  it('lets those who want little pass where holdings may last', () => {
    const shares = openShares(10)
    shares.open(alone('a')).take(5)
    void shares.open(alone('b')).wait(6, 5)
    assert.equal(shares.open(alone('c')).take(1), true)
  })
})
