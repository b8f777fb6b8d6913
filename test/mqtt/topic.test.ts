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
