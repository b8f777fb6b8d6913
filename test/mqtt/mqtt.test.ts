// MQTT by bytes: forms of payloads, refusals, limits, and everything that is no MQTT (docs/mqtt.md).
import assert from 'node:assert/strict'
import { generate } from 'mqtt-packet'
import type { IConnectPacket, Packet } from 'mqtt-packet'
import { linesOf, storesNothing } from '../support/feed.ts'
import { dialMqtt } from '../support/mqtt-client.ts'
import type { MqttClient } from '../support/mqtt-client.ts'
import { addApiKey, addMember, addSession, addToken, addUser } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

describe('MQTT', function () {
  let service: TestService
  let dialled = 0
  const clients: MqttClient[] = []
  before(async () => {
    service = await openTestService({ mqttPort: 0 })
  })
  after(() => service.close())
  afterEach(() => {
    for (const { socket } of clients.splice(0)) socket.destroy()
  })

  const dialAt = (port: number, version: 4 | 5 = 5): MqttClient => {
    const client = dialMqtt(port, version)
    clients.push(client)
    return client
  }
  const dial = (version: 4 | 5 = 5) => dialAt(service.service.mqttPort!, version)
  const hello = (version: 4 | 5, more: Partial<IConnectPacket> = {}): IConnectPacket => ({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: version,
    // Each its own: a second of the same ID would end the first.
    clientId: `test${(dialled += 1)}`,
    clean: true,
    keepalive: 60,
    username: service.apiKey,
    ...more,
  })
  const open = async (version: 4 | 5 = 5, more: Partial<IConnectPacket> = {}): Promise<MqttClient> => {
    const client = dial(version)
    client.send(hello(version, more))
    await client.got(1)
    return client
  }
  const message = (topic: string, payload: string | Buffer, qos: 0 | 1 | 2 = 1, messageId = 1): Packet => ({
    cmd: 'publish',
    topic,
    payload,
    qos,
    messageId,
    dup: false,
    retain: false,
  })
  const codeOf = (packet: Packet | undefined) => (packet as { reasonCode?: number } | undefined)?.reasonCode
  const lines = async (compId: string) => (await linesOf(service, compId)).toSorted()

  it('takes values, samples with a time, the JSON forms and the form of the URL', async () => {
    const client = await open()
    const messages = [
      ['F%2F1/a%20b', '1.5'],
      ['F%2F1/t', '{"time":7,"data":9007199254740993}'],
      ['F%2F1', '[{"streamId":"x","time":8,"data":true}]'],
      ['F%2F1', '{"feed":{"component":[{"componentId":"F/1","stream":[{"streamId":"y","time":[9],"data":["z"]}]}]}}'],
      ['F%2F1', 'p=1,2&time=10,11'],
      ['F%2F1/e', ''],
    ] as const
    for (const [n, [topic, payload]] of messages.entries()) client.send(message(topic, payload, 1, n + 1))
    const packets = await client.got(7)
    assert.deepEqual(
      packets.slice(1).map((packet) => [packet.cmd, packet.messageId, codeOf(packet)]),
      messages.map((_, n) => ['puback', n + 1, 0]),
    )
    assert.deepEqual(
      (await lines('F/1')).map((line) => line.replace(/^(a b) \d+/, '$1')),
      ['a b=1.5', 'p 10=1', 'p 11=2', 't 7=9007199254740992', 'x 8="true"', 'y 9="z"'],
    )
  })

  it('says by MQTT 5 why a message is not stored, and goes on', async () => {
    const client = await open()
    const refused = [
      ['a/b/c', '1', 0x99],
      ['/a', '1', 0x99],
      ['a/', '1', 0x99],
      ['%zz/x', '1', 0x99],
      ['C/x', '[1]', 0x99],
      ['C/x', '{}', 0x99],
      ['C/x', '{"data":1', 0x99],
      ['C/x', '{"data":1},{"data":2}', 0x99],
      ['C/x', '{"data":1,"compId":"Other"}', 0x99],
      ['C/x', '{"data":1,"STREAMID":"other"}', 0x99],
      ['C/+', '1', 0x99],
      ['C/#', '1', 0x99],
      ['C/a%00b', '1', 0x99],
      ['C', 'x=1&compId=Other', 0x99],
      ['C', 'x=1&session=a', 0x99],
      ['C', 'x=1&API_KEY=a', 0x99],
      ['C', `x=1&${'&'.repeat(65_536)}`, 0x83],
      ['C/x', Buffer.from([0xff, 0xfe]), 0x99],
      ['C', 'time=1', 0x99],
      ['C', '[{"streamId":"x"}]', 0x99],
    ] as const
    for (const [n, [topic, payload]] of refused.entries()) client.send(message(topic, payload, 1, n + 1))
    const packets = await client.got(refused.length + 1)
    for (const [n, [topic, payload, code]] of refused.entries())
      assert.equal(codeOf(packets[n + 1]), code, `${topic} ${String(payload)}`)
    client.send(message('C/x', '1', 1, 100))
    assert.equal(codeOf((await client.got(refused.length + 2)).at(-1)), 0)
    assert.equal((await lines('C')).length, 1)
  })

  it('closes a connection of MQTT 3.1.1 in place of acknowledging a message that is not stored', async () => {
    const client = await open(4)
    client.send(message('D/x', '1', 1, 1))
    client.send(message('a/b/c', '1', 1, 2))
    await client.closed()
    assert.deepEqual(
      client.packets.map(({ cmd, messageId }) => [cmd, messageId]),
      [
        ['connack', undefined],
        ['puback', 1],
      ],
    )
    const quiet = await open(4)
    quiet.send(message('a/b/c', '1', 0))
    quiet.send(message('D/x', '2', 1, 3))
    assert.equal((await quiet.got(2))[1]!.messageId, 3)
  })

  it('stores a message of quality 2 once, though it is sent again before its release', async () => {
    const client = await open()
    for (let n = 0; n < 3; n += 1) client.send(message('Q/x', '5', 2, 9))
    await client.got(4)
    client.send({ cmd: 'pubrel', messageId: 9, reasonCode: 0 })
    const packets = await client.got(5)
    assert.deepEqual(
      packets.map(({ cmd }) => cmd),
      ['connack', 'pubrec', 'pubrec', 'pubrec', 'pubcomp'],
    )
    assert.equal((await lines('Q')).length, 1)
  })

  it('refuses a message of quality 2 again that is sent again before its refusal has come', async () => {
    const client = await open()
    const refused = { ...message('Q/refused/x', '5', 2, 9), dup: true }
    client.send(refused)
    client.send(refused)
    const packets = (await client.got(3)) as readonly { reasonCode?: number }[]
    assert.deepEqual(
      packets.slice(1).map(({ reasonCode }) => reasonCode),
      [0x99, 0x99],
    )
    client.send(message('Q/taken', '5', 2, 9))
    assert.equal(((await client.got(4))[3] as { reasonCode?: number }).reasonCode ?? 0, 0)
    assert.match((await lines('Q')).join(' '), /taken \d+=5/)
  })

  it('stores the will of a client whose connection breaks, and not of one that leaves', async () => {
    const will = { topic: 'Will/status', payload: Buffer.from('offline'), qos: 1 as const, retain: false }
    const leaving = await open(4, { will })
    leaving.send({ cmd: 'disconnect' })
    await leaving.closed()
    const broken = await open(4, { will: { ...will, topic: 'Will/other' } })
    broken.socket.destroy()
    await eventually(async () => (await service.get('/api/comp/Will/feed')).status === 200)
    assert.match((await lines('Will')).join(' '), /^other \d+="offline"$/)
  })

  it('stores the will of a client that connects anew before its first messages', async () => {
    const will = { topic: 'Anew/status', payload: Buffer.from('offline'), qos: 1 as const, retain: false }
    const first = await open(4, { clientId: 'device', will })
    // Nothing is heard of the first any more, as where its network has gone.
    first.socket.pause()
    const second = dial(4)
    second.send(hello(4, { clientId: 'device', will }))
    second.send(message('Anew/status', 'online'))
    await second.got(2)
    first.socket.destroy()
    second.send({ cmd: 'disconnect' })
    await second.closed()
    assert.match((await lines('Anew')).at(-1)!, /^status \d+="online"$/)
  })

  it('stores the will of a key that holds for its address alone', async () => {
    const key = await addApiKey(
      service.sql,
      service.organizationUid,
      [{ resource: 'component/*/feed', methods: ['PUT'] }],
      { addresses: ['127.0.0.1'] },
    )
    const will = { topic: 'Bound/status', payload: Buffer.from('offline'), qos: 1 as const, retain: false }
    const client = await open(5, { username: key.secret, will })
    client.socket.destroy()
    await eventually(async () => (await service.get('/api/comp/Bound/feed')).status === 200)
  })

  it('leaves the reason out where a client wants none, or has no room for it', async () => {
    const silent = await open(5, { properties: { requestProblemInformation: false } })
    silent.send(message('a/b/c', '1'))
    const small = await open(5, { properties: { maximumPacketSize: 40 } })
    small.send(message('a/b/c', '1'))
    for (const client of [silent, small]) {
      const refused = (await client.got(2))[1] as { reasonCode: number; properties?: object }
      assert.deepEqual([refused.reasonCode, refused.properties], [0x99, undefined])
    }
  })

  it('ends a connection whose key is revoked, and refuses it the next', async () => {
    const key = await addApiKey(service.sql, service.organizationUid, [
      { resource: 'component/*/feed', methods: ['PUT'] },
    ])
    const client = await open(5, { username: key.secret })
    client.send(message('Rev/x', '1'))
    assert.equal(codeOf((await client.got(2))[1]), 0)
    await service.sql`update api_key set enabled = false where uid = ${key.uid}`
    await eventually(() => {
      if (!client.isClosed()) client.send(message('Rev/x', '2'))
      return Promise.resolve(client.isClosed())
    })
    assert.equal(client.packets.at(-1)!.cmd, 'disconnect')
    const again = await open(5, { username: key.secret })
    assert.equal(codeOf(again.packets[0]), 0x86)
  })

  it('refuses a session and an OAuth token in place of a key, however they are written, and stores nothing', async () => {
    const user = await addUser(service.sql, 'mqtt@example.com')
    await addMember(service.sql, service.organizationUid, user, 'admin')
    const session = await addSession(service.sql, user)
    const token = await addToken(service.sql, service.organizationUid, user)
    const readToken = await addToken(service.sql, service.organizationUid, user, { scope: 'read' })
    const wrong = [session, token, readToken].flatMap((secret): readonly Partial<IConnectPacket>[] => [
      { username: secret },
      { username: secret, password: Buffer.from(secret) },
      { username: 'mqtt@example.com', password: Buffer.from(secret) },
      { username: service.apiKey, password: Buffer.from(secret) },
      { username: `Bearer ${secret}` },
      { username: `${service.apiKey}&session=${secret}` },
      { username: `&access_token=${secret}` },
    ])
    const will = { topic: 'Token/will', payload: Buffer.from('1'), qos: 1 as const, retain: false }
    const refuseAll = () =>
      storesNothing(service, async () => {
        for (const more of wrong) {
          for (const [version, code] of [
            [4, 4],
            [5, 0x86],
          ] as const) {
            const client = dial(version)
            client.send(hello(version, { ...more, will }))
            client.send(message('Token/x', '1'))
            const [answer] = await client.got(1)
            const { returnCode, reasonCode } = answer as { returnCode?: number; reasonCode?: number }
            const found = [answer!.cmd, version === 4 ? returnCode : reasonCode]
            assert.deepEqual(found, ['connack', code], JSON.stringify(more))
            await client.closed()
            assert.equal(client.packets.length, 1)
          }
        }
      })
    await refuseAll()
    // They are good for the same upload by HTTP, as far as their scope goes, and are remembered then.
    for (const [secret, status] of [
      [session, 200],
      [token, 200],
      [readToken, 403],
    ] as const)
      assert.equal((await service.put(`/api/feed?session=${secret}&compId=Token&y=1&time=1`)).status, status)
    await refuseAll()
    assert.deepEqual(await lines('Token'), ['y 1=1'])
  })

  it('counts messages against the rate limit of uploads, and refuses those beyond it', async () => {
    const limit = { count: 3, seconds: 3600 }
    const limited = await openTestService({
      mqttPort: 0,
      rateLimits: { feed: limit, property: limit, file: limit, login: limit },
    })
    const [port, key] = [limited.service.mqttPort!, limited.apiKey]
    try {
      const client = dialAt(port)
      client.send(hello(5, { username: key }))
      for (let n = 1; n <= 5; n += 1) client.send(message('L/x', String(n), 1, n))
      const packets = await client.got(6)
      assert.deepEqual(packets.slice(1).map(codeOf), [0, 0, 0, 0x97, 0x97])
    } finally {
      for (const { socket } of clients.splice(0)) socket.destroy()
      await limited.close()
    }
  })

  it('takes a message byte by byte, and many in one piece', async () => {
    const client = await open()
    const bytes = generate(message('B/x', '1'), { protocolVersion: 5 })
    for (const byte of bytes) client.socket.write(Buffer.from([byte]))
    await client.got(2)
    const many = Array.from({ length: 200 }, (_, n) =>
      generate(message('B/x', JSON.stringify({ time: n + 1, data: n }), 1, n + 2), { protocolVersion: 5 }),
    )
    client.socket.write(Buffer.concat(many))
    const packets = await client.got(202)
    assert.deepEqual(
      packets.slice(1).map(({ messageId }) => messageId),
      Array.from({ length: 201 }, (_, n) => n + 1),
    )
  })

  it('closes connections that send anything else, and serves the others', async () => {
    const good = await open()
    const connecting = generate(hello(5), { protocolVersion: 5 })
    const wrong: readonly (readonly [name: string, bytes: Buffer])[] = [
      ['HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
      ['a message before CONNECT', generate(message('E/x', '1'), { protocolVersion: 5 })],
      ['a length without end', Buffer.from([0x10, 0xff, 0xff, 0xff, 0xff, 0xff])],
      ['a length of 256 MB', Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f])],
      ['a packet that is too long', Buffer.concat([connecting, Buffer.from([0x32, 0x81, 0x80, 0x80, 0x01])])],
      ['both bits of quality', Buffer.concat([connecting, Buffer.from([0x36, 5, 0, 1, 0x61, 0, 1])])],
      ['a topic longer than its packet', Buffer.concat([connecting, Buffer.from([0x32, 4, 0xff, 0xff, 0x61, 0])])],
      ['a second CONNECT', Buffer.concat([connecting, connecting])],
      ['a packet of the server', Buffer.concat([connecting, Buffer.from([0x20, 3, 0, 0, 0])])],
      ['a kind that there is none of', Buffer.from([0x00, 0x00])],
      ['an unknown version', Buffer.from([0x10, 12, 0, 4, 0x4d, 0x51, 0x54, 0x54, 9, 2, 0, 60, 0, 0])],
      ['a topic that is no UTF-8', Buffer.concat([connecting, Buffer.from([0x32, 6, 0, 1, 0xff, 0, 1, 0])])],
      ['a packet identifier of 0', Buffer.concat([connecting, Buffer.from([0x32, 6, 0, 1, 0x61, 0, 0, 0])])],
      ['zeros', Buffer.alloc(1000)],
      ['noise', Buffer.from(Array.from({ length: 1000 }, (_, n) => (n * 7919) % 251))],
      [
        'a topic alias',
        Buffer.concat([
          connecting,
          generate({ ...message('', '1'), properties: { topicAlias: 1 } } as Packet, { protocolVersion: 5 }),
        ]),
      ],
    ]
    for (const [name, bytes] of wrong) {
      const client = dial()
      client.socket.write(bytes)
      await client.closed().catch(() => assert.fail(name))
    }
    good.send(message('E/x', '1', 1, 5))
    assert.equal((await good.got(2))[1]!.messageId, 5)
    assert.equal((await service.request('GET', '/healthz')).status, 200)
  })

  it('shows its connections and messages in the metrics', async () => {
    const client = await open()
    client.send(message('M/x', '1'))
    await client.got(2)
    const { text } = await service.request('GET', '/metrics')
    assert.match(text, /^coppice_mqtt_connections [1-9]/m)
    assert.match(text, /coppice_http_request_seconds_count\{[^}]*route="\/api\/feed"/)
  })
})
