// Words in every place of the API where a caller may put one: each parameter of an address, each text in a body, each
// argument of an assistant's tool, as the description names them, so that a new call is tried by itself, and the places
// that it does not name (places-by-hand.ts). Uids and IDs of another organization are answered as words that nobody has
// heard of are, and so are names that JavaScript's objects know; texts that would be markup, a formula, SQL or a header
// elsewhere stay texts.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { addressRange, readConfig } from '../../src/base/config.ts'
import { openLog } from '../../src/base/log.ts'
import { openEmptyDatabase } from '../support/database.ts'
import type { Called, Description, Play } from '../support/described.ts'
import { addActor, encodeBody, inOrder, openPlay, operationsOf } from '../support/described.ts'
import type { Client } from '../support/http.ts'
import { loopback } from '../support/outbound.ts'
import { addToken } from '../support/people.ts'
import type { TestReply, TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { shortOrLong } from '../support/soak.ts'
import { stateOf } from './organization-state.ts'
import type { Place } from './places-by-hand.ts'
import { placesByHand } from './places-by-hand.ts'

/** The ID of everything in the other organization, and a part of each text there. */
const foreignId = 'onlythere'
const foreignText = 'zebrafinch'

const knownNames = shortOrLong(['constructor'], [...Object.getOwnPropertyNames(Object.prototype), 'prototype'])
const hostile = [
  `=1+1'"><script>alert(1)</script>\\'; drop table sample; -- \${7*7} %s`,
  '@x\r\nX-Evil: 1\r\n\r\n\u001B[2J<!--',
]

const unheardUids = new Map<string, string>()

/** A word of the same form that nobody has heard of, and always the same: what the one has made, the other has. */
const unheardOf = (word: string): string => {
  if (/^[0-9a-f-]{36}$/.test(word)) {
    const uid = unheardUids.get(word) ?? randomUUID()
    unheardUids.set(word, uid)
    return uid
  }
  const letters = 'qzxjkvwpfh'
  return word.replaceAll(/[a-z]/g, (_, at: number) => letters[(at * 7 + word.length) % 10]!)
}

/** The texts of the cells of CSV. */
const cellsOf = (csv: string): readonly string[] =>
  [...csv.matchAll(/"((?:[^"]|"")*)"|[^,\r\n]+/g)].map(([cell, quoted]) => quoted?.replaceAll('""', '"') ?? cell)

type Schema = {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly readOnly?: boolean
  readonly minimum?: number
  readonly $ref?: string
}
type Step = string | number

