// Nobody stops everybody: whatever a stranger sends, others have their turn. A server as users run it, and the longest
// pause of its event loop (nodejs_eventloop_lag_max_seconds of /metrics, which begins anew with every look) under each
// hostile input that was ever found to freeze it, and its like; as a multiple of the pause under the largest upload that
// is plain and allowed.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { serverApiKey, startServer } from '../support/server-process.ts'

const megabyte = 1024 * 1024
/** What an address and its headers have room for. */
const mostHead = 60_000
const ownerPassword = 'password of the owner'

/** How many pauses of the largest plain upload a hostile input may take. What was found took hundreds. */
const mostPauses = 6

/** A server that does not answer by then is taken for frozen, and another one started. */
const mostWaitMs = 60_000

type Hostile = { readonly title: string; readonly send: () => Promise<Response> }

describe('the event loop', function () {
  this.timeout(300_000)
  let database: TestDatabase
  let directory: string
  let server: ServerProcess
  let session: string
  let organization: string
  let sinkKey: string
  let plainPause = 0

  const key = `api_key=${serverApiKey}`
  const ask = (method: string, path: string, body?: RequestInit['body'], headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(mostWaitMs),
      ...(body === undefined || body === null ? {} : { body }),
    })
  const json = { 'Content-Type': 'application/json' }
  const own = (method: string, path: string, body?: unknown) =>
    ask(method, `${path}${path.includes('?') ? '&' : '?'}session=${session}`, JSON.stringify(body), json)
  const put = (query: string, body?: RequestInit['body'], headers?: Record<string, string>) =>
    ask('PUT', `/api/feed?${key}&${query}`, body, headers)
  const get = (path: string, headers?: Record<string, string>) =>
    ask('GET', `${path}${path.includes('?') ? '&' : '?'}${key}`, undefined, headers)
  let asked = 0
  /** Never the same text: what was compiled once is remembered. */
  const script = (text: string) => own('POST', '/api/gql', { s: `${text} -- ${++asked}` })
  const sink = (endpoint: string, body: RequestInit['body'], headers?: Record<string, string>) =>
    ask('POST', `/api/conn_sink/${organization}/${endpoint}?api_key=${sinkKey}`, body, headers)

  const sinkScripts: Readonly<Record<string, string>> = {
    json: "SELECT a FROM JSON_TABLE(@HTTP_BODY) WITH (a LONG '$.a', b DOUBLE '$.b', c BOOLEAN '$.c')",
    rows: "SELECT a, b FROM JSON_TABLE(@HTTP_BODY) WITH (a STRING '$.list[*].a', b LONG '$.list[*].b')",
    below: "SELECT a FROM JSON_TABLE(@HTTP_BODY) WITH (a STRING '$..a')",
    csv: 'SELECT a FROM CSV_TABLE(@HTTP_BODY) WITH (1 a LONG, 2 b DOUBLE, 3 c BOOLEAN)',
    lines: "SELECT a FROM CSV_TABLE(@HTTP_BODY, FALSE, '''''''') WITH (1 a STRING)",
    pattern: 'SELECT TOEPOCHMILLIS(@HTTP_BODY, @HTTP_BODY), dtFormatter(0, @HTTP_BODY)',
    path: "SELECT JSON_Value('{}', @HTTP_BODY)",
    replace: "SELECT ReplaceAll('aaa', 'a', @HTTP_BODY)",
    expression: "SELECT ReplaceAll(@HTTP_BODY, '(a+)+b', 'c')",
    zone: 'SELECT Year(0, @HTTP_BODY)',
    search: "SELECT IndexOf(@HTTP_BODY, 'b' + Left(@HTTP_BODY, 100000)), Contains(@HTTP_BODY, @HTTP_QUERY_STRING)",
    fields: 'SELECT parseCsv(@HTTP_BODY, 100000)',
    number: 'SELECT Try_Cast(@HTTP_BODY AS LONG), Try_Cast(@HTTP_BODY AS DOUBLE), Try_Cast(@HTTP_BODY AS BOOLEAN)',
  }

  const start = async () => {
    server = await startServer({
      DATA_DIR: directory,
      DATABASE_URL: database.url,
      OWNER_EMAIL: 'owner@example.org',
      OWNER_PASSWORD: ownerPassword,
    })
  }
  const startAgain = async () => {
    await server.end('SIGKILL')
    await start()
    await warmUp()
  }

  before(async () => {
    database = await openTestDatabase()
    directory = await mkdtemp(join(tmpdir(), 'coppice-loop-'))
    await start()
    const login = await ask(
      'POST',
      '/api/login',
      JSON.stringify({ email: 'owner@example.org', password: ownerPassword }),
      json,
    )
    const signedIn = (await login.json()) as {
      sessionUid: string
      userUid: string
      organization: readonly [{ uid: string }]
    }
    session = signedIn.sessionUid
    organization = signedIn.organization[0].uid
    const made = await own('POST', '/api/api_key', {
      name: 'sink',
      capabilities: [{ resource: 'connector/*/sink', methods: ['POST'] }],
    })
    sinkKey = ((await made.json()) as { api_key: { secret: string } }).api_key.secret
    for (const [endpoint, sql] of Object.entries(sinkScripts)) {
      const connector = { name: endpoint, endpoint, sql, runAsUserUid: signedIn.userUid, timeZone: 'UTC' }
      const reply = await own('POST', '/api/connector', connector)
      assert.equal(reply.status, 201, await reply.text())
    }
    const stream = [
      { id: 'long', valueType: 'LONG' },
      { id: 'double', valueType: 'DOUBLE' },
      { id: 'boolean', valueType: 'BOOLEAN' },
      { id: 'text', valueType: 'STRING' },
    ]
    assert.equal((await own('POST', '/api/component', { id: 'C', stream })).status, 201)
    assert.equal((await ask('PUT', `/api/comp/C/stream/file/feed/file/a.txt?${key}`, 'contents')).status, 200)
    await warmUp()
    const plain = `[${Array.from({ length: 100_000 }, (_, n) => `{"compId":"C","streamId":"double","data":${n / 8},"time":${n}}`).join()}]`
    const pauses: number[] = []
    for (let round = 0; round < 5; round += 1)
      pauses.push(
        await pauseUnder(async () => {
          const reply = await put('', plain)
          assert.equal(reply.status, 200)
          return reply
        }),
      )
    plainPause = pauses.toSorted((a, b) => a - b)[2]!
  })
  after(async () => {
    await server?.end('SIGTERM')
    await rm(directory, { recursive: true, force: true })
    await database?.drop()
  })

  /** Code that runs for the first time is compiled: that is no stranger's doing. */
  const warmUp = async () => {
    for (const [endpoint] of Object.entries(sinkScripts)) await (await sink(endpoint, '{}')).text()
    for (let round = 0; round < 20; round += 1) await (await script(`SELECT ${round} + 1 AS a ORDER BY a`)).text()
    await (await put('compId=C&long=1&time=5')).text()
  }

  const longestPause = async (): Promise<number> => {
    const text = await (await ask('GET', '/metrics')).text()
    return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)![1])
  }
  const pauseUnder = async (send: () => Promise<Response>): Promise<number> => {
    await longestPause()
    await pause(30)
    const reply = await send()
    await reply.arrayBuffer()
    assert.notEqual(reply.status, 500)
    // The pause that is going on is counted when it is over.
    await pause(30)
    return longestPause()
  }

  const head = (text: string) => text.repeat(Math.floor(mostHead / text.length))
  const long = (text: string, bytes = 15 * megabyte) => text.repeat(Math.floor(bytes / text.length))
  /** As much as a script may have, with a number in each part. */
  const parts = (before: string, part: (n: number) => string, after = '', between = ',') => {
    let text = before + part(0)
    for (let n = 1; text.length < 64_000 - after.length; n += 1) text += between + part(n)
    return text + after
  }
  const element = (data: string) => `[{"compId":"C","streamId":"long","data":${data},"time":5}]`
  const oneAfter = (zeros: number) => `1${'0'.repeat(zeros)}1`

  const numbers: readonly Hostile[] = [
    { title: 'a LONG of 65,000 characters in JSON', send: () => put('', element(`"${oneAfter(65_000)}"`)) },
    {
      title: 'a LONG of 30,000 characters in the address',
      send: () => put(`compId=C&long=${oneAfter(30_000)}&time=5`),
    },
    {
      title: 'thousands of LONGs of 1,000 characters',
      send: () =>
        put('', `[${`${element(`"${oneAfter(1000)}"`).slice(1, -1)},`.repeat(9999)}${element('1').slice(1, -1)}]`),
    },
    { title: 'a DOUBLE of 30,000 digits and no end', send: () => put(`compId=C&double=${'1'.repeat(30_000)}x`) },
    { title: 'a new stream of 30,000 blanks', send: () => put(`compId=New&new=${'+'.repeat(30_000)}x`) },
    { title: 'an integer of 15 MB in JSON', send: () => put('', element(long('9'))) },
    { title: 'a fraction of 15 MB in JSON', send: () => put('', element(`0.${long('1')}`)) },
    { title: 'a million integers beyond 2^53', send: () => put('', `[${long('9007199254740993,')}1]`) },
    { title: 'a time of 50,000 digits', send: () => put(`compId=C&long=1&time=${'1'.repeat(50_000)}`) },
    {
      title: 'a time of megabytes in JSON',
      send: () => put('', `[{"compId":"C","streamId":"long","data":1,"time":"${long('1')}"}]`),
    },
    { title: 'a limit of 50,000 digits', send: () => get(`/api/comp/C/feed?limit=${'1'.repeat(50_000)}`) },
    { title: 'a number text of 15 MB in CSV', send: () => sink('csv', `${long('1')}x`) },
    {
      title: 'number texts of 1,000 characters in CSV',
      send: () => sink('csv', long(`${oneAfter(1000)},${'1'.repeat(1000)}\n`)),
    },
    { title: 'a number text of 15 MB in JSON of a sink', send: () => sink('json', `{"a":"${long('1')}x"}`) },
    { title: 'a whole number of 15 MB in JSON of a sink', send: () => sink('json', `{"a":${long('1')}}`) },
    {
      title: 'whole numbers of 300 digits in JSON of a sink',
      send: () => sink('rows', `{"list":[${long(`{"b":${'1'.repeat(300)}},`)}{}]}`),
    },
    { title: 'a number text of 15 MB that Postgres reads', send: () => sink('number', `${long('1')}x`) },
    { title: 'a whole number of 60,000 digits in a script', send: () => script(`SELECT ${'1'.repeat(60_000)}`) },
    { title: 'a decimal number of 60,000 digits in a script', send: () => script(`SELECT 0.${'1'.repeat(60_000)}`) },
  ]

  const addresses: readonly Hostile[] = [
    { title: 'an address of &', send: () => put(head('&')) },
    { title: 'an address of & and =', send: () => put(head('&=')) },
    { title: 'an address of parameters', send: () => put(`compId=C&${head('a=1&')}`) },
    {
      title: 'an address of different parameters',
      send: () => put(`compId=C&time=5&${Array.from({ length: 8000 }, (_, n) => `a${n}`).join('=&')}`),
    },
    { title: 'an address of %', send: () => put(head('%')) },
    { title: 'an address of escapes', send: () => put(`compId=${head('%41')}`) },
    { title: 'an address of slashes', send: () => get(`/api/${head('/')}x`) },
    {
      title: 'an address of rsid',
      send: () => put(`compId=C&long=1&time=5&${Array.from({ length: 5000 }, () => 'rsid=long').join('&')}`),
    },
    {
      title: 'an address of different rsid',
      send: () => put(`compId=C&long=1&time=5&${Array.from({ length: 900 }, (_, n) => `rsid=r${n}`).join('&')}`),
    },
    { title: 'an address of empty values', send: () => put(`compId=C&text=${head(',')}&freq=1`) },
    { title: 'a long delimiter', send: () => put(`compId=C&text=${head('a')}&delim=aaaaaaab&freq=1`) },
    { title: 'a folder of slashes', send: () => put(`compId=F&a=1&folder=/Components${head('/a')}`) },
    { title: 'a search of a list', send: () => own('GET', `/api/component?text=${head('%25_')}`) },
    { title: 'credentials over and over', send: () => ask('GET', `/api/comp/C/feed?${head('session=x&')}`) },
  ]

  const headers: readonly Hostile[] = [
    {
      title: 'a Range of blanks',
      send: () => get('/api/comp/C/stream/file/feed/file/a.txt', { Range: `bytes =${' '.repeat(mostHead)}x` }),
    },
    {
      title: 'a Range of ranges',
      send: () => get('/api/comp/C/stream/file/feed/file/a.txt', { Range: `bytes=${head('0-1,')}` }),
    },
    {
      title: 'an If-None-Match of commas',
      send: () => get('/api/comp/C/stream/file/feed/file/a.txt', { 'If-None-Match': head(' ,') }),
    },
    {
      title: 'an If-Modified-Since of digits',
      send: () => get('/api/comp/C/stream/file/feed/file/a.txt', { 'If-Modified-Since': head('1 ') }),
    },
    {
      title: 'an If-Range of words',
      send: () => get('/api/comp/C/stream/file/feed/file/a.txt', { Range: 'bytes=0-1', 'If-Range': head('Mon ') }),
    },
    {
      title: 'an Accept of types',
      send: () => ask('GET', `/api/gql?s=SELECT+1&session=${session}`, undefined, { Accept: head('a/b;q=0.1,') }),
    },
    {
      title: 'an Accept of parameters',
      send: () => ask('GET', `/api/gql?s=SELECT+1&session=${session}`, undefined, { Accept: `a/b${head(';a="')}` }),
    },
    { title: 'cookies', send: () => get('/api/comp/C/feed', { Cookie: head('a=b; ') }) },
    { title: 'cookies without a value', send: () => ask('GET', '/api/comp/C/feed', undefined, { Cookie: head('; ') }) },
    {
      title: 'a Bearer of blanks',
      send: () => ask('GET', '/api/comp/C/feed', undefined, { Authorization: `Bearer ${' '.repeat(mostHead)}x y` }),
    },
    {
      title: 'a Basic of blanks',
      send: () =>
        ask('POST', `/api/conn_sink/${organization}/json`, 'x', {
          Authorization: `Basic ${'a'.repeat(mostHead / 2)}${' '.repeat(mostHead / 2)}!`,
        }),
    },
    {
      title: 'an X-Forwarded-For of commas',
      send: () => put('compId=C&long=1&time=5', undefined, { 'X-Forwarded-For': head('1,') }),
    },
    {
      title: 'a Content-Type of semicolons',
      send: () => sink('json', '{}', { 'Content-Type': `text/plain${head('; ')}` }),
    },
    {
      title: 'a Content-Type of charsets',
      send: () => sink('json', '{}', { 'Content-Type': `text/plain${head(';charset ')}` }),
    },
    {
      title: 'a form whose Content-Type has parameters',
      send: () =>
        ask('PUT', `/api/comp/C/stream/file/feed/file/b?${key}`, 'x', {
          'Content-Type': `multipart/form-data${head('; a="\\"b"')}`,
        }),
    },
    {
      title: 'a file whose Content-Type is long',
      send: () =>
        ask('PUT', `/api/comp/C/stream/file/feed/file/b?${key}`, 'x', {
          'Content-Type': `a/b${' '.repeat(mostHead)};`,
        }),
    },
    {
      title: 'a Content-Disposition of words',
      send: () => get('/api/comp/C/stream/file/feed/file/a.txt', { 'Content-Disposition': head('inline ') }),
    },
    { title: 'a Content-Encoding of encodings', send: () => put('', '[]', { 'Content-Encoding': head('gzip,') }) },
  ]

  const form = (heading: string, contents: string) => () =>
    ask('PUT', `/api/comp/C/stream/file/feed/file/b?${key}`, `--b\r\n${heading}\r\n\r\n${contents}\r\n--b--`, {
      'Content-Type': 'multipart/form-data; boundary=b',
    })
  const bodies: readonly Hostile[] = [
    { title: '15 MB of [', send: () => put('', long('[')) },
    { title: '15 MB of quotes', send: () => put('', long('"')) },
    { title: '15 MB of backslashes in a text', send: () => put('', `["${long('\\')}`) },
    { title: '15 MB of blanks', send: () => put('', long(' ')) },
    { title: '15 MB of empty objects', send: () => put('', `[${long('{},')}{}]`) },
    {
      title: 'a bomb of 60 MB',
      send: () => put('', gzipSync(Buffer.alloc(60 * megabyte, ' ')), { 'Content-Encoding': 'gzip' }),
    },
    {
      title: 'a bomb of 60 MB for a sink',
      send: () => sink('json', gzipSync(Buffer.alloc(60 * megabyte, ' ')), { 'Content-Encoding': 'gzip' }),
    },
    {
      title: 'nesting for the management API',
      send: () =>
        ask('POST', `/api/component?session=${session}`, `{"id":${'['.repeat(400_000)}${']'.repeat(400_000)}}`, json),
    },
    {
      title: 'a form of & for the management API',
      send: () =>
        ask('POST', `/api/gql?session=${session}`, '&a'.repeat(400_000), {
          'Content-Type': 'application/x-www-form-urlencoded',
        }),
    },
    {
      title: 'a form of brackets for the management API',
      send: () =>
        ask('POST', `/api/gql?session=${session}`, `s${'[a]'.repeat(300_000)}=1`, {
          'Content-Type': 'application/x-www-form-urlencoded',
        }),
    },
    { title: 'a name of blanks', send: () => own('POST', '/api/component', { id: 'x', name: ' '.repeat(900_000) }) },
    { title: 'an e-mail of @', send: () => own('POST', '/api/user', { email: '@'.repeat(900_000), role: 'guest' }) },
    {
      title: 'a domain of hyphens',
      send: () => own('PUT', `/api/organization/${organization}`, { brand: { domain: 'a-'.repeat(400_000) } }),
    },
    {
      title: 'a number format of #',
      send: () => own('POST', '/api/unit', { id: 'u', numberFormat: '#,'.repeat(400_000) }),
    },
    {
      title: 'a reference of digits',
      send: () => own('POST', '/api/cycle', { id: 'c', size: 1, unit: 'day', reference: '1'.repeat(900_000) }),
    },
    {
      title: 'a resource of slashes',
      send: () =>
        own('POST', '/api/api_key', { name: 'k', capabilities: [{ resource: '/'.repeat(900_000), methods: [] }] }),
    },
    {
      title: 'a thousand rows of capabilities',
      send: () =>
        own('POST', '/api/api_key', {
          name: 'k',
          capabilities: Array.from({ length: 1000 }, (_, n) => ({ resource: `component/${n}/feed`, methods: ['GET'] })),
        }),
    },
    {
      title: 'a redirect of letters',
      send: () => own('POST', '/api/oauth_client', { name: 'o', redirectUris: [`https://${'a'.repeat(900_000)}`] }),
    },
    {
      title: 'a sign-in of @',
      send: () => ask('POST', '/api/login', JSON.stringify({ email: '@'.repeat(60_000), password: 'x' }), json),
    },
    { title: 'a token request of &', send: () => ask('POST', '/api/oauth_access_token', '&a'.repeat(30_000)) },
    {
      title: 'a token request of different fields',
      send: () => ask('POST', '/api/oauth_access_token', Array.from({ length: 6000 }, (_, n) => `f${n}=`).join('&')),
    },
    {
      title: 'a heading of semicolons in a form',
      send: form(`Content-Disposition: form-data${'; '.repeat(8000)}`, 'x'),
    },
    {
      title: 'a heading of quotes in a form',
      send: form(`Content-Disposition: form-data; name="${'\\"'.repeat(7000)}`, 'x'),
    },
    { title: 'almost boundaries in a form', send: form('Content-Disposition: form-data; name="file"', long('\r\n--')) },
    {
      title: 'blanks behind boundaries in a form',
      send: form('Content-Disposition: form-data; name="file"', long(`\r\n--b${' '.repeat(99)}x`)),
    },
  ]

  const texts: readonly Hostile[] = [
    { title: 'CSV of quotes', send: () => sink('csv', long('"')) },
    { title: 'CSV of pairs of quotes and no end', send: () => sink('lines', `"${long('""')}`) },
    { title: 'CSV of delimiters', send: () => sink('csv', long(',')) },
    { title: 'CSV of blank lines', send: () => sink('csv', long(' \n')) },
    { title: 'CSV of one line of blanks', send: () => sink('csv', `${long(' ')}"`) },
    { title: 'CSV of strange delimiters', send: () => sink('lines', long("''x")) },
    { title: 'fields of quotes', send: () => sink('fields', long('"a",', megabyte)) },
    { title: 'JSON of [', send: () => sink('json', long('[')) },
    {
      title: 'JSON of nesting that is allowed',
      send: () => sink('below', `${'{"a":'.repeat(400)}[${long('[],', megabyte)}1]${'}'.repeat(400)}`),
    },
    { title: 'JSON of rows', send: () => sink('rows', `{"list":[${long('{"a":"x","b":1},', 4 * megabyte)}{}]}`) },
    { title: 'JSON of backslashes', send: () => sink('json', `{"a":"${long('\\\\')}`) },
    { title: 'JSON of blanks', send: () => sink('json', `{${long(' ')}`) },
    { title: 'JSON of blanks and a long number', send: () => sink('json', `[1234567890123456789,${long(' ')}`) },
    { title: 'JSON of a word of 15 MB as BOOLEAN', send: () => sink('json', `{"c":"${long(' ')}"}`) },
    {
      title: 'Chinese by its charset',
      send: () =>
        sink('json', Buffer.alloc(15 * megabyte, '95328236', 'hex'), { 'Content-Type': 'text/plain; charset=gb18030' }),
    },
    {
      title: 'euro signs by their charset',
      send: () =>
        sink('json', Buffer.alloc(15 * megabyte, 0x80), { 'Content-Type': 'text/plain; charset=windows-1252' }),
    },
    { title: 'a date pattern of quotes', send: () => sink('pattern', long("'")) },
    { title: 'a date pattern of letters', send: () => sink('pattern', long('y')) },
    { title: 'a date pattern of brackets', send: () => sink('pattern', long('[')) },
    { title: 'a JSON path of dots', send: () => sink('path', `$${long('.a')}`) },
    { title: 'a JSON path of a filter', send: () => sink('path', `$[?(${long('(')}`) },
    { title: 'a replacement of signs', send: () => sink('replace', long('$1')) },
    { title: 'a text for a regular expression', send: () => sink('expression', long('a', megabyte)) },
    { title: 'a zone of letters', send: () => sink('zone', long('A')) },
    { title: 'a text to be looked for', send: () => sink('search', long('a')) },
  ]

  const scripts: readonly Hostile[] = [
    {
      title: 'ORDER BY of terms',
      send: () => script(parts('SELECT a FROM (SELECT 1 AS a) x ORDER BY ', (n) => `a+${n}`)),
    },
    {
      title: 'GROUP BY of terms',
      send: () => script(parts('SELECT 1 FROM (SELECT 1 AS a) x GROUP BY ', (n) => `a+${n}`)),
    },
    { title: 'columns', send: () => script(parts('SELECT ', (n) => `${n} AS a${n}`)) },
    {
      title: 'columns of columns',
      send: () => script(parts('SELECT * FROM (SELECT ', (n) => `1 AS a${n}`, ') x')),
    },
    {
      title: 'a name that is in no list',
      send: () => script(parts('SELECT b FROM (SELECT ', (n) => `1 AS a${n}`, ') x')),
    },
    {
      title: 'a name of 30 KB beside one of 30 KB',
      send: () => script(`SELECT ${'a'.repeat(30_000)} FROM (SELECT 1 AS ${'b'.repeat(30_000)}) x`),
    },
    { title: 'a list of IN', send: () => script(parts('SELECT 1 IN (', (n) => `${n}`, ')')) },
    {
      title: 'a list of VALUES',
      send: () =>
        script(
          parts('INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES ', (n) => `('C','long',${n},1)`).replace(
            'INSERT',
            'INSERT',
          ),
        ),
    },
    { title: 'a chain of OR', send: () => script(parts('SELECT ', (n) => `1=${n}`, '', ' OR ')) },
    { title: 'a chain of +', send: () => script(parts('SELECT ', (n) => `${n}`, '', '+')) },
    { title: 'a chain of minus signs', send: () => script(`SELECT ${'- '.repeat(30_000)}1`) },
    { title: 'a chain of NOT', send: () => script(`SELECT ${'NOT '.repeat(15_000)}1`) },
    {
      title: 'a chain of common tables',
      send: () =>
        script(parts('WITH t0 AS (SELECT 1 AS a), ', (n) => `t${n + 1} AS (SELECT a FROM t${n})`, ' SELECT 1 FROM t1')),
    },
    {
      title: 'common tables that double',
      send: () =>
        script(
          `WITH t0 AS (SELECT 1 AS a)${Array.from({ length: 300 }, (_, n) => `, t${n + 1} AS (SELECT x.a FROM t${n} x, t${n} y)`).join('')} SELECT a FROM t300`,
        ),
    },
    { title: 'UNION ALL', send: () => script(parts('', () => 'SELECT 1', '', ' UNION ALL ')) },
    { title: 'joins', send: () => script(parts('SELECT 1 FROM ', (n) => `(SELECT 1 AS a) t${n}`)) },
    { title: 'statements', send: () => script(parts('', () => 'SELECT 1', '', ';')) },
    { title: 'variables', send: () => script(parts('SET @a = 1; ', (n) => `SET @a${n} = @a + ${n}`, '', ';')) },
    { title: 'parentheses', send: () => script(`SELECT ${'('.repeat(30_000)}1${')'.repeat(30_000)}`) },
    { title: 'parentheses that are not closed', send: () => script(`SELECT ${'('.repeat(60_000)}`) },
    { title: 'queries inside queries', send: () => script(`${'SELECT (SELECT '.repeat(3000)}1${')'.repeat(3000)}`) },
    {
      title: 'queries from queries',
      send: () => script(`${'SELECT * FROM ('.repeat(3000)}SELECT 1${') x'.repeat(3000)}`),
    },
    {
      title: 'CASE inside CASE',
      send: () => script(`SELECT ${'CASE WHEN 1 THEN '.repeat(2000)}1${' END'.repeat(2000)}`),
    },
    {
      title: 'CASE of branches',
      send: () => script(parts('SELECT CASE ', (n) => `WHEN 1=${n} THEN ${n}`, ' END', ' ')),
    },
    { title: 'arguments', send: () => script(parts('SELECT Concat(', (n) => `'${n}'`, ')')) },
    { title: 'arguments of Greatest', send: () => script(parts('SELECT Greatest(', (n) => `${n}`, ')')) },
    { title: 'calls inside calls', send: () => script(`SELECT ${'Lower('.repeat(9000)}'a'${')'.repeat(9000)}`) },
    { title: 'comments', send: () => script(`SELECT 1 ${'/* */'.repeat(12_000)}`) },
    { title: 'a comment that is not closed', send: () => script(`SELECT 1 /*${'/*'.repeat(30_000)}`) },
    { title: 'quotes', send: () => script(`SELECT '${"''".repeat(30_000)}`) },
    { title: 'quotes that are not closed', send: () => script(`SELECT ${"'".repeat(60_001)}`) },
    { title: 'dots', send: () => script(`SELECT a${'.a'.repeat(30_000)}`) },
    { title: 'signs', send: () => script(`SELECT ${'?'.repeat(60_000)}`) },
    { title: 'blanks', send: () => script(`SELECT ${' '.repeat(60_000)}`) },
    {
      title: 'JSON paths',
      send: () =>
        script(parts("SELECT 1 FROM JSON_TABLE('{}') WITH (", (n) => `a${n} STRING '$${'.a'.repeat(100)}'`, ')')),
    },
    {
      title: 'JSON paths of unions',
      send: () =>
        script(parts("SELECT 1 FROM JSON_TABLE('{}') WITH (", (n) => `a${n} STRING '$[${'0,'.repeat(480)}0]'`, ')')),
    },
    {
      title: 'JSON columns',
      send: () => script(parts("SELECT 1 FROM JSON_TABLE('{}') WITH (", (n) => `a${n} STRING '$.a'`, ')')),
    },
    {
      title: 'JSON paths of branches',
      send: () =>
        script(
          parts(
            `SELECT a0 FROM JSON_TABLE('{"a":[${'1,'.repeat(10_000)}1]}') WITH (`,
            (n) => `a${n} STRING '$.a[*]'`,
            ')',
          ),
        ),
    },
    {
      title: 'CSV columns',
      send: () => script(parts("SELECT 1 FROM CSV_TABLE('a') WITH (", (n) => `${n + 1} a${n} STRING`, ')')),
    },
    { title: 'a CSV column far away', send: () => script("SELECT a FROM CSV_TABLE('a') WITH (999999999 a STRING)") },
    { title: 'date patterns', send: () => script(parts('SELECT ', () => `dtFormatter(0, '${'yyyy-MM'.repeat(25)}')`)) },
    {
      title: 'regular expressions',
      send: () => script(parts('SELECT ', () => `ReplaceAll('a', '${'(a|b)*'.repeat(100)}', 'x')`)),
    },
    {
      title: 'samples of streams',
      send: () => script(parts('SELECT ', () => "sample(Range(last=1), cycleId='day', stat='max')", ' FROM Stream')),
    },
    { title: 'LIKE patterns', send: () => script(`SELECT '${'a'.repeat(30_000)}' LIKE '${'%a'.repeat(15_000)}b'`) },
    { title: 'a script that is too long', send: () => script('SELECT 1;'.repeat(100_000)) },
    {
      title: 'JSON_TABLE 25 times over one text',
      send: () =>
        own('POST', '/api/connector/test', {
          sql: Array.from(
            { length: 25 },
            (_, n) =>
              `INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'C', 'text', ${n}, v FROM JSON_TABLE(@HTTP_BODY) WITH (v STRING '$.list[*].v');`,
          ).join('\n'),
          variables: { HTTP_BODY: `{"list":[${long('{"v":"x"},', 900_000)}{}]}` },
        }),
    },
  ]

  for (const [group, inputs] of Object.entries({ numbers, addresses, headers, bodies, texts, scripts }))
    describe(`under hostile ${group}`, () => {
      for (const { title, send } of inputs)
        it(`pauses no longer than under a plain upload: ${title}`, async () => {
          // A busy machine makes pauses of its own, but not three times for the same.
          let shortest = Number.POSITIVE_INFINITY
          for (let round = 0; round < 3 && shortest > plainPause * mostPauses; round += 1)
            shortest = Math.min(
              shortest,
              await pauseUnder(send).catch(async (error: unknown) => {
                await startAgain()
                throw error
              }),
            )
          assert.ok(server.isRunning())
          assert.ok(shortest <= plainPause * mostPauses, `${shortest} s, a plain upload ${plainPause} s`)
        })
    })
})
