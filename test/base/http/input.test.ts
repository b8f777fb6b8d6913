import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { callFromHead } from '../../../src/base/http/call.ts'
import { readInput } from '../../../src/base/http/input.ts'
import type { Input } from '../../../src/base/http/input.ts'
import type { Holders } from '../../../src/base/shares.ts'
import type { Turns } from '../../../src/base/turns.ts'
import { eventually } from '../../support/within.ts'

const form = 'application/x-www-form-urlencoded'

const callWith = (body: string, type = '') =>
  callFromHead(
    { method: 'POST', target: '/', headers: { 'content-type': type }, socket: new Socket() },
    body === '' ? undefined : Buffer.from(body),
    [],
  )

const inputOf = (body: string, type?: string) => readInput(callWith(body, type))
const inputOrForm = (body: string, type = form) => readInput(callWith(body, type), 'form too')

describe('the input of a managing call', () => {
  it('is JSON, or nothing', async () => {
    assert.deepEqual(await inputOf('{"id":"x","n":9007199254740993}'), { id: 'x', n: 9007199254740993n })
    for (const nothing of ['', ' ', '\r\n\0\r\n']) assert.equal(await inputOf(nothing), undefined)
    await assert.rejects(inputOf('id=x', form), {
      code: 'bad_request',
      message: /^the body is not JSON: Unexpected token/,
    })
  })

  it('is a form when it says so, does not begin as JSON, and forms are taken', async () => {
    for (const type of [form, `${form}; charset=utf-8`])
      assert.deepEqual(await inputOrForm('s=SELECT+1%2B1&tz=UTC', type), { s: 'SELECT 1+1', tz: 'UTC' })
    assert.deepEqual(await inputOrForm(' \r\n{"s":"SELECT 1"}'), { s: 'SELECT 1' })
    for (const type of ['text/plain', '']) await assert.rejects(inputOrForm('s=SELECT+1', type), { status: 400 })
  })

  it('takes each field of a form once', async () => {
    await assert.rejects(inputOrForm('s=1&s=2'), { message: 's is given twice' })
    await assert.rejects(inputOrForm('s=%zz'), { message: 'the form has a broken escape' })
  })

  it('is read and judged when it is its turn, by its length, unless it is short', async () => {
    const waiting: { readonly weight: number; readonly holders: Holders; readonly work: () => void }[] = []
    const turns: Turns = {
      begin: (weight, holders, work) => void waiting.push({ weight, holders: holders(), work }),
      waiting: () => waiting.length,
    }
    const ask = (text: string) => readInput(callWith(JSON.stringify({ text })), 'no form', undefined, turns)
    assert.deepEqual(await ask('short'), { text: 'short' })
    assert.equal(waiting.length, 0)
    const texts = [1000, 5000, 100_000].map((length) => 'a'.repeat(length))
    const read: Input[] = []
    const asked = texts.map((text) => ask(text).then((input) => read.push(input)))
    await eventually(async () => waiting.length === 3)
    assert.deepEqual(
      waiting.map(({ weight }) => weight),
      [2, 10, 128],
    )
    assert.deepEqual(read, [])
    for (const [at, { work }] of waiting.entries()) {
      work()
      await asked[at]
      assert.equal(read.length, at + 1)
    }
  })

  it('can be asked for again, though a body can be read only once', async () => {
    const call = callWith('{"id":"x"}')
    assert.equal(await readInput(call), await readInput({ ...call }))
  })
})
