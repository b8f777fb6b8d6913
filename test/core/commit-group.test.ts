import assert from 'node:assert/strict'
import type { Holders } from '../../src/base/shares.ts'
import { takeGroup } from '../../src/core/commit-group.ts'

type Call = {
  readonly name: string
  readonly rows: number
  readonly holders: Holders
  readonly organizationKey: number
}

const call = (name: string, rows: number, tenant = 'a', caller = 'a', organizationKey = 1): Call => ({
  name,
  rows,
  holders: [tenant, caller],
  organizationKey,
})
const take = (queue: readonly Call[], mayBeLarge = true) => {
  const { group, rest } = takeGroup(queue, (each) => each, mayBeLarge)
  const names = (calls: readonly Call[]) => calls.map(({ name }) => name).join(' ')
  return [names(group), names(rest)]
}

describe('the calls that leave together', () => {
  it('are all, in their order, where they fit into one commit', () => {
    assert.deepEqual(take([call('x', 10_000), call('y', 9_999, 'b'), call('z', 1)]), ['x y z', ''])
    assert.deepEqual(take([]), ['', ''])
  })

  it('are one that is larger than a commit by itself, and leave the others', () => {
    assert.deepEqual(take([call('x', 100_000), call('y', 1, 'b')]), ['x', 'y'])
  })

  it('are others where one that is larger must not leave, and none where it is the only one', () => {
    const large = call('x', 20_001)
    assert.deepEqual(take([large, call('y', 1, 'b'), call('z', 1)], false), ['y', 'x z'])
    assert.deepEqual(take([large], false), ['', 'x'])
    assert.deepEqual(take([call('most', 20_000)], false), ['most', ''])
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

  it('are further small ones, too, beside a large one', () => {
    const small = Array.from({ length: 10 }, (_, n) => call(`s${n}`, 1, 'b'))
    const large = Array.from({ length: 3 }, (_, n) => call(`m${n}`, 19_999))
    assert.deepEqual(take([...large, ...small]), ['m0 s0 s1 s2 s3 s4 s5 s6 s7 s8 s9', 'm1 m2'])
  })

  it('are next of those who have had no turn, tenants and callers', () => {
    const queue = [
      call('a1', 12_000, 'a', 'x'),
      call('a2', 12_000, 'a', 'x'),
      call('a3', 12_000, 'a', 'y'),
      call('b1', 12_000, 'b'),
    ]
    assert.deepEqual(take(queue), ['a1', 'b1 a3 a2'])
  })

  it('fill a commit where all are of one caller', () => {
    const many = Array.from({ length: 20 }, (_, n) => call(`m${n}`, 1500))
    assert.equal(take(many)[0]!.split(' ').length, 13)
  })

  it('keep the order of a caller: nothing small passes what did not fit', () => {
    assert.deepEqual(take([call('x', 12_000), call('y', 12_000), call('z', 1), call('other', 5, 'b')]), [
      'x other',
      'y z',
    ])
  })

  it('begin with the one that has waited longest, so that everybody has a turn', () => {
    const first = call('first', 20_000, 'z')
    assert.deepEqual(take([first, call('x', 1), call('y', 1, 'b')]), ['first', 'x y'])
  })

  it('are of 500 organizations, and all others of these', () => {
    const queue = Array.from({ length: 600 }, (_, n) => call(`o${n}`, 1, 'a', `${n}`, n))
    const { group, rest } = takeGroup([...queue, call('again', 1, 'a', 'again', 3)], (each) => each)
    assert.equal(group.length, 501)
    assert.equal(group.at(-1)!.name, 'again')
    assert.equal(rest.length, 100)
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
