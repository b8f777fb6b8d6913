import assert from 'node:assert/strict'
import { formInput, isForm, jsonInput } from '../../../src/base/http/input.ts'

const form = 'application/x-www-form-urlencoded'

describe('base/input', () => {
  it('is JSON, or nothing', () => {
    assert.deepEqual(jsonInput(Buffer.from('{"id":"x","n":9007199254740993}')), { id: 'x', n: 9007199254740993n })
    assert.equal(jsonInput(Buffer.from('')), undefined)
    assert.throws(() => jsonInput(Buffer.from('id=x')), {
      code: 'bad_request',
      message: /^the body is not JSON: Unexpected token/,
    })
  })

  it('is a form when it says so and does not begin as JSON', () => {
    const cases: readonly [type: string, text: string, isOne: boolean][] = [
      [form, 's=SELECT+1', true],
      [`${form}; charset=utf-8`, 's=SELECT+1', true],
      [form, ' \r\n{"s":"SELECT 1"}', false],
      ['text/plain', 's=SELECT+1', false],
      ['', 's=SELECT+1', false],
    ]
    for (const [type, text, isOne] of cases) assert.equal(isForm(type, Buffer.from(text)), isOne, `${type} ${text}`)
  })

  it('takes each field of a form once', () => {
    assert.deepEqual(formInput(Buffer.from('s=SELECT+1%2B1&tz=UTC')), { s: 'SELECT 1+1', tz: 'UTC' })
    assert.throws(() => formInput(Buffer.from('s=1&s=2')), { message: 's is given twice' })
    assert.throws(() => formInput(Buffer.from('s=%zz')), { message: 'the form has a broken escape' })
  })
})
