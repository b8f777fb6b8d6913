import assert from 'node:assert/strict'
import { createClient } from '../../src/client/client.ts'
import { fetchPatiently } from '../../src/studio/web/patience.ts'
import type { Answer, ScriptedServer } from '../client/server.ts'
import { answer, openScriptedServer } from '../client/server.ts'

describe('a reading that nobody answers', () => {
  let server: ScriptedServer
  before(async () => void (server = await openScriptedServer()))
  after(() => server.close())

  const silent: Answer = () => {}
  const reading = (isReachable: () => Promise<boolean>, given: object = {}) =>
    createClient({ url: server.url, fetch: fetchPatiently(isReachable, 20) }).call('GET /api/unit', {
      retries: 0,
      ...given,
    })

  it('ends where the server is not there', async () => {
    server.script(silent)
    await assert.rejects(
      reading(() => Promise.resolve(false)),
      { status: 0, code: 'unreachable' },
    )
  })

  it('goes on while the server is there', async () => {
    let looks = 0
    let reply = () => {}
    server.script((response, request) => (reply = () => answer(200, { unit: [], totalCount: 0 })(response, request)))
    const isReachable = () => {
      if (++looks === 3) reply()
      return Promise.resolve(true)
    }
    assert.deepEqual(await reading(isReachable), { unit: [], totalCount: 0 })
  })

  it('ends when it is no longer wanted', async () => {
    const control = new AbortController()
    server.script(() => control.abort(new Error('enough')))
    await assert.rejects(
      reading(() => Promise.resolve(true), { signal: control.signal }),
      /enough/,
    )
  })
})
