// The description of the API (docs/replies.md#description): a sound document, of which every operation is called with its
// example, its request and its reply judged by its schemas.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Called, Description } from '../support/described.ts'
import { encodeBody, inOrder, openPlay, operationsOf } from '../support/described.ts'
import type { Importing } from '../support/import.ts'
import { openImporting } from '../support/import.ts'

describe('the description of the API', function () {
  this.timeout(120_000)
  let importing: Importing
  let document: Description
  before(async () => {
    importing = await openImporting()
    document = (await importing.service.request('GET', '/api/openapi.json')).json as Description
  })
  after(() => importing.close())

  const operations = () => operationsOf(document)

  it('is a sound OpenAPI 3.1 document', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    assert.deepEqual([valid, errors], [true, undefined])
  })

  it('names every operation once', () => {
    const names = operations().map(({ operation }) => operation.operationId)
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    )
    assert.ok(names.length > 90, String(names.length))
  })

  it('has the parameters of readings that the code reads', () => {
    const source = readFileSync(new URL('../../src/feed/read-query.ts', import.meta.url), 'utf8')
    const read = [...source.matchAll(/query\.get\('(\w+)'\)/g)].map(([, name]) => name!)
    const described = document.paths['/api/comp/{compId}/feed']!['get']!.parameters.filter((one) => one.in === 'query')
    assert.deepEqual(described.map(({ name }) => name.toLowerCase()).toSorted(), read.toSorted())
  })

  it('has examples that work, with requests and replies as its schemas say', async () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    ajv.addSchema({ $id: 'coppice', components: document.components })
    const wrong: string[] = []
    const judge = (what: string, schema: object, value: unknown) => {
      const local = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"coppice#/components/')) as object
      if (!ajv.validate(local, value))
        wrong.push(`${what}: ${ajv.errorsText()} in ${JSON.stringify(value)?.slice(0, 500)}`)
    }
    const play = await openPlay(importing.service, actorOf(importing))
    for (const called of inOrder(operations())) {
      const { method, path, operation } = called
      const what = `${method} ${path}`
      const [[type, content] = []] = Object.entries(operation.requestBody?.content ?? {})
      const body = play.bodyOf(called, content?.example)
      if (type === 'application/json') judge(`the request of ${what}`, content!.schema, body)
      const init = type === undefined ? {} : { headers: { 'Content-Type': type }, body: encodeBody(type, body) }
      const reply = await importing.service.request(method, play.addressOf(called), init)
      const [[status, described] = []] = Object.entries(operation.responses)
      const isDone = String(reply.status) === status || (method === 'DELETE' && reply.status === 202)
      if (!isDone) wrong.push(`${what}: ${reply.status} ${reply.text}`)
      const [[replyType, shown] = []] = Object.entries(described!.content)
      if (isDone && replyType === 'application/json') judge(`the reply of ${what}`, shown!.schema, reply.json)
      play.learn(called, reply.json)
    }
    assert.deepEqual(wrong, [])
  })

  it('has rows as CSV and as NDJSON wherever a call reads rows', async () => {
    const play = await openPlay(importing.service, actorOf(importing))
    const { service } = importing
    await service.put('/api/feed?compId=Boiler&temp=20.1&mode=%3Don&time=1767225600000')
    const seen: string[] = []
    for (const called of operations().filter(
      ({ method, operation }) => method === 'GET' && operation.responses['200'],
    )) {
      const address = play.addressOf(called)
      const ask = (accept: string) => service.request('GET', address, { headers: { Accept: accept } })
      const { status, json } = await ask('application/json')
      const rows = status === 200 ? rowsIn(called, json) : undefined
      if (rows === undefined) continue
      seen.push(called.path)
      const [csv, ndjson] = [await ask('text/csv'), await ask('application/x-ndjson')]
      assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8', called.path)
      const columns = csv.text.split('\r\n')[0]!.split(',')
      assert.deepEqual(
        rows.flatMap((row) => Object.keys(row)).filter((name) => !columns.includes(name)),
        [],
        called.path,
      )
      assert.equal(ndjson.headers.get('content-type'), 'application/x-ndjson; charset=utf-8', called.path)
      assert.deepEqual(
        ndjson.text.split('\n').slice(0, -1).map(withoutClock),
        rows.map((row) => withoutClock(JSON.stringify(row))),
      )
    }
    for (const path of [
      '/api/comp/{compId}/feed',
      '/api/comp/{compId}/last_value',
      '/api/audit',
      '/api/unit',
      '/api/connector/{uid}/run',
    ])
      assert.ok(seen.includes(path), `${path} is not among ${seen.join(' ')}`)
    assert.ok(seen.length > 20, seen.join(' '))
  })
})

type Rows = readonly Readonly<Record<string, unknown>>[]

/** The rows of a list, or of a feed; undefined where a call reads none. */
const rowsIn = ({ path }: Called, json: unknown): Rows | undefined => {
  if (/\/(feed|last_value)$/.test(path)) return json as Rows
  const { totalCount, ...members } = (json ?? {}) as Readonly<Record<string, unknown>>
  return totalCount === undefined ? undefined : (Object.values(members).find(Array.isArray) as Rows)
}

/** A run that goes on shows how long. */
const withoutClock = (line: string) => line.replace(/"elapsed":\d+/, '')

/** The owner, and what is made in other ways than by the calls. */
const actorOf = ({ service, admin, connectionUid, target }: Importing) => ({
  organizationUid: service.organizationUid,
  email: service.ownerEmail,
  password: service.ownerPassword,
  runAsUserUid: admin.user.uid,
  connectionUid,
  target,
})
