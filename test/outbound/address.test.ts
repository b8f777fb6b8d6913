// Which addresses a connection to an external database may reach.
import assert from 'node:assert/strict'
import { mayReach, networksOf } from '../../src/outbound/address.ts'

const forbidden = [
  '127.0.0.1',
  '127.255.255.254',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '100.127.255.255',
  '224.0.0.1',
  '239.255.255.255',
  '0.0.0.0',
  '0.1.2.3',
  '240.0.0.1',
  '255.255.255.255',
  '198.18.0.1',
  '192.0.2.1',
  '168.63.129.16',
  '::',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd12::1',
  'ff02::1',
  'fec0::1',
  '2001:db8::1',
  '2001::1',
  '100::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:a00:1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '2002:a9fe:a9fe::',
  'localhost',
  '127.1',
  '',
]

describe('the addresses that a connection may reach', () => {
  it('are none of this machine, its network or any other special use, in no form', () => {
    assert.deepEqual(
      forbidden.filter((address) => mayReach(address, [])),
      [],
    )
  })

  it("are none of this machine's interfaces, nor of their networks, whatever their numbers", () => {
    const own = networksOf({
      eth0: [
        { address: '93.184.216.34', cidr: '93.184.216.34/24' },
        { address: '2606:2800:220:1::5', cidr: '2606:2800:220:1::5/64' },
      ],
      // A point-to-point link, a tunnel that takes all there is, and one whose mask is no prefix.
      ppp0: [{ address: '81.2.69.142', cidr: '81.2.69.142/32' }],
      tun0: [
        { address: '89.160.20.112', cidr: '89.160.20.112/0' },
        { address: '2a02:cf40::7', cidr: '2a02:cf40::7/0' },
      ],
      odd0: [{ address: '175.16.199.1', cidr: null }],
    })
    const ownOrNear = [
      '93.184.216.34',
      '93.184.216.99',
      '::ffff:93.184.216.34',
      '64:ff9b::93.184.216.99',
      '2002:5db8:d822::',
      '2606:2800:220:1::5',
      '2606:2800:220:1:ffff::1',
      '81.2.69.142',
      '89.160.20.112',
      '2a02:cf40::7',
      '175.16.199.1',
    ]
    assert.deepEqual(
      ownOrNear.filter((address) => mayReach(address, [], own)),
      [],
    )
    const others = ['93.184.217.1', '2606:2800:220:2::5', '81.2.69.143', '89.160.20.113', '2a02:cf40::8', '8.8.8.8']
    assert.deepEqual(
      others.filter((address) => !mayReach(address, [], own)),
      [],
    )
    assert.deepEqual(
      ownOrNear.filter((address) => mayReach(address, ['93.184.216.99', '2606:2800:220:1::/64'], own)),
      ['93.184.216.99', '64:ff9b::93.184.216.99', '2606:2800:220:1::5', '2606:2800:220:1:ffff::1'],
    )
  })

  it('are those that OUTBOUND_ALLOW names alone, where nobody knows the interfaces', () => {
    assert.deepEqual(
      ['8.8.8.8', '10.1.2.3', '2606:4700::1'].filter((address) => mayReach(address, ['10.0.0.0/8'], 'unknown')),
      ['10.1.2.3'],
    )
  })

  it('are those of the internet, in every form', () => {
    const open = ['8.8.8.8', '2606:4700::1', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8', '2002:808:808::1', '172.32.0.1']
    assert.deepEqual(
      open.filter((address) => !mayReach(address, [])),
      [],
    )
  })

  it('are besides those that OUTBOUND_ALLOW names, in every form of them and no further', () => {
    const allow = ['10.0.0.0/8', 'fd12::/16']
    const open = ['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::10.1.2.3', '2002:a01:203::', 'fd12::9']
    assert.deepEqual(
      open.filter((address) => !mayReach(address, allow)),
      [],
    )
    assert.deepEqual(
      ['11.0.0.1', '127.0.0.1', '192.168.0.1', 'fd13::1', '::1'].filter((address) => mayReach(address, allow)),
      ['11.0.0.1'],
    )
  })
})
