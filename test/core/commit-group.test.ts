import assert from 'node:assert/strict'
import type { Holders } from '../../src/base/shares.ts'
import { takeGroup, weightOf } from '../../src/core/commit-group.ts'

type Call = {
  readonly name: string
  readonly weight: number
  readonly holders: Holders
  readonly organizationKey: number
}

const call = (name: string, weight: number, tenant = 'a', caller = 'a', organizationKey = 1): Call => ({
  name,
  weight,
  holders: [tenant, caller],
  organizationKey,
})
const take = (queue: readonly Call[], conditions: Parameters<typeof takeGroup>[2] = {}) => {
  const { group, rest } = takeGroup(queue, (each) => each, conditions)
  const names = (calls: readonly Call[]) => calls.map(({ name }) => name).join(' ')
  return [names(group), names(rest)]
}

describe('the calls that leave together', () => {
  it('are all, in their order, where they fit into one commit', () => {
    assert.deepEqual(take([call('x', 5000), call('y', 5000, 'b'), call('z', 5000)]), ['x y z', ''])
    assert.deepEqual(take([]), ['', ''])
  })

  it('are one of more than 5,000 rows by itself, where others are there, and else one that is larger than a commit', () => {
    assert.deepEqual(take([call('x', 5001), call('y', 1, 'b'), call('z', 1)]), ['x', 'y z'])
    assert.deepEqual(take([call('y', 1, 'b'), call('x', 5001), call('z', 1, 'c')]), ['y z', 'x'])
    const alone = [call('x', 10_000), call('y', 9999), call('z', 1), call('more', 1)]
    assert.deepEqual(take(alone, { isAlone: true }), ['x y z', 'more'])
    assert.deepEqual(take([call('x', 100_000), call('y', 1)], { isAlone: true }), ['x', 'y'])
  })

  it('are others where a large one must not leave, and none where it is the only one', () => {
    const large = call('x', 5001)
    const small = { mayBeLarge: false }
    assert.deepEqual(take([large, call('y', 1, 'b'), call('z', 1)], small), ['y', 'x z'])
    assert.deepEqual(take([large], small), ['', 'x'])
    assert.deepEqual(take([call('most', 5000)], small), ['most', ''])
  })

  it('are of all tenants in turn, however many wait of one that came first', () => {
    const many = Array.from({ length: 30 }, (_, n) => call(`m${n}`, 5000))
    const [, ...later] = many.map(({ name }) => name)
    assert.deepEqual(take([...many, call('one', 1, 'b'), call('other', 1, 'c')]), ['m0 one other', later.join(' ')])
  })

  it('are of all callers of a tenant in turn, and soon over where these wait: few of the second calls', () => {
    const many = Array.from({ length: 20 }, (_, n) => call(`m${n}`, 1500, 'a', 'greedy'))
    const [, , ...later] = many.map(({ name }) => name)
    assert.deepEqual(take([...many, call('one', 1, 'a', 'small'), call('two', 1, 'a', 'small')]), [
      'm0 one m1 two m2',
      later.slice(1).join(' '),
    ])
  })

  it('are soon over also where many tenants wait: 5,000 rows of all second calls together', () => {
    const tenants = ['a', 'b', 'c', 'd', 'e']
    const calls = [0, 1].flatMap((n) => tenants.map((tenant) => call(`${tenant}${n}`, 2400, tenant)))
    assert.deepEqual(take(calls), ['a0 b0 c0 d0 e0 a1 b1', 'c1 d1 e1'])
  })

  it('are no more of a tenant with many callers, where another waits', () => {
    const many = Array.from({ length: 30 }, (_, n) => call(`m${n}`, 5000, 'a', `${n}`))
    const [, ...later] = many.map(({ name }) => name)
    assert.deepEqual(take([...many, call('one', 1, 'b')]), ['m0 one', later.join(' ')])
  })

  it('have room for small ones beside those of many tenants, and of many callers', () => {
    const tenants = Array.from({ length: 30 }, (_, n) => call(`m${n}`, 5000, `${n}`))
    assert.equal(take([...tenants, call('one', 1, 'small')])[0], 'm0 one m1 m2')
    const callers = Array.from({ length: 30 }, (_, n) => call(`m${n}`, 5000, 'a', `${n}`))
    assert.equal(take([...callers, call('one', 1, 'a', 'small')])[0], 'm0 one m1 m2')
  })

  it('are further small ones, too, beside as many first ones as fit', () => {
    const small = Array.from({ length: 10 }, (_, n) => call(`s${n}`, 1, 'b'))
    const first = Array.from({ length: 5 }, (_, n) => call(`m${n}`, 4999, `${n}`))
    assert.deepEqual(take([...first, ...small]), ['m0 s0 m1 m2 m3 s1 s2 s3 s4 s5 s6 s7 s8 s9', 'm4'])
  })

  it('are next of those who have had no turn, tenants and callers', () => {
    const queue = [call('a1', 6000, 'a', 'x'), call('a2', 1, 'a', 'x'), call('a3', 1, 'a', 'y'), call('b1', 1, 'b')]
    assert.deepEqual(take(queue), ['a1', 'b1 a3 a2'])
  })

  it('fill a commit where all are of one caller', () => {
    const many = Array.from({ length: 20 }, (_, n) => call(`m${n}`, 1500))
    assert.equal(take(many)[0]!.split(' ').length, 13)
  })

  it('keep the order of a caller: nothing small passes what did not fit', () => {
    assert.deepEqual(
      take([call('x', 5000), call('y', 5000), call('z', 1), call('b1', 15_000, 'b'), call('c', 5, 'c')]),
      ['x c', 'b1 y z'],
    )
  })

  it('begin with the one that has waited longest, so that everybody has a turn', () => {
    const first = call('first', 20_000, 'z')
    assert.deepEqual(take([first, call('x', 1), call('y', 1, 'b')]), ['first', 'x y'])
  })

  it('have a large one in the end, though small ones of its tenant leave in its stead and others of other tenants keep coming', () => {
    let queue = [call('b', 6000, 'b'), call('c', 6000, 'c'), call('large', 6000, 'a', 'x')]
    for (let round = 0; ; round += 1) {
      queue.push(call(`small${round}`, 1, 'a', 'y'), call(`b${round}`, 6000, 'b'), call(`c${round}`, 6000, 'c'))
      const { group, rest } = takeGroup(queue, (each) => each, { mayBeLarge: round % 2 === 1 })
      queue = rest
      if (group.some(({ name }) => name === 'large')) return
      assert.ok(round < 10)
    }
  })

  it('are of 1,000 rows of each tenant, where others have come lately, and a larger one by itself', () => {
    const shared = { isShared: true }
    const calls = [call('x', 600, 'a', 'x'), call('y', 600, 'a', 'y'), call('z', 400, 'a', 'z'), call('b', 1000, 'b')]
    assert.deepEqual(take(calls, shared), ['x b z', 'y'])
    assert.deepEqual(take([call('x', 600), call('y', 401)], shared), ['x', 'y'])
    assert.deepEqual(take([call('x', 1001), call('b', 1, 'b')], shared), ['x', 'b'])
    assert.deepEqual(take([call('x', 1001), call('b', 1, 'b')], { ...shared, mayBeLarge: false }), ['b', 'x'])
  })

  it('weigh as much as their rows, a row more for each 200 characters of texts, and ten more for each further week', () => {
    assert.deepEqual([weightOf(5, 0), weightOf(5, 199), weightOf(1, 200), weightOf(2, 1_000_000)], [5, 5, 2, 5002])
    assert.deepEqual([weightOf(5, 0, 1), weightOf(5, 0, 2), weightOf(1000, 200, 1000)], [5, 15, 10_991])
  })

  it('are of 500 organizations, and all others of these', () => {
    const queue = Array.from({ length: 600 }, (_, n) => call(`o${n}`, 1, 'a', `${n}`, n))
    const further = [call('again', 1, 'a', '4', 3), call('others', 1, 'a', '5', 700)]
    const { group, rest } = takeGroup([...queue, call('new', 1, 'a', 'new', 3), ...further], (each) => each)
    assert.deepEqual(
      group.slice(500).map(({ name }) => name),
      ['new', 'again'],
    )
    assert.equal(rest.length, 101)
  })

  it('are found without a look at each call for each of the others', () => {
    const queue = Array.from({ length: 20_000 }, (_, n) => call(`${n}`, 100, `${n % 100}`, `${n % 5000}`))
    let looks = 0
    takeGroup(queue, (each) => {
      looks += 1
      return each
    })
    assert.ok(looks <= 2 * queue.length, `${looks}`)
  })
})
