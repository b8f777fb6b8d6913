// MQTT as mosquitto's own clients speak it (docs/mqtt.md).
import assert from 'node:assert/strict'
import { linesOf, streamsOf } from '../support/feed.ts'
import type { Clients } from '../support/mosquitto.ts'
import { openMosquitto } from '../support/mosquitto.ts'
import { addApiKey } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { skipWithout } from '../support/skip.ts'
import { eventually } from '../support/within.ts'

describe("mosquitto's clients", function () {
  let service: TestService
  let clients: Clients
  before(async function () {
    clients = (await openMosquitto()) ?? skipWithout(this, "mosquitto's clients")
    service = await openTestService({ mqttPort: 0 })
  })
  after(() => service?.close())
  const at = () => ['-h', '127.0.0.1', '-p', String(service.service.mqttPort)]
  const publish = (args: readonly string[], key = ['-u', service.apiKey], input?: string) =>
    clients('mosquitto_pub', [...at(), ...key, ...args], input)
  const dataOf = async (compId: string) => (await linesOf(service, compId)).map((line) => line.replace(/ \d+=/, '='))

  for (const version of ['31', '311', '5'])
    it(`upload numbers and texts at every quality of service, by MQTT ${version}`, async () => {
      const compId = `V${version}`
      for (const qos of ['0', '1', '2']) {
        const number = await publish(['-V', `mqttv${version}`, '-q', qos, '-t', `${compId}/n${qos}`, '-m', '21.5'])
        assert.deepEqual([number.code, number.output], [0, ''])
        const text = await publish(['-V', `mqttv${version}`, '-q', qos, '-t', `${compId}/t${qos}`, '-m', 'auf ä'])
        assert.deepEqual([text.code, text.output], [0, ''])
      }
      // Quality 0 is not acknowledged: its client is gone before it is stored.
      await eventually(async () => (await dataOf(compId)).length === 6)
      assert.deepEqual((await dataOf(compId)).toSorted(), [
        ...['0', '1', '2'].map((qos) => `n${qos}=21.5`),
        ...['0', '1', '2'].map((qos) => `t${qos}="auf ä"`),
      ])
      assert.equal((await streamsOf(service.sql, compId)).filter((line) => line.endsWith('DOUBLE')).length, 3)
    })

  it('upload many lines over one connection, in their order', async () => {
    const values = Array.from({ length: 300 }, (_, n) => n)
    const lines = values.map((n) => JSON.stringify({ time: 1_700_000_000_000 + n, data: n })).join('\n')
    const { code, output } = await publish(['-q', '1', '-l', '-t', 'Lines/x'], undefined, `${lines}\n`)
    assert.deepEqual([code, output], [0, ''])
    const reply = await service.get('/api/comp/Lines/stream/x/feed')
    assert.deepEqual(
      (reply.json as { data: number }[]).map(({ data }) => data),
      values.toReversed(),
    )
  })

  it('take the key as user name, alone or with itself as password, or as password of any user', async () => {
    const { apiKey } = service
    for (const key of [
      ['-u', apiKey],
      ['-u', apiKey, '-P', apiKey],
      ['-u', 'somebody', '-P', apiKey],
    ]) {
      const { code, output } = await publish(['-q', '1', '-t', 'Key/x', '-m', '1'], key)
      assert.deepEqual([code, output], [0, ''], key.join(' '))
    }
  })

  it('learn that a key is wrong, and that one lacks the right', async () => {
    for (const version of ['311', '5']) {
      const wrong = await publish(['-V', `mqttv${version}`, '-q', '1', '-t', 'K/x', '-m', '1'], ['-u', 'wrong'])
      assert.notEqual(wrong.code, 0)
      assert.match(wrong.output, /bad user name or password/i)
      const none = await publish(['-V', `mqttv${version}`, '-q', '1', '-t', 'K/x', '-m', '1'], [])
      assert.notEqual(none.code, 0)
    }
    const reader = await addApiKey(service.sql, service.organizationUid, [
      { resource: 'component/*/feed', methods: ['GET'] },
    ])
    const { output } = await publish(['-V', 'mqttv5', '-q', '1', '-t', 'K/x', '-m', '1'], ['-u', reader.secret])
    assert.match(output, /not authorized/i)
    assert.equal((await service.get('/api/comp/K/feed')).status, 404)
  })

  it('learn by MQTT 5 why a message is refused, and cannot subscribe', async () => {
    const refused = await publish(['-V', 'mqttv5', '-q', '1', '-t', 'a/b/c', '-m', '1'])
    assert.match(refused.output, /payload format invalid/i)
    for (const version of ['311', '5']) {
      const { output } = await clients('mosquitto_sub', [
        ...at(),
        '-u',
        service.apiKey,
        '-V',
        `mqttv${version}`,
        '-W',
        '10',
        '-t',
        'Boiler/#',
      ])
      assert.match(output, /All subscription requests were denied/)
    }
  })

  it('leave no will where they leave as they should', async () => {
    const will = ['--will-topic', 'W/status', '--will-payload', 'offline', '--will-qos', '1']
    const { code } = await publish(['-q', '1', '-t', 'W/status', '-m', 'online', ...will])
    assert.equal(code, 0)
    assert.deepEqual(await dataOf('W'), ['status="online"'])
  })
})
