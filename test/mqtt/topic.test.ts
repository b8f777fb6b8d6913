// Messages that are refused before they become an upload; those that become one are tested over the wire (mqtt.test.ts).
import assert from 'node:assert/strict'
import { uploadFrom } from '../../src/mqtt/topic.ts'

describe('mqtt/topic', () => {
  const given = (payload: string) => uploadFrom('a/b', Buffer.from(payload)).body!.toString()

  it('takes one object with what it has, whatever else that is', () => {
    assert.equal(
      given('{"time":1,"data":9007199254740993}'),
      '[{"compId":"a","streamId":"b","time":1,"data":9007199254740993}]',
    )
    assert.equal(given(' {} '), '[{"compId":"a","streamId":"b"}]')
  })

  it('takes the longest IDs in any form, and refuses a longer topic before it is looked at', () => {
    const longest = '%F0%9F%8C%B3'.repeat(512)
    assert.equal(uploadFrom(`${longest}/${longest}`, Buffer.from('1')).query.length, 'compId='.length + longest.length)
    for (const topic of ['/'.repeat(12_290), `${longest}/${longest}x`])
      assert.throws(() => uploadFrom(topic, Buffer.from('1')), { status: 400, message: /^the topic is longer than/ })
  })

  it('takes the longest text, and refuses a longer one before it is written as JSON', () => {
    assert.ok(given('é'.repeat(65_536)).length > 65_536)
    for (const text of ['\u0001'.repeat(65_537), '\u0001'.repeat(1_000_000)])
      assert.throws(() => given(text), { status: 400, message: 'a value has at most 65536 characters' })
  })

  it('refuses two objects, one that names a stream, and one of more than a thousand values', () => {
    assert.throws(() => given('{"data":1},{"data":2}'), {
      status: 400,
      message: /^the body is not JSON: .*; the topic of a stream takes a value, or one object$/,
    })
    assert.throws(() => given('{"data":1,"COMPID":"x"}'), {
      status: 400,
      message: /^the topic names component and stream/,
    })
    const names = Array.from({ length: 1000 }, (_, n) => `"k${n}":1`)
    for (const much of [`{${names.join()}}`.padEnd(20_000), `{"data":[9007199254740993,${'[[1]],'.repeat(500)}1]}`])
      assert.throws(() => given(much), { status: 413, message: 'the body has more than 1000 JSON values' })
  })
})
