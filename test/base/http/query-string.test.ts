import assert from 'node:assert/strict'
import { decodePercent, parseQuery, splitTarget } from '../../../src/base/http/query-string.ts'

const pairsOf = (raw: string) => parseQuery(raw).pairs.map(({ name, value }) => [name, value])

describe('base/query', () => {
  const broken: readonly [raw: string, piece: string][] = [
    ['a=%', '%'],
    ['a=%4', '%4'],
    ['a=%zz', '%zz'],
    ['%zz=1', '%zz'],
    ['a=%ff', '%ff'],
    ['a=%c3', '%c3'],
    ['a=%ed%a0%80', '%ed%a0%80'],
    ['a=%c0%80', '%c0%80'],
    ['a=1&b=%e2%82&c=%', '%e2%82'],
  ]
  for (const [raw, piece] of broken)
    it(`notes the broken piece of ${raw}`, () => assert.equal(parseQuery(raw).broken, piece))

  const read: readonly [raw: string, pairs: (readonly [string, string])[]][] = [
    ['', []],
    ['&&&', []],
    [
      '&a=1&&b=2&',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    ['a', [['a', '']]],
    ['a=', [['a', '']]],
    ['=1', []],
    ['=', []],
    ['a=b=c', [['a', 'b=c']]],
    ['a=1+2', [['a', '1 2']]],
    ['a=1%2B2', [['a', '1+2']]],
    ['a+b=1', [['a b', '1']]],
    ['a%3Db=1', [['a=b', '1']]],
    ['a%26b=1', [['a&b', '1']]],
    ['a=%C3%A4%F0%9F%98%80', [['a', 'ä😀']]],
    ['a=%00', [['a', '\0']]],
    ['compId=00:1A:22', [['compId', '00:1A:22']]],
    [
      '__proto__=1&constructor=2',
      [
        ['__proto__', '1'],
        ['constructor', '2'],
      ],
    ],
    [
      'a=1&A=2&a=3',
      [
        ['a', '1'],
        ['A', '2'],
        ['a', '3'],
      ],
    ],
  ]
  for (const [raw, pairs] of read)
    it(`reads '${raw}'`, () => {
      assert.deepEqual(pairsOf(raw), pairs)
      assert.equal(parseQuery(raw).broken, undefined)
    })

  it('finds parameters by their names in lower case, the first of several', () => {
    const query = parseQuery('compID=C&COMPid=D&retUnit')
    assert.equal(query.get('compid'), 'C')
    assert.deepEqual(query.all('compid'), ['C', 'D'])
    assert.equal(query.get('retunit'), '')
    assert.equal(query.get('retfdata'), undefined)
    assert.deepEqual(query.all('retfdata'), [])
    assert.equal(query.get('__proto__'), undefined)
  })

  const targets: readonly [target: string, path: string, query: string][] = [
    ['/', '/', ''],
    ['/api/feed', '/api/feed', ''],
    ['/api/feed?', '/api/feed', ''],
    ['/api/feed?a=1?b=//', '/api/feed', 'a=1?b=//'],
    ['//api///feed?a=1', '/api/feed', 'a=1'],
    ['http://host:8080/api/feed?a=1', '/api/feed', 'a=1'],
    ['HTTPS://host//api/feed', '/api/feed', ''],
    ['http://host', '/', ''],
    ['*', '*', ''],
  ]
  for (const [target, path, query] of targets)
    it(`splits ${target}`, () => assert.deepEqual(splitTarget(target), [path, query]))

  it('undoes escapes, or gives nothing where they are broken', () => {
    assert.equal(decodePercent('a+b'), 'a+b')
    assert.equal(decodePercent('%2F%20'), '/ ')
    assert.equal(decodePercent('%'), undefined)
    assert.equal(decodePercent('%80'), undefined)
  })
})
