// Names that JavaScript's objects know (constructor, toString, __proto__ …; in the long form all of them), in every place
// where a stranger's word is looked up: each is answered as a word that nobody has heard of is, and nothing of the
// program shows.
import assert from 'node:assert/strict'
import { addressRange } from '../../src/base/config.ts'
import { openEmptyDatabase } from '../support/database.ts'
import { clientWith } from '../support/http.ts'
import { addConnection } from '../support/import.ts'
import { publish } from '../support/mqtt.ts'
import { loopback } from '../support/outbound.ts'
import { addApiKey, addMember, addSession, addUser } from '../support/people.ts'
import type { TestReply, TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { shortOrLong } from '../support/soak.ts'

const names = shortOrLong(
  ['constructor', 'toString', '__proto__', 'prototype', 'hasOwnProperty'],
  [...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'caller', 'arguments'],
)
/** A word that nobody knows, of the same length: some places know words up to a length. */
const unheardOf = (name: string) => 'zqxjkvb'.repeat(4).slice(0, name.length)

const formType = 'application/x-www-form-urlencoded'

describe('words that JavaScript knows, from strangers', function () {
  let service: TestService
  let external: Awaited<ReturnType<typeof openEmptyDatabase>>
  let session: string
  let sinkKey: string
  before(async () => {
    external = await openEmptyDatabase()
    service = await openTestService({ mqttPort: 0, outboundAllow: loopback.map(addressRange) })
    const user = await addUser(service.sql, 'words@example.org')
    await addMember(service.sql, service.organizationUid, user, 'owner')
    session = await addSession(service.sql, user)
    const sink = [{ resource: 'connector/*/sink', methods: ['GET', 'PUT', 'POST', 'DELETE'] as const }]
    sinkKey = (await addApiKey(service.sql, service.organizationUid, sink)).secret
    const owner = clientWith(service, `session=${session}`)
    const script = "INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'Sunk', 'body', 5, @HTTP_BODY"
    const connector = { name: 'c', endpoint: 'sink', runAsUserUid: user.uid, sql: script }
    assert.equal((await owner('POST', '/api/connector', connector)).status, 201)
    assert.equal((await service.put('/api/feed?compId=C&temp=1&time=5')).status, 200)
    const file = await service.put('/api/comp/C/stream/file/feed/file/a.txt', 'contents')
    assert.equal(file.status, 200)
  })
  after(async () => {
    await service?.close()
    await external?.drop()
  })

  type Place = (word: string) => Promise<TestReply>

  const get = (path: (word: string) => string, headers?: (word: string) => Record<string, string>): Place => {
    const withSession = (target: string) => `${target}${target.includes('?') ? '&' : '?'}session=${session}`
    return (word) => service.request('GET', withSession(path(word)), headers ? { headers: headers(word) } : {})
  }
  const send = (method: string, path: (word: string) => string, body?: (word: string) => string): Place => {
    const withSession = (target: string) => `${target}${target.includes('?') ? '&' : '?'}session=${session}`
    const headers = (text: string) => ({ 'Content-Type': /^[[{]/.test(text) ? 'application/json' : formType })
    return (word) => {
      const text = body?.(word)
      const init = text === undefined ? {} : { body: text, headers: headers(text) }
      return service.request(method, withSession(path(word)), init)
    }
  }
  const put = (query: (word: string) => string, body?: (word: string) => string): Place =>
    send('PUT', (word) => `/api/feed?${query(word)}`, body)
  const post = (entity: string, body: (word: string) => string): Place => send('POST', () => `/api/${entity}`, body)
  const sunk =
    (headers: (word: string) => Record<string, string>, query: (word: string) => string = () => ''): Place =>
    (word) =>
      service.request('POST', `/api/conn_sink/${service.organizationUid}/sink?api_key=${sinkKey}${query(word)}`, {
        headers: headers(word),
        body: 'text',
      })
  const script = (text: (word: string) => string): Place =>
    send(
      'POST',
      () => '/api/gql',
      (word) => JSON.stringify({ s: text(word) }),
    )

  const multipart = (word: string) => {
    const form = new FormData()
    form.set(word, new Blob(['x']), 'a.txt')
    return service.request('PUT', `/api/comp/C/stream/file/feed/file/a.txt?session=${session}`, { body: form })
  }

  const imported = (body: (word: string) => string, query: (word: string) => string = () => ''): Place => {
    const type = (text: string) => (text.startsWith('{') ? 'application/x-ndjson' : 'text/csv')
    return (word) =>
      service.request('POST', `/api/import?session=${session}${query(word)}`, {
        body: body(word),
        headers: { 'Content-Type': type(body(word)) },
      })
  }
  const restored = (line: (word: string) => string) => imported(line, () => '&what=catalogue')
  /** A message by MQTT, answered by its code. */
  const told =
    (topic: (word: string) => string, payload: (word: string) => string = () => '1'): Place =>
    async (word) => {
      const login = { username: service.apiKey }
      const code = await publish(service.service.mqttPort!, login, topic(word), payload(word))
      return { status: 200, headers: new Headers(), text: `"code":"${code}"`, json: undefined }
    }

  const json = '{"a":[{"x":1}]}'
  const places: Readonly<Record<string, Readonly<Record<string, Place>>>> = {
    'as IDs of what is read': {
      component: get((word) => `/api/comp/${word}/feed`),
      'component property': get((word) => `/api/comp/${word}/property?name`),
      stream: get((word) => `/api/comp/C/stream/${word}/feed`),
      'stream of last_value': get((word) => `/api/comp/C/stream/${word}/last_value`),
      cycle: get((word) => `/api/comp/C/cycle/${word}/stat/avg/feed`),
      statistic: get((word) => `/api/comp/C/cycle/day/stat/${word}/feed`),
      'statistic of a stream': get((word) => `/api/comp/C/stream/temp/cycle/day/stat/${word}/last_value`),
      file: get((word) => `/api/comp/C/stream/file/feed/file/${word}`),
      endpoint: (word) =>
        service.request('POST', `/api/conn_sink/${service.organizationUid}/${word}?api_key=${sinkKey}`),
      organization: (word) => service.request('POST', `/api/conn_sink/${word}/sink?api_key=${sinkKey}`),
    },
    'as parameters': {
      'a name of a reading': get((word) => `/api/comp/C/feed?${word}`),
      'a name of a property reading': get((word) => `/api/comp/C/property?${word}`),
      limit: get((word) => `/api/comp/C/feed?limit=${word}`),
      sd: get((word) => `/api/comp/C/feed?sd=${word}&ed=5`),
      org: get((word) => `/api/comp/C/feed?org=${word}`),
      disposition: get((word) => `/api/comp/C/stream/file/feed/file/a.txt?disposition=${word}`),
      session: (word) => service.request('GET', `/api/comp/C/feed?session=${word}`),
      api_key: (word) => service.request('GET', `/api/comp/C/feed?api_key=${word}`),
    },
    'in uploads': {
      'a stream': put((word) => `compId=Made&${word}=1&time=5`),
      'a component': put((word) => `compId=${word}&temp=1&time=5`),
      'a value of a DOUBLE': put((word) => `compId=C&temp=${word}`),
      time: put((word) => `compId=C&temp=1&time=${word}`),
      freq: put((word) => `compId=C&temp=1,2&freq=${word}`),
      rsid: put((word) => `compId=C&temp=1&time=5&rsid=temp&${word}=1`),
      compTmplId: put((word) => `compId=New${word}&temp=1&compTmplId=${word}`),
      'dtId and dsId': put((word) => `compId=C&new${word}=1&dtId=${word}&dsId=${word}`),
      folder: put((word) => `compId=F&a=1&folder=${word}`),
      derMaxS: put((word) => `compId=C&temp=1&derMaxS=${word}`),
      autofillGapsWithNulls: put((word) => `compId=C&temp=1&time=5&autofillGapsWithNulls=${word}`),
      'a member of an element': put(
        () => '',
        (word) => `[{"compId":"C","streamId":"temp","data":1,"time":5,"${word}":1}]`,
      ),
      'the only members of an element': put(
        () => '',
        (word) => `[{"${word}":"C"}]`,
      ),
      'a member of the object form': put(
        () => '',
        (word) => `{"feed":{"${word}":[]}}`,
      ),
      'a field of a form': multipart,
    },
    'in imports': {
      'a column beside the others': imported((word) => `compId,streamId,time,data,${word}\nC,temp,5,1,x`),
      'a column before the others, in quotes': imported((word) => `"${word}",compId,streamId,time,data\nx,C,temp,5,1`),
      'a column in place of another': imported((word) => `compId,streamId,${word},data\nC,temp,5,1`),
      'a component in CSV': imported((word) => `compId,streamId,time,data\n${word},csv,5,1`),
      'a stream in CSV': imported((word) => `compId,streamId,time,data\n"C",${word},5,"1"`),
      'a time in CSV': imported((word) => `compId,streamId,time,data\nC,temp,${word},1`),
      'a component in NDJSON': imported((word) => `{"compId":"${word}","streamId":"json","time":5,"data":1}`),
      'a stream in NDJSON': imported((word) => `{"compId":"C","streamId":"${word}","time":5,"data":1}`),
      'a member in NDJSON': imported((word) => `{"compId":"C","streamId":"temp","time":5,"data":1,"${word}":1}`),
      'the only member in NDJSON': imported((word) => `{"${word}":"C"}`),
      'a kind of a catalogue': restored((word) => `{"${word}":{"id":"x"}}`),
      'a member of a catalogue': restored((word) => `{"unit":{"id":"restored","${word}":1}}`),
      'a uid of a catalogue': restored((word) => `{"stream":{"componentUid":"${word}","id":"s"}}`),
      importId: imported(
        () => 'compId,streamId,time,data\nC,temp,5,1',
        (word) => `&importId=${word}`,
      ),
      'what and format': imported(
        () => 'compId,streamId,time,data\nC,temp,5,1',
        (word) => `&what=${word}&format=${word}`,
      ),
    },
    'in MQTT': {
      'a component': told((word) => `${word}/mqtt`),
      'a stream': told((word) => `C/${word}`),
      'a stream of the form of the URL': told(
        () => 'C',
        (word) => `${word}=1`,
      ),
      'a member': told(
        () => 'C/temp',
        (word) => `{"time":5,"data":1,"${word}":1}`,
      ),
      'a topic of three': told((word) => `C/temp/${word}`),
    },
    'in headers': {
      'Accept of gql': get(
        () => '/api/gql?s=SELECT%201',
        (word) => ({ Accept: word }),
      ),
      'Content-Encoding': (word) =>
        service.put('/api/feed', '[]', {
          headers: { 'Content-Encoding': word, Authorization: `Bearer ${session}` },
        }),
      Authorization: (word) => service.get('/api/comp/C/feed', { headers: { Authorization: `${word} x` } }),
      cookie: (word) => service.get('/api/comp/C/feed', { headers: { Cookie: `${word}=x` } }),
      'a header of its own': get(
        () => '/api/comp/C/feed',
        (word) => ({ [word === '__proto__' ? 'x-proto' : word]: '1' }),
      ),
      'Content-Disposition': get(
        () => '/api/comp/C/stream/file/feed/file/a.txt',
        (word) => ({ 'Content-Disposition': word }),
      ),
      'charset of a sink': sunk((word) => ({ 'Content-Type': `text/plain; charset=${word}` })),
      'parameter of a Content-Type': sunk((word) => ({ 'Content-Type': `text/plain; ${word}=utf-8` })),
      'parameter of a sink': sunk(
        () => ({}),
        (word) => `&${word}=1`,
      ),
    },
    'in the management API': {
      'an entity': get((word) => `/api/${word}`),
      'a uid': get((word) => `/api/component/${word}`),
      'a filter': get((word) => `/api/component?${word}=x`),
      start: get((word) => `/api/component?start=${word}`),
      sort: get((word) => `/api/component?sort=${word}`),
      'sort, descending, behind another': get((word) => `/api/stream?sort=id,-${word}`),
      'a filter of streams': get((word) => `/api/stream?${word}=x`),
      'a value of a filter': get((word) => `/api/removal?entity=${word}`),
      'a member of a component': post('component', (word) => `{"id":"Fresh","${word}":1}`),
      'a member of a stream': post('component', (word) => `{"id":"Fresh","stream":[{"id":"s","${word}":1}]}`),
      'a member of a variable': post(
        'component',
        (word) => `{"id":"Fresh","stream":[{"id":"s","expression":"a","variables":[{"name":"a","${word}":1}]}]}`,
      ),
      'a kind of stream': post('component', (word) => `{"id":"Fresh","stream":[{"id":"s","kind":"${word}"}]}`),
      'a value type': post('component', (word) => `{"id":"Fresh","stream":[{"id":"s","valueType":"${word}"}]}`),
      'a base cycle': post(
        'component',
        (word) => `{"id":"Fresh","stream":[{"id":"s","kind":"interval","baseCycleId":"${word}"}]}`,
      ),
      'a time zone': post('component', (word) => `{"id":"Fresh","timeZone":"${word}"}`),
      'a unit of a cycle': post('cycle', (word) => `{"id":"c1","size":1,"unit":"${word}"}`),
      'a style of booleans': post('unit', (word) => `{"id":"u1","booleanStyle":"${word}"}`),
      'a place of the symbol': post('unit', (word) => `{"id":"u1","symbolLocation":"${word}"}`),
      'a number format': post('unit', (word) => `{"id":"u1","numberFormat":"${word}"}`),
      'a role': post('user', (word) => `{"email":"x@example.org","password":"long enough 1","role":"${word}"}`),
      'a resource': post('api_key', (word) => `{"name":"k","capabilities":[{"resource":"${word}","methods":["GET"]}]}`),
      'an entity of a resource': post(
        'api_key',
        (word) => `{"name":"k","capabilities":[{"resource":"${word}/*/feed","methods":["GET"]}]}`,
      ),
      'a part of a resource': post(
        'api_key',
        (word) => `{"name":"k","capabilities":[{"resource":"component/*/${word}","methods":["GET"]}]}`,
      ),
      'a method': post('api_key', (word) => `{"name":"k","capabilities":[{"resource":"*","methods":["${word}"]}]}`),
      'a type of connector': post('connector', (word) => `{"name":"n","type":"${word}","sql":"SELECT 1"}`),
      'a member of a connector': post('connector', (word) => `{"name":"n","sql":"SELECT 1","${word}":1}`),
      // The parser of JSON refuses __proto__ by itself: 400, as it is for every other member nobody knows.
      'a variable of a trial run': post(
        'connector/test',
        (word) => `{"sql":"SET @a = 1;","variables":{"${word === '__proto__' ? 'proto' : word}":1}}`,
      ),
      'a member of the organization': send(
        'PUT',
        () => `/api/organization/${service.organizationUid}`,
        (word) => `{"${word}":1}`,
      ),
      'a member of a brand': send(
        'PUT',
        () => `/api/organization/${service.organizationUid}`,
        (word) => `{"brand":{"${word}":"x"}}`,
      ),
      'a member of properties': send(
        'POST',
        () => '/api/comp/C/property',
        (word) => `[{"component":{"${word}":"x"}}]`,
      ),
    },
    'when signing in': {
      'a member': send(
        'POST',
        () => '/api/login',
        (word) => `{"${word}":"x"}`,
      ),
      grant_type: send(
        'POST',
        () => '/api/oauth_access_token',
        (word) => `grant_type=${word}&client_id=x&code=y`,
      ),
      'a field': send(
        'POST',
        () => '/api/oauth_access_token',
        (word) => `${word}=x`,
      ),
      client_id: send(
        'POST',
        () => '/api/oauth_access_token',
        (word) => `grant_type=refresh_token&refresh_token=x&client_id=${word}`,
      ),
      'response_type and scope': send(
        'POST',
        () => '/api/oauth_login',
        (word) => `{"email":"a@b","password":"p","client_id":"${word}","response_type":"${word}","scope":"${word}"}`,
      ),
      'the page': get((word) => `/alt/?client_id=${word}&response_type=${word}&${word}=1`),
    },
    'in scripts': {
      'a column': script((word) => `SELECT ${word} FROM Stream`),
      'a column in quotes': script((word) => `SELECT "${word}" FROM Stream`),
      'a column in brackets': script((word) => `SELECT [${word}] FROM Stream`),
      'a column of a table': script((word) => `SELECT s.${word} FROM Stream s`),
      'a column of a query': script((word) => `SELECT ${word} FROM (SELECT 1 AS a) x`),
      'a table before a column': script((word) => `SELECT ${word}.id FROM Stream`),
      'a table': script((word) => `SELECT 1 FROM ${word}`),
      'a table function': script((word) => `SELECT 1 FROM ${word}('x') WITH (a STRING '$.a')`),
      'a function': script((word) => `SELECT ${word}(1)`),
      'a function of an aggregate': script((word) => `SELECT ${word}(DISTINCT id) FROM Stream`),
      'a type': script((word) => `SELECT Cast(1 AS ${word})`),
      'a type of a JSON column': script((word) => `SELECT 1 FROM JSON_TABLE('{}') WITH (a ${word} '$.a')`),
      'a name of a JSON column': script((word) => `SELECT 1 FROM JSON_TABLE('{}') WITH ("${word}" STRING '$.a')`),
      'an alias': script((word) => `SELECT 1 AS "${word}" ORDER BY "${word}"`),
      'an alias of a table': script((word) => `SELECT "${word}".a FROM (SELECT 1 AS a) "${word}"`),
      'a common table': script((word) => `WITH "${word}" AS (SELECT 1 AS a) SELECT a FROM "${word}"`),
      'a variable': script((word) => `SELECT @${word}`),
      'a variable that is set': script((word) => `SET @${word} = 1; SELECT @${word} + 1`),
      'a cycle': script((word) => `SELECT sample(Range(last=1), cycleId='${word}', stat='avg') FROM Stream`),
      'a current cycle': script((word) => `SELECT sample(Range(currentCycle='${word}')) FROM Stream`),
      'a statistic': script((word) => `SELECT sample(Range(last=1), cycleId='day', stat='${word}') FROM Stream`),
      'an argument of sample': script((word) => `SELECT sample(${word}='day') FROM Stream`),
      'an argument of Range': script((word) => `SELECT sample(Range(${word}=1)) FROM Stream`),
      'an edge of a Range': script((word) => `SELECT sample(Range(sd=${word}, ed=now)) FROM Stream`),
      'a unit': script((word) => `SELECT DateTrunc('${word}', 0)`),
      'a zone': script((word) => `SELECT Year(0, '${word}')`),
      'a zone of a row': script((word) => `SELECT Year(0, Lower('${word}'))`),
      'a date pattern': script((word) => `SELECT dtFormatter(0, 'yyyy ''${word}''')`),
      'a parameter of a query': script((word) => `SELECT QueryParam('a=1', '${word}')`),
      'a class of a regular expression': script((word) => `SELECT ReplaceAll('a', '\\p{${word}}', 'x')`),
      'a BOOLEAN in JSON': script((word) => `SELECT a FROM JSON_TABLE('{"a":"${word}"}') WITH (a BOOLEAN '$.a')`),
      'a BOOLEAN in CSV': script((word) => `SELECT a FROM CSV_TABLE('${word}') WITH (1 a BOOLEAN)`),
      'a BOOLEAN that is cast': script((word) => `SELECT Cast('${word}' AS BOOLEAN)`),
      'a number in JSON': script((word) => `SELECT a FROM JSON_TABLE('{"a":"${word}"}') WITH (a LONG '$.a')`),
      'an option of INSERT': script(
        (word) => `INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) WITH (${word} = 'x') VALUES ('a', 'b', 1, 2)`,
      ),
      'a column of INSERT': script((word) => `INSERT INTO SAMPLE(CID, ID, ${word}, SAMPLE) VALUES ('a', 'b', 1, 2)`),
      'a table of INSERT': script((word) => `INSERT INTO ${word}(CID, ID, TIME, SAMPLE) VALUES ('a', 'b', 1, 2)`),
      'a column of UPDATE': script((word) => `UPDATE SAMPLE SET ${word} = 1 WHERE CID = 'a' AND ID = 'b'`),
      'a column of DELETE': script((word) => `DELETE FROM SAMPLE WHERE CID = 'a' AND ID = 'b' AND ${word} = 1`),
      'a zone of the script': send(
        'POST',
        () => '/api/gql',
        (word) => `{"s":"SELECT 1","tz":"${word}"}`,
      ),
      'a parameter beside the script': get((word) => `/api/gql?s=SELECT%201&${word}=1`),
      'a parameter of a query that has it': script((word) => `SELECT QueryParam('${word}=1', '${word}')`),
      'a member beside the script': send(
        'POST',
        () => '/api/gql',
        (word) => `{"s":"SELECT 1","${word}":1}`,
      ),
    },
    'in JSON paths': Object.fromEntries(
      [
        (word: string) => `$.a[0].${word}`,
        (word: string) => `$.a[0]["${word}"]`,
        (word: string) => `$..${word}`,
        (word: string) => `$.${word}[*]`,
        (word: string) => `$.a[?(@.${word})].x`,
        (word: string) => `$.a[?(@.${word} == 1)].x`,
        (word: string) => `$.a[?(@["${word}"] != 1)].x`,
        (word: string) => `$.a[?(@.x == ${word})].x`,
        (word: string) => `$.a[?(@.x ${word} 1)].x`,
        (word: string) => `$.a[?(${word})].x`,
        (word: string) => `$.a[(@.${word}-1)].x`,
        (word: string) => `$.a[${word}].x`,
      ].flatMap((path): [string, Place][] => [
        [
          `${path('…')} of a table`,
          script((word) => `SELECT v FROM JSON_TABLE('${json}') WITH (v STRING '${path(word)}')`),
        ],
        [`${path('…')} of a value`, script((word) => `SELECT JSON_Value('${json}', '${path(word)}')`)],
      ]),
    ),
  }

  const mayBeRefused = new Set([
    'as IDs of what is read organization',
    'as parameters org',
    'as parameters session',
    'as parameters api_key',
    'in headers Content-Encoding',
    'in headers Authorization',
    'in headers cookie',
    'in headers charset of a sink',
    'when signing in client_id',
    'when signing in response_type and scope',
  ])

  /** The answer to the word, without the word; suggestions are left out. */
  const answerOf = async (place: Place, word: string) => {
    const { status, text } = await place(word)
    const code = /"code":"(\w+)"/.exec(text)?.[1] ?? /"error":"(\w+)"/.exec(text)?.[1] ?? ''
    assert.doesNotMatch(text, /native code|function [A-Z]|\[object /, `${word}: ${text}`)
    assert.ok(status < 500, `${word}: ${status} ${text}`)
    // An import is answered with its count.
    const counts = /"stored":\d+,"refused":\d+/.exec(text)?.[0] ?? ''
    return `${status} ${code} ${counts}`
  }

  for (const [group, some] of Object.entries(places))
    describe(group, () => {
      for (const [title, place] of Object.entries(some))
        it(`are answered as a word nobody knows: ${title}`, async () => {
          const expected = new Map<string, string>()
          for (const name of names) {
            const other = unheardOf(name)
            const answer = expected.get(other) ?? (await answerOf(place, other))
            expected.set(other, answer)
            // The word was looked at: a call that stops before that shows nothing.
            if (!mayBeRefused.has(`${group} ${title}`)) assert.doesNotMatch(answer, /^(401|403|405|415)/)
            assert.equal(await answerOf(place, name), answer, name)
          }
        })
    })

  it('are columns of external tables as any others', async () => {
    const owner = clientWith(service, `session=${session}`)
    const uid = await addConnection(service, external.url)
    const sql = `select ${names.map((name, index) => `'${index}' as "${name}"`).join(', ')}`
    const values = names.map((_, index) => String(index))
    const shown = await owner('POST', `/api/connection/${uid}/preview`, { sql })
    assert.deepEqual(shown.body, {
      success: true,
      message: '',
      preview: { columns: names.map((name) => ({ name, type: 'STRING' })), rows: [values], truncated: false },
    })
    const columns = names.map((name, index) => `${index + 1} [${name}] STRING`).join(', ')
    const rows = names.map(
      (name) => `SELECT 'C', '${name}', 5, [${name}] FROM CSV_TABLE(@JDBC_RESULT) WITH (${columns})`,
    )
    const ingestSql = `INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) ${rows.join(' UNION ALL ')}`
    const tried = await owner('POST', '/api/connector/import_test', { connectionUid: uid, externalSql: sql, ingestSql })
    const stored = names.map((id, index) => ({ cid: 'C', id, time: 5, sample: String(index) }))
    assert.deepEqual((tried.body as { readonly rows: unknown }).rows, stored)
  })

  it('leave nothing but words behind: no stored text, ID or name is a function', async () => {
    const rows = await service.sql<{ found: string }[]>`
      select text as found from sample where text ~ 'native code' union all
      select id from component where id ~ 'native code' union all
      select id from stream where id ~ 'native code'`
    assert.deepEqual([...rows], [])
  })
})
