import assert from 'node:assert/strict'
import { mostNumberBytes, readNumber } from '../../src/base/json-bytes.ts'

describe('base/json-bytes', () => {
  const digits = '9'.repeat(10 * mostNumberBytes)
  for (const text of [digits, `-${digits}`, `0.${digits}`, `1e${digits}`])
    it(`looks at no more of a number than one may have: ${text.slice(0, 3)}…`, () => {
      let looks = 0
      const bytes = new Proxy(Buffer.from(text), {
        get: (target, at) => {
          looks += 1
          return Reflect.get(target, at) as unknown
        },
      })
      assert.throws(() => readNumber({ bytes, at: 0 }, text.charCodeAt(0)))
      assert.ok(looks < 2 * mostNumberBytes, `${looks} looks`)
    })
})
