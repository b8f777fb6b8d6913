// A key, token or password never appears in a log, an error or a metric, however it came in.
import assert from 'node:assert/strict'
import { readConfig } from '../../src/base/config.ts'
import { openLog } from '../../src/base/log.ts'
import { openService } from '../../src/service.ts'
import { openTestDatabase } from '../support/database.ts'
import { testMasterKey } from '../support/service.ts'

describe('secrets of callers', () => {
  it('are nowhere in the output of the server, at any level of its log', async () => {
    const database = await openTestDatabase()
    let log = ''
    const service = await openService({
      config: { ...readConfig({ PORT: '0' }), host: '127.0.0.1' },
      databaseUrl: database.url,
      masterKey: testMasterKey,
      clock: { now: () => Date.now() },
      log: openLog('trace', { write: (line) => (log += line) }),
    })
    const secret = 'TOPSECRET'
    const basic = Buffer.from(`${secret}:`).toString('base64')
    let replies = ''
    try {
      const ask = async (method: string, path: string, init: RequestInit = {}) => {
        const reply = await fetch(`${service.url}${path}`, { method, ...init })
        replies += `${[...reply.headers].join('\n')}\n${await reply.text()}\n`
      }
      const inUrl = ['api_key', 'API_KEY', 'session', 'access_token', 'client_secret', 'code', 'password', 'api%5Fkey']
      for (const name of inUrl) {
        await ask('PUT', `/api/feed?compId=x&a=1&${name}=${secret}`)
        await ask('GET', `/api/comp/x/feed?${name}=${secret}`)
        await ask('GET', `/nowhere?${name}=${secret}`)
      }
      for (const cookie of ['api_key', 'session'])
        await ask('PUT', '/api/feed?compId=x&a=1', { headers: { Cookie: `${cookie}=${secret}` } })
      for (const authorization of [`Bearer ${secret}`, `Basic ${basic}`])
        for (const path of ['/api/comp/x/feed', '/api/oauth_introspect', '/api/unit'])
          await ask('POST', path, { headers: { Authorization: authorization }, body: 'token=x' })
      const body = JSON.stringify({ email: 'a@example.org', password: secret, client_secret: secret, code: secret })
      for (const path of ['/api/login', '/api/oauth_login', '/api/oauth_access_token', '/alt/'])
        await ask('POST', path, { body })
      await ask('POST', '/api/oauth_access_token', {
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: secret, client_id: secret }),
      })
      await ask('GET', '/metrics')
    } finally {
      await service.close()
      await database.drop()
    }
    assert.notEqual(log, '')
    for (const text of [log, replies])
      for (const form of [secret, basic])
        assert.equal(
          text.includes(form),
          false,
          text.slice(Math.max(0, text.indexOf(form) - 200), text.indexOf(form) + 100),
        )
  })
})
