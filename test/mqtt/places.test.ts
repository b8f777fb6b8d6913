// Places of connections over real sockets (docs/mqtt.md#limits): 10 for those with a good key, 8 for strangers, 1 MiB.
import assert from 'node:assert/strict'
import { generate } from 'mqtt-packet'
import type { IConnectPacket, Packet } from 'mqtt-packet'
import { addressRange } from '../../src/base/config.ts'
import type { AddressRange } from '../../src/base/config.ts'
import { openPlaces } from '../../src/mqtt/places.ts'
import { quietLog } from '../support/database.ts'
import { dialMqtt } from '../support/mqtt-client.ts'
import type { MqttClient } from '../support/mqtt-client.ts'
import { addApiKey, addOrganization, addUser } from '../support/people.ts'
import { openTestService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

const limits = { mostConnections: 10, mostStrangers: 8, mostHeldBytes: 1024 * 1024, mostFurther: 100 }
const capabilities = [{ resource: 'component/*/feed', methods: ['PUT'] }] as const

const hello = (username: string, clientId: string, more: Partial<IConnectPacket> = {}): IConnectPacket => ({
  cmd: 'connect',
  protocolId: 'MQTT',
  protocolVersion: 5,
  clientId,
  clean: true,
  keepalive: 3600,
  username,
  ...more,
})
const message = (topic: string, payload: string): Packet => ({
  cmd: 'publish',
  topic,
  payload,
  qos: 1,
  messageId: 1,
  dup: false,
  retain: false,
})
const codeOf = (packet: Packet | undefined) => (packet as { reasonCode?: number } | undefined)?.reasonCode
const returnCodeOf = (packet: Packet | undefined) => (packet as { returnCode?: number } | undefined)?.returnCode

for (const [title, trustedProxies] of [
  ['MQTT places of addresses', []],
  ['MQTT places behind a trusted proxy', [addressRange('127.0.0.0/8')]],
] as readonly (readonly [string, readonly AddressRange[]])[])
  describe(title, () => {
    const isProxy = trustedProxies.length > 0
    let service: TestService
    let key: string
    let otherKey: string
    let dialled = 0
    const clients: MqttClient[] = []
    before(async () => {
      service = await openTestService({ mqttPort: 0, trustedProxies }, undefined, quietLog, { mqttLimits: limits })
      key = (await addApiKey(service.sql, service.organizationUid, capabilities)).secret
      const other = await addOrganization(service.sql, 'Other', await addUser(service.sql, 'other@example.com'))
      otherKey = (await addApiKey(service.sql, other.uid, capabilities)).secret
    })
    after(() => service.close())
    afterEach(async () => {
      for (const { socket } of clients.splice(0)) socket.destroy()
      await eventually(async () =>
        /^coppice_mqtt_connections 0$/m.test((await service.request('GET', '/metrics')).text),
      )
    })

    /** Behind the proxy all come from one. */
    const dial = async (address: number, version: 4 | 5 = 5): Promise<MqttClient> => {
      const client = dialMqtt(service.service.mqttPort!, version, `127.0.0.${isProxy ? 2 : address}`)
      clients.push(client)
      await eventually(() => Promise.resolve(!client.socket.connecting))
      return client
    }
    const open = async (
      address: number,
      username: string,
      clientId = `client${(dialled += 1)}`,
      version: 4 | 5 = 5,
    ): Promise<MqttClient> => {
      const client = await dial(address, version)
      client.send(hello(username, clientId, { protocolVersion: version }))
      await eventually(() => Promise.resolve(client.packets.length > 0 || client.isClosed()))
      return client
    }
    const publishes = async (client: MqttClient): Promise<void> => {
      assert.equal(codeOf(client.packets[0]), 0, 'CONNACK')
      client.send(message('Device/x', '1'))
      assert.equal(codeOf((await client.got(2))[1]), 0, 'PUBACK')
    }

    it('leave a device of another tenant a place, however many one key opens', async () => {
      const codes: (number | undefined)[] = []
      for (let n = 0; n < 20; n += 1) codes.push(codeOf((await open(2 + (n % 5), key)).packets[0]))
      assert.deepEqual(codes, [...Array<number>(5).fill(0), ...Array<number>(15).fill(0x97)])
      const late = await open(2, key, undefined, 4)
      assert.equal(returnCodeOf(late.packets[0]), 3)
      await late.closed()
      await publishes(await open(9, otherKey))
      await publishes(await open(2, otherKey))
    })

    it('leave one, too, however many keys of one tenant are used', async () => {
      let accepted = 0
      for (let n = 0; n < 6; n += 1) {
        const { secret } = await addApiKey(service.sql, service.organizationUid, capabilities)
        for (let each = 0; each < 5; each += 1) accepted += Number(codeOf((await open(2 + n, secret)).packets[0]) === 0)
      }
      assert.equal(accepted, 8)
      await publishes(await open(2, otherKey))
    })

    it('give a device its own place again though its key has no other', async () => {
      const first = await open(3, key, 'device')
      for (let n = 0; n < 4; n += 1) await open(4, key)
      assert.equal(codeOf((await open(5, key)).packets[0]), 0x97)
      // Others have most of the rest by now: the share of the key is smaller than all that it has.
      for (let n = 0; n < 2; n += 1) await open(6, otherKey)
      for (let n = 0; n < 12; n += 1) await publishes(await open(3, key, 'device'))
      assert.equal(codeOf((await first.got(2))[1]), 0x8e)
      assert.equal(codeOf((await open(5, key)).packets[0]), 0x97)
    })

    it('are not kept by strangers who never send CONNECT', async () => {
      const strangers: MqttClient[] = []
      for (let n = 0; n < 40; n += 1) strangers.push(await dial(2 + (n % 20)))
      for (const stranger of strangers.slice(0, 30)) await stranger.closed()
      for (let n = 0; n < 3; n += 1) await publishes(await open(2, otherKey))
      for (let n = 0; n < 3; n += 1) await publishes(await open(30, service.apiKey))
    })

    it('are not kept by strangers who were refused and stay', async () => {
      for (let n = 0; n < 20; n += 1) {
        const client = dialMqtt(service.service.mqttPort!, 5, '127.0.0.2')
        clients.push(client)
        client.socket.allowHalfOpen = true
        client.send(hello('wrong', ''))
        assert.equal(codeOf((await client.got(1))[0]), 0x86)
      }
      await publishes(await open(2, otherKey))
    })

    it('come out of those of the address that has most strangers', async () => {
      const few = isProxy ? undefined : await dial(3)
      const many: MqttClient[] = []
      for (let n = 0; n < 20; n += 1) many.push(await dial(2))
      await many[10]!.closed()
      assert.equal(many.at(-1)!.isClosed(), false)
      if (few) {
        few.send(hello(otherKey, 'few'))
        await few.got(1)
        await publishes(few)
      }
    })

    it('have memory for a CONNECT, however much of theirs strangers send', async () => {
      const long = generate(hello('x'.repeat(60_000), '', { password: Buffer.alloc(60_000, 'x') }), {
        protocolVersion: 5,
      })
      for (let n = 0; n < 7; n += 1) (await dial(2)).socket.write(long.subarray(0, 100_000))
      for (let n = 0; n < 5; n += 1) await publishes(await open(2, otherKey))
    })

    it(`are ${isProxy ? 'all' : 'half'} for CONNECTs of one address that wait for the database`, async () => {
      await publishes(await open(2, otherKey))
      let unlock = () => {}
      const unlocking = new Promise<void>((resolve) => (unlock = resolve))
      let isLocked = false
      const locked = service.sql.begin(async (sql) => {
        await sql`lock table api_key in access exclusive mode`
        isLocked = true
        await unlocking
      })
      await eventually(() => Promise.resolve(isLocked))
      const guesses: MqttClient[] = []
      try {
        for (let n = 0; n < 7; n += 1) {
          const client = await dial(2)
          client.send(hello(`guess ${n}`, ''))
          guesses.push(client)
        }
        if (!isProxy) for (const late of guesses.slice(4)) assert.equal(codeOf((await late.got(1))[0]), 0x88)
        // A key that is known waits for nobody; one that was asked for is not closed for others.
        for (let n = 0; n < 3; n += 1) await publishes(await open(3, otherKey))
      } finally {
        unlock()
        await locked
      }
      for (const guess of guesses.slice(0, isProxy ? 7 : 4)) assert.equal(codeOf((await guess.got(1))[0]), 0x86)
    })

    it('are given back when a connection ends', async () => {
      for (let round = 0; round < 3; round += 1) {
        const opened: MqttClient[] = []
        for (let n = 0; n < 5; n += 1) opened.push(await open(2 + n, otherKey))
        for (const client of opened) await publishes(client)
        for (const client of opened) client.send({ cmd: 'disconnect' })
        for (const client of opened) await client.closed()
        await eventually(async () => {
          const { text } = await service.request('GET', '/metrics')
          return /^coppice_mqtt_connections 0$/m.test(text)
        })
      }
    })
  })

describe('MQTT places', () => {
  it('change hands between two connections of a client, and no stranger gives way for that', () => {
    const places = openPlaces({ ...limits, mostStrangers: 3 }, [])
    const gone: string[] = []
    const enter = (name: string) =>
      places.enter('192.0.2.1', { giveWay: () => void gone.push(name), strangerBytes: () => 0 })!
    const holders = ['tenant 1', 'api_key 1'] as const
    const older = enter('older')
    assert.ok(older.settle(holders, undefined))
    // The oldest stranger of its address, and there is no place left among them.
    const newer = enter('newer')
    const others = [enter('other'), enter('another')]
    assert.ok(newer.ask())
    newer.rest()
    assert.ok(newer.settle(holders, older))
    assert.deepEqual(gone, [])
    // The older one is a stranger now, and the youngest of them.
    for (let n = 0; n < 3; n += 1) enter(`late ${n}`)
    assert.deepEqual(gone, ['other', 'another', 'older'])
    for (const place of [older, newer, ...others]) place.give()
  })

  it('leave one that is refused among strangers', () => {
    const places = openPlaces({ mostConnections: 1, mostStrangers: 1 }, [])
    const gone: string[] = []
    const enter = (name: string) =>
      places.enter('192.0.2.1', { giveWay: () => void gone.push(name), strangerBytes: () => 0 })!
    assert.ok(enter('first').settle(['tenant 1', 'api_key 1'], undefined))
    assert.ok(!enter('second').settle(['tenant 1', 'api_key 1'], undefined))
    enter('third')
    assert.deepEqual(gone, ['second'])
  })

  it('find a heavy stranger, of their own site first, without a look at all of them', () => {
    const places = openPlaces({ mostConnections: 1, mostStrangers: 4000 }, [])
    let looks = 0
    const gone: number[] = []
    const bytes = Array<number>(4000).fill(500)
    const all = bytes.map((_, n) => {
      const strangerBytes = () => {
        looks += 1
        return bytes[n]!
      }
      return places.enter(`10.0.${n % 2}.1`, { giveWay: () => void gone.push(n), strangerBytes })!
    })
    const grow = (n: number, held: number) => {
      bytes[n] = held
      all[n]!.weigh()
    }
    for (const n of all.keys()) grow(n, 500)
    looks = 0
    assert.equal(all[0]!.makeRoom(600), false)
    assert.equal(looks, 0)
    // Of those that are about as heavy some are looked at: of its own site, and of all.
    assert.equal(all[0]!.makeRoom(505), false)
    assert.equal(looks, 128)
    grow(1000, 5000)
    grow(2001, 90_000)
    grow(2003, 600)
    assert.equal(all[0]!.makeRoom(700), true)
    assert.equal(all[0]!.makeRoom(700), true)
    assert.equal(all[0]!.makeRoom(700), false)
    assert.deepEqual(gone, [1000, 2001])
    // One that is asked for, or is light again, does not give way.
    grow(3001, 90_000)
    assert.ok(all[3001]!.ask())
    grow(2003, 10)
    assert.equal(all[0]!.makeRoom(550), false)
    all[3001]!.rest()
    assert.equal(all[0]!.makeRoom(550), true)
    assert.deepEqual(gone, [1000, 2001, 3001])
    assert.ok(looks < 1000, String(looks))
  })
})
