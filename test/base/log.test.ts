import assert from 'node:assert/strict'
import { cleanUrl, openLog } from '../../src/base/log.ts'

const logged = (level: string, ...events: readonly (readonly [object, string])[]) => {
  const lines: string[] = []
  const log = openLog(level, { write: (line) => void lines.push(line) })
  for (const [detail, message] of events) log.info(detail, message)
  return lines
}

describe('base/log', () => {
  const addresses: readonly [url: string, cleaned: string][] = [
    ['/api/feed?api_key=K&a=1', '/api/feed?api_key=…&a=1'],
    ['/api/feed?a=1&API_Key=K', '/api/feed?a=1&API_Key=…'],
    ['/api/feed?session=S&access_token=T', '/api/feed?session=…&access_token=…'],
    ['/x?refresh_token=R&client_secret=C&code=D&password=P', '/x?refresh_token=…&client_secret=…&code=…&password=…'],
    ['/api/feed?api%5Fkey=K', '/api/feed?api%5Fkey=…'],
    ['/api/feed?a=1&%61pi_key=K&b=2', '/api/feed?a=1&%61pi_key=…&b=2'],
    ['/api/feed?compId=api_key&a=100%25', '/api/feed?compId=api_key&a=100%25'],
    ['/api/comp/api_key=K/feed', '/api/comp/…/feed'],
    ['/api/feed&api_key=K', '/api/…'],
    ['/api/feed%3Fapi_key%3DK', '/api/…'],
    ['/api/feed?x?api_key=K', '/api/feed?x?api_key=…'],
    ['/x?apikey=K&token=T&sessionUid=S', '/x?apikey=…&token=…&sessionUid=…'],
    ['/x?oauthCode=C&code_verifier=V&api_key[]=K', '/x?oauthCode=…&code_verifier=…&api_key[]=…'],
    ['/api/feed?api_key%3DK&rsid', '/api/feed?…&rsid'],
    ['/api/feed', '/api/feed'],
  ]
  for (const [url, cleaned] of addresses) it(`cleans ${url}`, () => assert.equal(cleanUrl(url), cleaned))

  it('cleans a text that would keep a pattern busy for minutes', () => {
    const long = `/${'%'.repeat(500_000)}?${'%'.repeat(500_000)}`
    assert.equal(cleanUrl(long), long)
  })

  it('never writes a member that is a secret, wherever it stands', () => {
    const secrets = {
      api_key: 'S3CRET',
      password: 'S3CRET',
      authorization: 'S3CRET',
      cookie: 'S3CRET',
      secret: 'S3CRET',
    }
    const [line] = logged('info', [{ ...secrets, headers: secrets, kept: 1 }, 'event'])
    assert.ok(!line!.includes('S3CRET'), line)
    assert.equal((JSON.parse(line!) as { kept: number }).kept, 1)
  })

  it('writes one JSON line per event, with its level as a word and its time', () => {
    const [line, ...more] = logged('info', [{ n: 1 }, 'a\nb'])
    assert.deepEqual(more, [])
    const { time, ...rest } = JSON.parse(line!) as Record<string, unknown>
    assert.deepEqual(rest, { level: 'info', n: 1, msg: 'a\nb' })
    assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.equal(line!.trimEnd().split('\n').length, 1)
  })

  it('writes nothing below its level', () => assert.deepEqual(logged('warn', [{}, 'event']), []))
})
