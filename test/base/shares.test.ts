import assert from 'node:assert/strict'
import type { Holders, Shares } from '../../src/base/shares.ts'
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

  describe('whose holdings give way', () => {
    const openIn = (shares: Shares, ended: string[]) => (name: string, holders: Holders, amount: number) => {
      const holding = shares.open(holders)
      if (!holding.takeOver(amount)) return undefined
      holding.mayGiveWay(() => {
        ended.push(name)
        holding.give()
      })
      return holding
    }

    it('end only where that makes room: none for one that is too large, or would have more than they', () => {
      const shares = openShares(1000)
      const ended: string[] = []
      const open = openIn(shares, ended)
      for (let n = 0; shares.free() > 200; n += 1) open(`small ${n}`, ['many', `caller ${n % 10}`], 1)
      const held = 1000 - shares.free()
      // More than 64 of them have.
      assert.equal(open('large', ['new', 'x'], shares.free() + 100), undefined)
      assert.deepEqual([ended, 1000 - shares.free()], [[], held])
      // The next ones are those that they would have been.
      assert.ok(open('fits', ['new', 'x'], shares.free() + 3))
      assert.deepEqual(ended, ['small 0', 'small 1', 'small 2'])

      const few = openShares(100)
      const openOfFew = openIn(few, ended)
      for (let n = 0; n < 8; n += 1) assert.ok(openOfFew(`ten ${n}`, ['others', `caller ${n}`], 10))
      ended.length = 0
      // After three of them the others would have less than it wants.
      assert.equal(openOfFew('much', ['new', 'x'], 55), undefined)
      assert.deepEqual(ended, [])
      assert.ok(openOfFew('less', ['new', 'x'], 40))
      assert.deepEqual(ended, ['ten 0', 'ten 1'])
    })

    it('takes from the caller that holds most in the group that holds most', () => {
      const shares = openShares(20)
      const ended: string[] = []
      const open = openIn(shares, ended)
      for (const [site, caller, count] of [
        ['x', 'x1', 3],
        ['y', 'y1', 2],
        ['y', 'y2', 3],
        ['y', 'y3', 2],
        ['z', 'z1', 5],
      ] as const)
        for (let n = 0; n < count; n += 1) assert.ok(open(`${caller} ${n}`, [site, caller], 1), `${caller} ${n}`)
      while (shares.open(['filler', `filler ${shares.free()}`]).take(1));
      const free = shares.free()
      assert.ok(open('new', ['w', 'w1'], 1))
      for (let n = 0; ended.length < 2; n += 1) assert.ok(open(`newer ${n}`, ['w', 'w1'], 1))
      assert.deepEqual(ended, ['y2 0', 'y1 0'])
      assert.ok(shares.free() <= free)
    })

    it('takes nothing from those who hold no more than the newcomer then would', () => {
      const shares = openShares(8)
      const ended: string[] = []
      const open = openIn(shares, ended)
      for (let n = 0; n < 4; n += 1) open(`a ${n}`, ['a'], 1)
      for (let n = 0; n < 2; n += 1) open(`b ${n}`, ['b'], 1)
      assert.ok(open('b 2', ['b'], 1))
      assert.deepEqual(ended, ['a 0'])
      assert.equal(open('b 3', ['b'], 1), undefined)
      assert.equal(open('a 4', ['a'], 1), undefined)
      assert.deepEqual(ended, ['a 0'])
    })

    it('takes nothing from holdings that stay, or have been given back', () => {
      const shares = openShares(2)
      const ended: string[] = []
      const open = openIn(shares, ended)
      const [first, second] = [open('a', ['a'], 1)!, open('b', ['b'], 1)!]
      first.stay()
      second.give()
      assert.ok(second.take(1))
      assert.equal(open('c', ['c'], 1), undefined)
      assert.deepEqual(ended, [])
    })

    it('takes from a user in the one organization that holds most, and not in another', () => {
      const shares = openShares(10)
      const ended: string[] = []
      const open = openIn(shares, ended)
      open('in b', ['b', 'user'], 1)
      for (let n = 0; n < 4; n += 1) open(`in a ${n}`, ['a', 'user'], 1)
      for (const name of ['c', 'd', 'e', 'f', 'g']) shares.open([name]).take(1)
      assert.equal(shares.free(), 0)
      assert.ok(open('h', ['h'], 1))
      assert.deepEqual(ended, ['in a 0'])
    })

    it('ends as many as the newcomer needs, the largest first', () => {
      const shares = openShares(100)
      const ended: string[] = []
      const open = openIn(shares, ended)
      for (const amount of [10, 25, 15]) open(`a ${amount}`, ['a'], amount)
      for (const [caller, amount] of Object.entries({ b: 25, c: 12, d: 6, e: 3, f: 2, g: 1 }))
        open(caller, [caller], amount)
      assert.equal(shares.free(), 1)
      assert.ok(open('new', ['new'], 20))
      assert.deepEqual(ended, ['a 25'])
      assert.equal(open('large', ['large'], 26), undefined)
      assert.deepEqual(ended, ['a 25'])
    })

    it('lets one of a caller that is many people give way to its next one, unless that is larger', () => {
      const shares = openShares(20, { callersAreMany: true })
      const ended: string[] = []
      const open = openIn(shares, ended)
      for (let n = 0; n < 5; n += 1) open(`a ${n}`, ['a'], 2)
      assert.equal(open('larger', ['a'], 3), undefined)
      assert.ok(open('next', ['a'], 2))
      assert.deepEqual(ended, ['a 0'])
    })

    it('forgets callers that have gone, and none that is there', () => {
      const shares = openShares(4)
      const ended: string[] = []
      const open = openIn(shares, ended)
      for (let n = 0; n < 2; n += 1) open(`a ${n}`, ['a'], 1)
      for (let n = 0; n < 5000; n += 1) open('passing', [`passing ${n}`], 1)!.give()
      for (const name of ['b', 'c']) open(name, [name], 1)
      assert.ok(open('d', ['d'], 1))
      assert.deepEqual(ended, ['a 0'])
    })
  })

  it('lets those who want little pass where holdings may last', () => {
    const shares = openShares(10)
    shares.open(alone('a')).take(5)
    void shares.open(alone('b')).wait(6, 5)
    assert.equal(shares.open(alone('c')).take(1), true)
  })
})