describe('words, in every place of the API', function () {
  this.timeout(shortOrLong(600_000, 3_600_000))
  let service: TestService
  let external: Awaited<ReturnType<typeof openEmptyDatabase>>
  let description: Description
  let log = ''
  let theirs: Client
  let theirUids: ReadonlyMap<string, string>
  let theirToken: string
  let theirPosition: string
  /** Uids of theirs that nobody says: a word that was said may by now be the name of something of ours. */
  let unsaid: readonly string[]
  let ours: Play
  let places: readonly Place[]
  before(async () => {
    external = await openEmptyDatabase()
    const { outboundAllow } = { ...readConfig({}), outboundAllow: loopback.map(addressRange) }
    const output = openLog('trace', { write: (line) => (log += line) })
    service = await openTestService({ outboundAllow, mqttPort: 0 }, undefined, output)
    description = (await service.request('GET', '/api/openapi.json')).json as Description
    const [them, us] = [await addActor(service, external.url, 'them'), await addActor(service, external.url, 'us')]
    const play = await openPlay(service, them.actor)
    await playAll(play)
    theirs = them.call
    theirUids = play.uids()
    const live = `/api/live?compId=Boiler&seconds=0&session=${them.session}&org=${them.actor.organizationUid}`
    theirPosition = /^id: ?(\S+)/m.exec((await service.request('GET', live)).text)![1]!
    await fillWithForeignId(them)
    theirToken = await addToken(service.sql, them.actor.organizationUid, them.user)
    ours = await openPlay(service, us.actor)
    await playAll(ours)
    const uidsIn = (state: unknown) => JSON.stringify(state).match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []
    const said = new Set([...theirUids.values(), ...uidsIn(await stateOf(us.call))])
    unsaid = [...new Set(uidsIn(await stateOf(theirs)))].filter((uid) => !said.has(uid))
    // Readings first: what is made by a word is found by it later.
    const byHand = await placesByHand(service, { ...us.actor, session: us.session }, us.call)
    const all = [...(await placesOfTools(us.call)), ...operationsOf(description).flatMap(placesOf), ...byHand]
    const isReading = ({ title }: Place) => title.startsWith('GET ') && !title.startsWith('GET /api/feed:')
    places = [...all.filter(isReading), ...all.filter((place) => !isReading(place))]
  })
  after(async () => {
    await service?.close()
    await external?.drop()
  })

  const send = (called: Called, address: string, body: unknown): Promise<TestReply> => {
    const [[type] = []] = Object.entries(called.operation.requestBody?.content ?? {})
    const init = type === undefined ? {} : { headers: { 'Content-Type': type }, body: encodeBody(type, body) }
    return service.request(called.method, address, init)
  }
  const exampleOf = (play: Play, called: Called): unknown => {
    const [[, content] = []] = Object.entries(called.operation.requestBody?.content ?? {})
    return play.bodyOf(called, content?.example)
  }
  /** Makes everything that the examples make, and deletes nothing. */
  const playAll = async (play: Play): Promise<void> => {
    for (const called of inOrder(operationsOf(description)).filter(({ method }) => method !== 'DELETE'))
      play.learn(called, (await send(called, play.addressOf(called), exampleOf(play, called))).json)
  }
  /** One of each kind that is known by an ID, besides the examples, which both organizations have. */
  const fillWithForeignId = async ({ actor, call }: Awaited<ReturnType<typeof addActor>>): Promise<void> => {
    const id = foreignId
    const told = { name: foreignText, description: foreignText }
    const things: Readonly<Record<string, object>> = {
      unit: { id, ...told },
      cycle: { id, size: 1, unit: 'day', ...told },
      template: { id, ...told, stream: [{ id }] },
      folder: { path: `/Components/${id}` },
      component: { id, ...told, folder: `/Components/${id}`, stream: [{ id, description: foreignText }] },
      query: { name: id, sql: `SELECT '${foreignText}'` },
      connector: { name: id, endpoint: id, runAsUserUid: actor.runAsUserUid, sql: `SELECT '${foreignText}'` },
      dashboard: { name: `${id} ${foreignText}`, tile: [{ kind: 'text', text: foreignText }] },
      api_key: { name: `${id} ${foreignText}` },
      oauth_client: { name: `${id} ${foreignText}`, clientId: `${id}-client`, redirectUris: ['https://a.example/'] },
      connection: { ...actor.target, kind: 'postgresql', name: `${id} ${foreignText}` },
    }
    for (const [entity, input] of Object.entries(things)) {
      const { status, body } = await call('POST', `/api/${entity}`, input)
      const isKnown = Object.keys(told).some((name) => JSON.stringify(body).includes(`'${name}'`))
      assert.ok(status === 201 || isKnown, JSON.stringify(body))
    }
    for (const compId of [id, 'Boiler']) {
      const stored = await call('PUT', `/api/feed?compId=${compId}&${id}=7&text=${foreignText}&time=5`)
      assert.equal(stored.status, 200, JSON.stringify(stored.body))
    }
    const rows = { time: 5, data: 1 }
    assert.equal((await call('POST', `/api/import?importId=${id}&compId=${id}&streamId=x`, rows)).status, 200)
    // At an address that is ours, too, but for the name.
    const file = await call('PUT', `/api/comp/Gate/stream/notes/feed/file/${id}?time=1767225600001`, foreignText)
    assert.equal(file.status, 200, JSON.stringify(file.body))
  }

  const schemaIn = ({ $ref, ...schema }: Schema): Schema =>
    $ref === undefined
      ? schema
      : (description.components as { schemas: Record<string, Schema> }).schemas[$ref.split('/').at(-1)!]!
  /** The least that the schema takes. */
  const leastOf = (given: Schema): unknown => {
    const schema = schemaIn(given)
    if (schema.anyOf) return leastOf(schema.anyOf[0]!)
    if (schema.enum) return schema.enum[0]
    const type = [schema.type].flat()[0]
    if (type === 'array') return [leastOf(schema.items ?? {})]
    if (type === 'integer' || type === 'number') return schema.minimum ?? 1
    if (type !== 'object') return 'a'
    return Object.fromEntries((schema.required ?? []).map((name) => [name, leastOf(schema.properties![name]!)]))
  }
  /** The way to each text that a body may have. */
  const textsIn = (given: Schema, way: readonly Step[] = []): readonly (readonly Step[])[] => {
    const schema = schemaIn(given)
    if (schema.readOnly || way.length > 8) return []
    const own = way.length > 0 && [schema.type].flat().includes('string') ? [way] : []
    const inside = Object.entries(schema.properties ?? {}).flatMap(([name, one]) => textsIn(one, [...way, name]))
    const inItems = schema.items ? textsIn(schema.items, [...way, 0]) : []
    return [...own, ...inside, ...inItems, ...(schema.anyOf ?? []).flatMap((one) => textsIn(one, way))]
  }
  /** The body with the word there, and with the least that lies on the way. */
  const withWord = (body: unknown, given: Schema, [step, ...rest]: readonly Step[], word: string): unknown => {
    if (step === undefined) return word
    const schema = schemaIn(given)
    const one = schema.anyOf
      ?.map(schemaIn)
      .find(({ type, items }) => (typeof step === 'number' ? items : type === 'object'))
    if (one) return withWord(body, one, [step, ...rest], word)
    const least = body ?? leastOf(schema)
    if (typeof step === 'number')
      return [withWord((least as unknown[])[0] ?? leastOf(schema.items!), schema.items!, rest, word)]
    const before = (least as Readonly<Record<string, unknown>>)[step]
    return { ...(least as object), [step]: withWord(before, schema.properties![step]!, rest, word) }
  }

  let made = 0
  /** With names of its own, so that it is not refused for one that is taken. */
  const asNew = (body: unknown): unknown => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
    made += 1
    const fresh: Readonly<Record<string, string>> = {
      id: `new${made}`,
      path: `/Components/new${made}`,
      endpoint: `new${made}`,
      email: `new${made}@example.org`,
      clientId: `new${made}`,
    }
    const members = Object.entries(body).filter(([name]) => name !== 'password')
    return Object.fromEntries(members.map(([name, value]) => [name, fresh[name] ?? value]))
  }

  const placesOf = (called: Called): readonly Place[] => {
    const { method, path, operation } = called
    // These show all organizations, to their operator.
    if (path === '/metrics') return []
    const [[type, content] = []] = Object.entries(operation.requestBody?.content ?? {})
    const isNew = method === 'POST' && operation.security?.length !== 0
    const body = () => (isNew ? asNew(exampleOf(ours, called)) : exampleOf(ours, called))
    // A listener waits for nothing.
    const briefly: readonly [string, string][] = path === '/api/live' ? [['query seconds', '0']] : []
    const inAddress = (name: string): Place => ({
      title: `${method} ${path}: ${name}`,
      send: (word) => send(called, ours.addressOf(called, new Map([...briefly, [name, word]])), body()),
    })
    const names = operation.parameters.map((one) => `${one.in} ${one.name}`)
    // A call that deletes what it is told to would find nothing the next time.
    if (method === 'DELETE') return names.filter((name) => name.startsWith('path ')).map(inAddress)
    const named: Place = {
      title: `${method} ${path}: the name of a parameter`,
      send: (word) => send(called, ours.addressOf(called, new Map([...briefly, [`query ${word}`, '1']])), body()),
    }
    const isOfMembers = type === 'application/json' || type === 'application/x-www-form-urlencoded'
    const texts = isOfMembers ? textsIn(content!.schema) : []
    const whole: Place = {
      title: `${method} ${path}: the whole body`,
      send: (word) => send(called, ours.addressOf(called), word),
    }
    return [
      ...names.map(inAddress),
      named,
      ...(type === undefined || isOfMembers ? [] : [whole]),
      ...texts.map((way) => ({
        title: `${method} ${path}: ${way.join('.')}`,
        send: (word: string) => send(called, ours.addressOf(called), withWord(body(), content!.schema, way, word)),
      })),
    ]
  }

  const placesOfTools = async (call: Client): Promise<readonly Place[]> => {
    const known: Readonly<Record<string, string>> = {
      component: 'Boiler',
      stream: 'temp',
      cycle: 'day',
      statistic: 'avg',
    }
    const called = operationsOf(description).find(({ path }) => path === '/api/mcp')!
    const message = (name: string, params: object) => ({ jsonrpc: '2.0', id: 1, method: name, params })
    const { body } = await call('POST', '/api/mcp', message('tools/list', {}))
    const { tools } = (body as { result: { tools: { name: string; inputSchema: Schema }[] } }).result
    assert.ok(tools.length >= 10, JSON.stringify(tools.map(({ name }) => name)))
    return tools.flatMap(({ name, inputSchema }) => {
      const least = { ...(leastOf(inputSchema) as object) }
      const own = Object.fromEntries(Object.entries(least).map(([member, value]) => [member, known[member] ?? value]))
      return textsIn(inputSchema).map((way) => ({
        title: `the tool ${name}: ${way.join('.')}`,
        send: (word: string) => {
          const given = withWord(own, inputSchema, way, word)
          return send(called, ours.addressOf(called), message('tools/call', { name, arguments: given }))
        },
      }))
    })
  }

  /** The answer without the word; suggestions are left out. */
  const answerOf = async ({ title, send: ask }: Place, word: string): Promise<string> => {
    const { status, text, headers } = await ask(word)
    const about = `${title}, ${word}: ${status} ${text.slice(0, 500)}`
    assert.ok(status < 500, about)
    assert.equal(headers.get('x-evil'), null, about)
    assert.doesNotMatch(text, /native code|function [A-Z]|\[object /, about)
    assert.ok(![foreignText, ...unsaid].some((one) => text.includes(one)), `shows what is theirs: ${about}`)
    const code = (/\\?"code\\?":\s*\\?"(\w+)/.exec(text) ?? /^\{"error":"(\w+)/.exec(text))?.[1] ?? ''
    // Imports, scripts and tokens answer 200 whatever they find.
    const found = text.match(/"(?:stored|refused|inserted|active)":\w+/g) ?? []
    return `${status} ${code} ${/"isError":true/.test(text) ? 'refused' : ''}${found.join()}`
  }
  /** Places where the word is answered otherwise than one of the same form that nobody knows. */
  const differences = async (wordsFor: (place: Place) => readonly string[]): Promise<readonly string[]> => {
    const wrong: string[] = []
    for (const place of places)
      for (const word of wordsFor(place)) {
        const [answer, expected] = [await answerOf(place, word), await answerOf(place, unheardOf(word))]
        if (answer !== expected) wrong.push(`${place.title}, ${word}: ${answer}, not ${expected}`)
      }
    return wrong
  }
  it('are found: there are places in nearly every call', () => {
    const calls = new Set(places.map(({ title }) => title.replace(/:[^:]*$/, '')))
    const without = operationsOf(description)
      .map(({ method, path }) => `${method} ${path}`)
      .filter((call) => !calls.has(call))
    assert.deepEqual(without, ['GET /metrics', 'DELETE /api/login'])
    assert.ok(places.length > 500, String(places.length))
    assert.ok(theirUids.size > 15 && unsaid.length > 10, `${theirUids.size} and ${unsaid.length} uids`)
  })

  it('are nobody’s where they are uids and IDs of another organization, which stays as it is', async () => {
    const before = await stateOf(theirs)
    let tried = 0
    const uidsFor = ({ title }: Place): readonly string[] => {
      const isNamed = ([kind]: [string, string]) =>
        title.toLowerCase().replaceAll('_', '').includes(kind.replace('_', ''))
      const uids = [...theirUids].filter((one) => shortOrLong(isNamed(one), true)).map(([, uid]) => uid)
      tried += uids.length
      return /: (?:path .*|.*(?:uid|id|org|run|subject|text|actor))$/i.test(title) ? uids : []
    }
    assert.deepEqual(await differences(uidsFor), [])
    assert.ok(tried > 200, String(tried))
    assert.deepEqual(await differences(() => [foreignId]), [])
    const isOfToken = ({ title }: Place) => /: (?:.*token|code)$/.test(title)
    for (const place of places.filter(({ title }) => /last-?event-?id$/i.test(title)))
      assert.match(await answerOf(place, theirPosition), /^200/, place.title)
    const isRevoking = ({ title }: Place) => title.includes('oauth_revoke') && title.endsWith(': token')
    const tokenFor = (place: Place) => (isOfToken(place) && !isRevoking(place) ? [theirToken] : [])
    assert.deepEqual(await differences(tokenFor), [])
    // Told that it is another's (RFC 7009, 2.1), which its holder could see by using it.
    for (const place of places.filter(isRevoking))
      assert.equal((await answerOf(place, theirToken)).trim(), '400 invalid_grant', place.title)
    assert.deepEqual(await stateOf(theirs), before)
    assert.equal((await service.request('GET', `/api/component?access_token=${theirToken}`)).status, 200)
  })

  it('are answered as those nobody knows where JavaScript knows them', async () => {
    assert.deepEqual(await differences(() => knownNames), [])
  })

  it('stay texts where they would be markup, formulas, SQL or headers, in replies, CSV and the log', async () => {
    for (const place of places) for (const word of hostile) await answerOf(place, word)
    let cells = 0
    for (const called of operationsOf(description).filter(({ method }) => method === 'GET')) {
      const reply = await service.request('GET', ours.addressOf(called), { headers: { Accept: 'text/csv' } })
      if (!reply.headers.get('content-type')?.startsWith('text/csv')) continue
      for (const cell of cellsOf(reply.text)) assert.doesNotMatch(cell, /^[=@\t\r]/, called.path)
      cells += reply.text.split('1+1').length - 1
    }
    assert.ok(cells > 50, `${cells} cells with a formula were stored`)
    for (const line of log.split('\n').slice(0, -1)) assert.equal(typeof JSON.parse(line), 'object')
    const [tables] = await service.sql<[{ sample: string | null }]>`select to_regclass('sample')::text as sample`
    assert.equal(tables.sample, 'sample')
  })
})
