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

  describe('of more than 64 KiB', () => {
    const long = (text: string) => text.replaceAll('…', '1.25,'.repeat(40_000))

    it('leaves others room while it is read, also where it is no JSON, and one is read behind another', async () => {
      let turns = 0
      let isReading = true
      const count = () => void (isReading && ((turns += 1), setImmediate(count)))
      setImmediate(count)
      const order: string[] = []
      const read = async (name: string, body: string) => {
        // That of a stranger would wait for the other's end anyway.
        const call = { ...callWith(body), callerHolders: ['organization', 'api_key'] as const }
        await readInput(call).catch(() => {})
        order.push(name)
      }
      const numbers = '1.25,'.repeat(800_000)
      await read('valid', `[${numbers}1]`)
      const valid = turns
      await read('wrong', `[${numbers}]`)
      const wrong = turns - valid
      isReading = false
      // 4 MB take 35 ms and more, in slices of 3 to 10.
      assert.ok(valid > 5 && wrong > 5, `${valid} and ${wrong} turns`)
      await Promise.all([read('first', `[${numbers}1]`), read('second', long('[…1]'))])
      assert.deepEqual(order, ['valid', 'wrong', 'first', 'second'])
    })

    it('is what JSON.parse makes of it', async () => {
      const names = Array.from({ length: 5000 }, (_, at) => `"${(at * 7919) % 6000}":[${at}]`).join()
      const texts = [
        '{"a":1,"b":[…1],"a":{"a":[…2]},"b":3}',
        '{"__proto__":{"compId":"x"},"a":[…1],"__proto__":[…1],"constructor":{"prototype":1}}',
        '{"a":{"__proto__":{"a":[…1],"b":2}}}',
        ` [ -0, 1e400, 0.1, 123456789.12345679, "9007199254740993", … "\\ud83d", "ä𝄞\\u0000" ] \r\n\0`,
        `${'[{"x":'.repeat(31)}[…[]]${'}]'.repeat(31)}`,
        `[{${names}},…{${names}}]`,
        `"${'\\n'.repeat(50_000)}"`,
      ]
      for (const text of texts.map(long)) {
        const given = (await inputOf(text)) as object
        const expected = JSON.parse(text.replace('\0', '')) as object
        assert.deepEqual(given, expected)
        assert.equal(JSON.stringify(given), JSON.stringify(expected))
      }
    })

    it('has integers beyond 2^53 exactly', async () => {
      const given = (await inputOf(long('[…9007199254740993]'))) as unknown[]
      assert.deepEqual([given.length, given.at(-1)], [40_001, 9007199254740993n])
    })

    it('is refused with the words for a short one', async () => {
      for (const text of ['[…]', '[…1 2]', '[…1', '[…tru]', '{"a":[…1}', '{"a":[…1],}', '[…1]]', '[…"\\x"]'].map(
        long,
      )) {
        let said = ''
        try {
          JSON.parse(text)
        } catch (error) {
          said = (error as Error).message
        }
        await assert.rejects(inputOf(text), { status: 400, message: `the body is not JSON: ${said}` })
      }
      await assert.rejects(inputOf(long(`[…${'['.repeat(64)}`)), { message: 'the body is nested more than 64 deep' })
    })
  })

  it('can be asked for again, though a body can be read only once', async () => {
    const call = callWith('{"id":"x"}')
    assert.equal(await readInput(call), await readInput({ ...call }))
  })
})
