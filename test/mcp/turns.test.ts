// Messages of assistants in turns that the test gives: the SDK takes as long for each as twenty uploads take.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import type { Access } from '../../src/access/guard.ts'
import { callFromHead } from '../../src/base/http/call.ts'
import type { Holders } from '../../src/base/shares.ts'
import type { World } from '../../src/base/world.ts'
import type { Caller } from '../../src/core/caller.ts'
import { mcpRoutes } from '../../src/mcp/routes.ts'
import { eventually } from '../support/within.ts'

describe('messages of assistants', () => {
  it('are worked on when it is their turn, each in one of its own', async () => {
    const waiting: { readonly weight: number; readonly holders: Holders; readonly work: () => void }[] = []
    const caller = { tenantUid: 'one', actor: 'api_key 1', may: () => false } as unknown as Caller
    const access = {
      guard: (handle: (...given: readonly unknown[]) => unknown) => (call: unknown) => handle(caller, call),
    } as unknown as Access
    const turns = {
      begin: (weight: number, holders: () => Holders, work: () => void) =>
        void waiting.push({ weight, holders: holders(), work }),
      waiting: () => waiting.length,
    }
    const { handle } = mcpRoutes({} as World, access, [], () => {}, turns)[0]!
    const socket = { remoteAddress: '127.0.0.1' } as Socket
    const ping = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}')
    const ask = () => handle(callFromHead({ method: 'POST', target: '/api/mcp', headers: {}, socket }, ping, []))
    let answered = 0
    const replies = [ask(), ask()].map((asked) => asked.then(({ status }) => (answered += Number(status === 200))))
    await eventually(async () => waiting.length === 2)
    assert.deepEqual(
      waiting.map(({ weight, holders }) => [weight, holders]),
      [
        [128, ['tenant one', 'api_key 1']],
        [128, ['tenant one', 'api_key 1']],
      ],
    )
    waiting[0]!.work()
    await replies[0]
    assert.equal(answered, 1)
    waiting[1]!.work()
    await replies[1]
    assert.equal(answered, 2)
  })
})
