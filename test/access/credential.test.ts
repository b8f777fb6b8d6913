import assert from 'node:assert/strict'
import { cookieValue, findCredential, findOrganizationUid, findSinkCredential } from '../../src/access/credential.ts'
import { parseQuery } from '../../src/base/http/query-string.ts'
import { countSteps } from '../support/steps.ts'

const request = (query: string, headers: Readonly<Record<string, string>> = {}) => ({
  query: parseQuery(query),
  headers,
})
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })

describe('the credential of a request', () => {
  const table: readonly [what: string, query: string, headers: Record<string, string>, expected: string | undefined][] =
    [
      ['nothing', '', {}, undefined],
      ['empty values', 'api_key=&session=', { cookie: 'api_key=; session=' }, undefined],
      ['a key in the URL, any spelling', '&API_Key=K', {}, 'api_key K'],
      ['a key in a cookie', '', { cookie: 'a=b;api_key=K;org=O' }, 'api_key K by cookie'],
      ['the URL before the cookie', 'api_key=U', { cookie: 'api_key=C' }, 'api_key U'],
      ['a session in the URL', 'session=S', {}, 'token S'],
      ['a session in a cookie', '', { cookie: 'session=S' }, 'token S by cookie'],
      ['a session over a key, in the URL', 'api_key=K&session=S', {}, 'token S'],
      ['a session over a key, in cookies', '', { cookie: 'api_key=K;session=S' }, 'token S by cookie'],
      [
        "a key in the URL beside another program's cookies",
        'api_key=K',
        { cookie: 'session=S;api_key=C' },
        'api_key K',
      ],
      ['the session of the URL before that of the cookie', 'session=U', { cookie: 'session=C' }, 'token U'],
      ['an access token in the URL', 'access_token=T', {}, 'token T'],
      ['the access token of the URL before a cookie', 'access_token=T', { cookie: 'session=S' }, 'token T'],
      ['a cookie of our own before a planted one', '', { cookie: 'session=P;__Host-session=S' }, 'token S by cookie'],
      ['a Bearer header', '', { authorization: 'bearer  T' }, 'bearer T'],
      ['the URL before the header', 'api_key=K', { authorization: 'Bearer T' }, 'api_key K'],
      ['the header before a cookie', '', { cookie: 'session=S;api_key=K', authorization: 'Bearer T' }, 'bearer T'],
      [
        'a cookie with some blanks around its name',
        '',
        { cookie: `a=b;${' '.repeat(60)}api_key${' '.repeat(60)}=K` },
        'api_key K by cookie',
      ],
      ['a cookie where the header holds none', '', { ...basic('X:'), cookie: 'session=S' }, 'token S by cookie'],
      ['Basic, which is for the sink only', '', basic('K:'), undefined],
      ['a Bearer header without a token', '', { authorization: 'Bearer' }, undefined],
    ]
  for (const [what, query, headers, expected] of table)
    it(`is found in ${what}`, () => {
      const found = findCredential(request(query, headers))
      const shown = found && `${found.kind} ${found.secret}${found.byCookie ? ' by cookie' : ''}`
      assert.equal(shown, expected)
    })

  it('is looked for among many blanks in no more steps than among few', async () => {
    const calls = [1000, 60_000].map((blanks) => [`session${' '.repeat(blanks)}api_key`, 'api_key'])
    const [few, many] = await countSteps(
      new URL('../../src/access/credential.ts', import.meta.url),
      'cookieValue',
      calls,
    )
    assert.equal(many, few)
  })

  it('may be either half of Basic for the sink, alone, and yields to URL and cookie', () => {
    for (const [query, headers, expected] of [
      ['', basic('K:'), 'K'],
      ['', basic(':K'), 'K'],
      ['', basic('K'), 'K'],
      ['api_key=U', basic('K:'), 'U'],
      ['', { ...basic('K:'), cookie: 'api_key=C' }, 'C'],
      ['', basic(':'), undefined],
      ['session=S', { authorization: 'Bearer T' }, undefined],
    ] as const)
      assert.equal(findSinkCredential(request(query, headers))?.secret, expected)
    assert.throws(() => findSinkCredential(request('', basic('K:L'))), { code: 'unauthorized' })
  })

  it('comes with an organization by URL, then cookie', () => {
    assert.equal(findOrganizationUid(request('org=U', { cookie: 'org=C' })), 'U')
    assert.equal(findOrganizationUid(request('', { cookie: 'api_key=K;org=C' })), 'C')
    assert.equal(findOrganizationUid(request('org=', {})), undefined)
  })

  it('is not contradicted by an org cookie when the key is in the URL, but is when it is in a cookie', () => {
    const organizationOf = (query: string, cookie: string) => {
      const asked = request(query, { cookie })
      return findOrganizationUid(asked, findCredential(asked))
    }
    assert.equal(organizationOf('api_key=K', 'org=C'), undefined)
    assert.equal(organizationOf('api_key=K&org=U', 'org=C'), 'U')
    assert.equal(organizationOf('', 'api_key=K;org=C'), 'C')
    assert.equal(organizationOf('session=S', 'org=C'), 'C')
  })

  it('is read from cookies as devices write them', () => {
    assert.equal(cookieValue('a=1; b = "two" ;c', 'b'), 'two')
    assert.equal(cookieValue('b=1;b=2', 'b'), '1')
    assert.equal(cookieValue('xb=1', 'b'), undefined)
    assert.equal(cookieValue('b=a=b==', 'b'), 'a=b==')
  })
})
