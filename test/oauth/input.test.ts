// Forms and JSON of the sign-in and token calls, read once per call.
import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { callFromHead } from '../../src/base/http/call.ts'
import { readInput } from '../../src/oauth/input.ts'

describe('the input of a sign-in or token request', () => {
  const callWith = (body: string) =>
    callFromHead({ method: 'POST', target: '/api/login', headers: {}, socket: new Socket() }, Buffer.from(body), [])

  it("is each call's own, also where the bodies came along with the head and no request is behind them", async () => {
    const [form, json] = [callWith('email=a@example.org'), callWith('{"email":"b@example.org"}')]
    assert.deepEqual(await readInput(form), { email: 'a@example.org' })
    assert.deepEqual(await readInput(json), { email: 'b@example.org' })
  })

  it('can be asked for again', async () => {
    const call = callWith('code=x')
    assert.equal(await readInput(call), await readInput(call))
  })
})
