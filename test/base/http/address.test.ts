import assert from 'node:assert/strict'
import { addressGroup, baseUrlOf, clientAddress, holdersOfAddress, inRanges } from '../../../src/base/http/address.ts'
import { addressRange } from '../../../src/base/config.ts'

describe('the client address', () => {
  const proxies = [addressRange('10.0.0.0/8'), addressRange('::1')]
  const table: readonly [what: string, peer: string | undefined, forwarded: string | undefined, expected: string][] = [
    ['the socket’s peer', '192.0.2.1', undefined, '192.0.2.1'],
    ['the peer written plainly', '::ffff:192.0.2.1', undefined, '192.0.2.1'],
    ['the peer, whatever a stranger says', '192.0.2.1', '203.0.113.9', '192.0.2.1'],
    ['what a trusted proxy says', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['what a trusted proxy says, itself mapped', '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['the rightmost that is no trusted proxy', '10.0.0.1', '1.1.1.1, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
    ['the leftmost of nothing but trusted proxies', '10.0.0.1', '10.0.0.3,10.0.0.2', '10.0.0.3'],
    ['the proxy’s own when it says no address', '10.0.0.1', 'serial-17', '10.0.0.1'],
    ['the last good one before what is no address', '10.0.0.1', 'serial-17, 10.0.0.2', '10.0.0.2'],
    ['nothing from left of what is no address', '10.0.0.1', '203.0.113.9, serial-17, 10.0.0.2', '10.0.0.2'],
    ['the proxy’s own without the header', '10.0.0.1', undefined, '10.0.0.1'],
    ['an IPv6 address', '::1', '2001:db8::1', '2001:db8::1'],
    ['nothing of a socket that is gone', undefined, undefined, ''],
  ]
  for (const [what, peer, forwarded, expected] of table)
    it(`is ${what}`, () => {
      const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
      assert.equal(clientAddress(peer, headers, proxies), expected)
    })

  it('believes nobody where no proxy is trusted', () => {
    assert.equal(clientAddress('10.0.0.1', { 'x-forwarded-for': '203.0.113.9' }, []), '10.0.0.1')
  })

  it('lies in a range of its own kind only', () => {
    assert.equal(inRanges('10.1.2.3', proxies), true)
    assert.equal(inRanges('::ffff:10.1.2.3', proxies), true)
    assert.equal(inRanges('11.0.0.1', proxies), false)
    assert.equal(inRanges('::2', proxies), false)
    assert.equal(inRanges('nonsense', proxies), false)
  })

  it('is one caller with its whole /64 when it is of IPv6', () => {
    assert.equal(addressGroup('2001:db8:1:2::1'), addressGroup('2001:db8:1:2:ffff::9'))
    assert.notEqual(addressGroup('2001:db8:1:2::1'), addressGroup('2001:db8:1:3::1'))
    assert.equal(addressGroup('10.0.0.1'), '10.0.0.1')
  })

  it('is one caller by itself when it is of IPv4, however it is written', () => {
    for (const written of ['203.0.113.7', '::ffff:203.0.113.7', '::FFFF:203.0.113.7', '::ffff:cb00:7107'])
      assert.equal(addressGroup(written), '203.0.113.7', written)
  })

  it('holds shares as a caller of its /48 when it is of IPv6, and by itself when it is of IPv4', () => {
    const [site, caller, ...more] = holdersOfAddress('2001:db8:1:2::1')
    assert.deepEqual([caller, ...more], [addressGroup('2001:db8:1:2::1')])
    assert.deepEqual(holdersOfAddress('2001:db8:1:3::1'), [site, addressGroup('2001:db8:1:3::1')])
    assert.notEqual(holdersOfAddress('2001:db8:2:2::1')[0], site)
    assert.deepEqual(holdersOfAddress('203.0.113.7'), ['203.0.113.7'])
    assert.deepEqual(holdersOfAddress('::ffff:203.0.113.7'), ['203.0.113.7'])
    assert.deepEqual(holdersOfAddress(''), [''])
  })

  it('is for the service itself BASE_URL, or where the request found it', () => {
    const config = { baseUrl: undefined, host: '127.0.0.1', port: 8080 }
    assert.equal(baseUrlOf({ ...config, baseUrl: 'https://data.example' }, { host: 'x' }), 'https://data.example')
    assert.equal(baseUrlOf(config, { host: 'data.local:81' }), 'http://data.local:81')
    assert.equal(baseUrlOf(config, { host: '' }), 'http://127.0.0.1:8080')
    assert.equal(baseUrlOf({ ...config, host: '::1' }, {}), 'http://[::1]:8080')
  })
})
