import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import type { Access } from '../src/access/guard.ts'
import { readConfig } from '../src/base/config.ts'
import { callFromHead } from '../src/base/http/call.ts'
import type { World } from '../src/base/world.ts'
import { healthRoutes } from '../src/health.ts'

describe('/metrics', () => {
  it('is made once for all who look while it is made, and anew for the next', async () => {
    const making: ((text: string) => void)[] = []
    const metricsText = () => new Promise<string>((resolve) => making.push(resolve))
    const access = { guard: () => async () => assert.fail('not asked') } as unknown as Access
    const world = { config: readConfig({}) } as World
    const routes = healthRoutes(world, access, metricsText, { isLeaving: false })
    const { handle } = routes.find(({ path }) => path === '/metrics')!
    const socket = { remoteAddress: '127.0.0.1' } as Socket
    const look = async () => {
      const { body } = await handle(
        callFromHead({ method: 'GET', target: '/metrics', headers: {}, socket }, undefined, []),
      )
      return body
    }
    const looks = [look(), look(), look()]
    assert.equal(making.length, 1)
    making[0]!('a 1')
    assert.deepEqual(await Promise.all(looks), ['a 1', 'a 1', 'a 1'])
    const next = look()
    assert.equal(making.length, 2)
    making[1]!('a 2')
    assert.equal(await next, 'a 2')
  })
})
