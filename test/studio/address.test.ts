import assert from 'node:assert/strict'
import { addressIn, addressOf, isElsewhere, organizationAt, placeAt, serverAt } from '../../src/studio/web/address.ts'

const all = [{ uid: 'first' }, { uid: 'second' }, { uid: 'third' }]

describe('an address of the studio', () => {
  it('names the organization where there is a choice', () => {
    assert.equal(addressOf(['component', 'a/b'], { tab: 'files' }), '#/component/a%2Fb?tab=files')
    assert.equal(
      addressOf(['chart'], { of: ['B/x', 'B/y'], from: undefined }, 'second'),
      '#/chart?of=B%2Fx&of=B%2Fy&org=second',
    )
    assert.equal(addressOf(['components'], {}, 'second'), '#/components?org=second')
  })

  it('leads to the same place in another organization', () => {
    const place = placeAt('#/chart?of=B%2Fx&org=first&of=B%2Fy&live=1')
    assert.equal(addressIn(place, 'second'), '#/chart?of=B%2Fx&of=B%2Fy&live=1&org=second')
    assert.equal(addressIn(place), '#/chart?of=B%2Fx&of=B%2Fy&live=1')
  })

  it('chooses the organization before the one last chosen, and that before the first', () => {
    assert.deepEqual(organizationAt(all, 'third', 'second'), { uid: 'third' })
    assert.deepEqual(organizationAt(all, '', 'second'), { uid: 'second' })
    assert.deepEqual(organizationAt(all, '', 'gone'), { uid: 'first' })
    assert.equal(organizationAt([], 'third', 'second'), undefined)
  })

  it('tells where the server is, also below a path of a proxy', () => {
    for (const [page, server] of [
      ['https://data.example/alt/', 'https://data.example'],
      ['https://data.example:8443/coppice/alt/#/chart?of=a/b', 'https://data.example:8443/coppice'],
      ['http://127.0.0.1:8080/a/b/alt/?x=/y/#/query?s=/../', 'http://127.0.0.1:8080/a/b'],
    ] as const)
      assert.equal(serverAt(page), server)
  })

  it('is elsewhere for a person who does not belong to its organization', () => {
    assert.equal(isElsewhere(all, 'fourth'), true)
    assert.equal(isElsewhere(all, 'third'), false)
    assert.equal(isElsewhere(all, ''), false)
  })
})
