// A seeded game against the oracle of derived streams: uploads that append and that come late, overwrites, deletes,
// texts that make expressions fail, other expressions, templates, requests, two servers and their passes in any order. A
// difference ends it with an error that names the seed.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { addressRange } from '../../../src/base/config.ts'
import type { Clock } from '../../../src/base/clock.ts'
import { usualPartLimits } from '../../../src/core/derive/anew.ts'
import { openDeriver } from '../../../src/core/derive/deriver.ts'
import { usualLimits } from '../../../src/core/derive/pass.ts'
import { openRequestWork } from '../../../src/core/derive/request.ts'
import type { Statistic } from '../../../src/core/statistic/statistic.ts'
import { openCalendar } from '../../../src/core/time/calendar.ts'
import { compileDerivation } from '../../../src/gsql/derivation.ts'
import type { Service } from '../../../src/service.ts'
import { openEmptyDatabase } from '../../support/database.ts'
import { addPerson } from '../../support/http.ts'
import { addConnection } from '../../support/import.ts'
import { loopback } from '../../support/outbound.ts'
import type { ShownStream } from '../../support/manage.ts'
import { openManager } from '../../support/manage.ts'
import { openRandom } from '../../support/random.ts'
import { openSecond } from '../../support/second.ts'
import { newDirectory } from '../../support/directory.ts'
import { startServer } from '../../support/server-process.ts'
import { openTestService, testMasterKey } from '../../support/service.ts'
import type { OracleStream } from '../statistic/oracle.ts'
import type { KnownType, TypedFormula } from './formulas.ts'
import { randomFormula } from './formulas.ts'
import type { ShownState } from './judge.ts'
import { judge, readStreams } from './judge.ts'
import type { OracleDerivation, OracleVariable } from './oracle.ts'

export type Game = {
  readonly seed: number
  readonly operations: number
  /** Servers in processes of their own work along, and are killed. */
  readonly kills?: boolean
  readonly onProgress?: (done: number, counts: Readonly<Record<string, number>>) => void
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** The night before clocks change in Berlin. */
const beginMs = Date.parse('2026-03-28T18:00:00Z')
const stepMs = 10 * minuteMs

const zones = ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/New_York']
const reference = '2001-01-01T00:00:00'
const cycles = {
  '15minute': { size: 15, unit: 'minute', reference },
  hour: { size: 1, unit: 'hour', reference },
  day: { size: 1, unit: 'day', reference },
} as const
type CycleId = keyof typeof cycles

type GameStream = OracleStream & {
  readonly id: string
  readonly uid: string
  readonly componentId: string
  readonly zone: string
  derived: Derived | undefined
  /** Nothing was written late since it was last known to be up to date. */
  onlyAppended: boolean
}

type GameVariable = OracleVariable & {
  readonly source: GameStream
  readonly cycleId: CycleId | undefined
}

type Derived = { readonly formula: TypedFormula; readonly variables: readonly GameVariable[] }

const fleetIds = ['fleet0', 'fleet1', 'fleet2']
const componentIds = [...zones.map((_, at) => `c${at}`), ...fleetIds]

const sourceStreams = [
  { id: 'a' },
  { id: 'b' },
  { id: 'l', valueType: 'LONG' },
  { id: 'o', valueType: 'BOOLEAN' },
  { id: 's', valueType: 'STRING' },
  { id: 'f', valueType: 'FILE' },
  { id: 'i', kind: 'interval', baseCycleId: '15minute' },
  { id: 'h', kind: 'interval', baseCycleId: 'hour' },
] as const

const isText = ({ valueType }: Pick<OracleStream, 'valueType'>) => valueType === 'STRING' || valueType === 'FILE'

export const play = async ({ seed, operations, kills = false, onProgress }: Game): Promise<void> => {
  const random = openRandom(seed)
  const { integer: below, pick } = random
  const service = await openTestService({ outboundAllow: loopback.map(addressRange) })
  const external = kills ? await openEmptyDatabase() : undefined
  const second = await openSecond(service)
  const manage = await openManager(service)
  const member = await addPerson(service, 'member')
  const { sql } = service
  // One of them does as little as can be in each of its transactions.
  const hasty = (clock: Clock) =>
    openDeriver(clock, compileDerivation, { ...usualLimits, roundMs: 0 }, { ...usualPartLimits, partMs: 0 })
  const workers = [service.service, second].map(({ world }: Service, at) => {
    const deriver = at === 0 ? openDeriver(world.clock, compileDerivation) : hasty(world.clock)
    return { sql: world.sql, deriver, work: openRequestWork(deriver) }
  })
  const streams: GameStream[] = []
  const counts: Record<string, number> = {}
  const count = (name: string, by = 1) => (counts[name] = (counts[name] ?? 0) + by)
  let nowMs = beginMs
  /** Time goes round, and imports are ahead of it: what is new by the clock may come late all the same. */
  let newestMs = Number.NEGATIVE_INFINITY
  const noteTime = (timeMs: number): number => {
    newestMs = Math.max(newestMs, timeMs)
    return timeMs
  }
  let operation = 0
  const log: string[] = []
  const note = (text: string) => {
    log.push(`${operation}: ${text}`)
    if (log.length > 60) log.shift()
  }

  const enter = (
    componentId: string,
    zone: string,
    { uid, id, kind, valueType, baseCycleId }: ShownStream,
    key: number,
  ) => {
    const stream: GameStream = {
      key,
      uid,
      id: id!,
      componentId,
      zone,
      kind: kind as OracleStream['kind'],
      valueType: valueType as OracleStream['valueType'],
      calendar: baseCycleId === null ? undefined : openCalendar(cycles[baseCycleId as CycleId], zone),
      values: new Map(),
      sorted: undefined,
      archived: [],
      derived: undefined,
      onlyAppended: true,
    }
    streams.push(stream)
    return stream
  }
  const keyOf = async (uid: string) => {
    const [row] = await sql<[{ key: number }]>`select key from stream where uid = ${uid}`
    return row.key
  }
  const settle = async () => {
    for (const [at, zone] of zones.entries()) {
      const id = `c${at}`
      const made = await manage.make('component', { id, timeZone: zone, stream: sourceStreams })
      for (const stream of made.stream) enter(id, zone, stream, await keyOf(stream.uid))
    }
  }

  /** Components of one template, which derive from their own streams whatever it says. */
  let templateUid = ''
  const fleet: GameStream[] = []
  const settleFleet = async () => {
    const derivation = { expression: 'v0', variables: [{ name: 'v0', streamId: 'a' }] }
    const template = await manage.make('template', { id: 'tpl', stream: [{ id: 'a' }, { id: 'b' }] })
    for (const id of fleetIds) {
      const made = await manage.make('component', { id, templateUid: template.uid })
      for (const stream of made.stream) enter(id, 'UTC', stream, await keyOf(stream.uid))
    }
    // Reaches those that are there.
    templateUid = (await manage.make('stream', { templateUid: template.uid, id: 'd', ...derivation })).uid
    for (const component of await manage.list('component', 'text=fleet')) {
      const made = component.stream.find(({ id }) => id === 'd')!
      const stream = enter(component.id!, 'UTC', made, await keyOf(made.uid))
      fleet.push(stream)
    }
    deriveFleet({ text: 'v0', work: (vars) => vars['v0']!, gives: 'number' }, ['a'])
  }
  const deriveFleet = (formula: TypedFormula, ids: readonly string[]) => {
    for (const stream of fleet) {
      const variables = ids.map((id, at): GameVariable => {
        const source = streams.find((each) => each.componentId === stream.componentId && each.id === id)!
        return {
          name: `v${at}`,
          stream: source,
          source,
          offset: 0,
          cycleId: undefined,
          calendar: undefined,
          statistic: undefined,
        }
      })
      stream.derived = { formula, variables }
      stream.onlyAppended = false
      for (const each of behind(stream)) each.onlyAppended = false
    }
  }
  const editTemplate = async () => {
    const ids = pick([['a'], ['b'], ['a', 'b']])
    const formula = randomFormula(
      random,
      ids.map((_, at) => ({ name: `v${at}`, type: 'number' })),
    )
    if (formula.gives !== 'number') return
    const variables = ids.map((streamId, at) => ({ name: `v${at}`, streamId }))
    const { status, body } = await manage.ask('PUT', `/api/stream/${templateUid}`, {
      expression: formula.text,
      variables,
    })
    assert.equal(status, 200, JSON.stringify(body))
    deriveFleet(formula, ids)
    note(`edits the template: ${formula.text} of ${ids.join()}`)
    count('templates')
  }

  const derivedOnes = () => streams.filter(({ derived }) => derived !== undefined)
  const usersOf = (stream: GameStream) =>
    derivedOnes().filter(({ derived }) => derived!.variables.some(({ source }) => source === stream))
  /** All that hang on it, each behind those that it is derived from. */
  const behind = (stream: GameStream, found = new Set<GameStream>()): Set<GameStream> => {
    for (const user of usersOf(stream)) {
      found.add(user)
      behind(user, found)
    }
    return found
  }
  const inOrder = (): readonly GameStream[] => {
    const done: GameStream[] = []
    const enterOne = (stream: GameStream) => {
      if (stream.derived === undefined || done.includes(stream)) return
      for (const { source } of stream.derived.variables) enterOne(source)
      done.push(stream)
    }
    for (const stream of streams) enterOne(stream)
    return done
  }
  const touch = (stream: GameStream, isAppended: boolean) => {
    if (!isAppended) for (const each of behind(stream)) each.onlyAppended = false
  }

  const modes = ['plain', 'plain', 'offset', 'cycle', 'interval'] as const

  /** What a new derived stream, or a changed one, is to be derived by. */
  const randomDerivation = (
    kind: OracleStream['kind'],
    mode: (typeof modes)[number],
    sources: readonly GameStream[],
  ): Derived => {
    // Mostly of one component: their samples come at the same times.
    const home = pick(sources)
    const near = sources.filter(({ componentId }) => componentId === home.componentId || below(6) === 0)
    const variables = Array.from({ length: 1 + below(3) }, (_, at): GameVariable => {
      const source = at === 0 ? home : pick(near)
      const hasCycle = mode === 'cycle' && (at === 0 || below(2) === 0)
      const cycleId = hasCycle ? pick(['hour', 'day'] as const) : undefined
      const isRolledUp = hasCycle || kind === 'interval'
      const known = isText(source) ? (['first', 'last', 'nongapcount'] as const) : rollUps
      return {
        name: `v${at}`,
        stream: source,
        source,
        offset: (mode === 'offset' || mode === 'interval' || mode === 'cycle') && below(3) === 0 ? -1 - below(2) : 0,
        cycleId,
        calendar: cycleId && openCalendar(cycles[cycleId], source.zone),
        statistic: isRolledUp && below(2) === 0 ? pick<Statistic>(known) : undefined,
      }
    })
    const typed = variables.map((variable) => ({ name: variable.name, type: typeOf(kind, variable) }))
    return { formula: randomFormula(random, typed), variables }
  }
  const bodyOf = ({ formula, variables }: Derived) => ({
    expression: formula.text,
    variables: variables.map(({ name, source, offset, cycleId, statistic }) => ({
      name,
      componentId: source.componentId,
      streamId: source.id,
      ...(offset === 0 ? {} : { offset }),
      ...(cycleId === undefined ? {} : { cycleId }),
      ...(statistic === undefined ? {} : { statistic }),
    })),
  })
  const fitting = { number: ['DOUBLE', 'DOUBLE', 'DOUBLE', 'LONG'], text: ['STRING'], boolean: ['BOOLEAN'] } as const

  const makeDerived = async () => {
    const mode = pick(modes)
    const kind = mode === 'interval' ? 'interval' : 'random'
    const derivation = randomDerivation(kind, mode, streams)
    const place = pick(zones.map((zone, at) => ({ zone, id: `c${at}` })))
    const [component] = await manage.list('component', `id=${place.id}`)
    const id = `d${streams.length}`
    const made = await manage.make('stream', {
      componentUid: component!.uid,
      id,
      kind,
      ...(kind === 'interval' ? { baseCycleId: pick(['15minute', 'hour']) } : {}),
      valueType: pick<string>(fitting[derivation.formula.gives]),
      ...bodyOf(derivation),
    })
    const stream = enter(place.id, place.zone, made, await keyOf(made.uid))
    stream.derived = derivation
    const sources = derivation.variables.map(({ source }) => source)
    await readStreams(sql, [...new Set(sources)])
    stream.onlyAppended = sources.every(({ values }) => values.size === 0)
    note(`makes ${describeDerived(stream)}`)
    count('made')
  }
  const editDerived = async () => {
    const stream = pick(derivedOnes().filter((each) => !fleet.includes(each)))
    const later = behind(stream)
    const sources = streams.filter((each) => each !== stream && !later.has(each))
    const derivation = randomDerivation(
      stream.kind,
      stream.kind === 'interval' ? 'interval' : pick(['plain', ...modes]),
      sources,
    )
    const { status, body } = await manage.ask('PUT', `/api/stream/${stream.uid}`, bodyOf(derivation))
    // What it gives does not fit the stream.
    if (status === 400) return
    assert.equal(status, 200, JSON.stringify(body))
    stream.derived = derivation
    stream.onlyAppended = false
    for (const each of later) each.onlyAppended = false
    note(`edits ${describeDerived(stream)}`)
    count('edits')
  }

  const valueFor = (stream: GameStream): unknown => {
    switch (stream.valueType) {
      case 'DOUBLE':
        return pick([below(20) - 5, below(10) / 2, 0, below(100)])
      case 'LONG':
        return below(9) - 2
      case 'BOOLEAN':
        return below(2) === 0
      case 'STRING':
      case 'FILE':
        return below(12) === 0 ? pick(['on', 'bad']) : String(below(30))
    }
  }
  /** One of several at once may come behind those that are newer. */
  const upload = async (url = pick([service.url, second.url]), isAlone = true) => {
    const componentId = pick(componentIds)
    const own = streams.filter(
      (each) => each.componentId === componentId && each.derived === undefined && each.valueType !== 'FILE',
    )
    const chosen = below(2) === 0 ? own : own.filter(() => below(2) === 0)
    if (chosen.length === 0) return
    const isLate = below(4) === 0
    const startMs = isLate ? beginMs + below((nowMs - beginMs) / stepMs + 1) * stepMs : nowMs + stepMs
    const length = 1 + below(below(3) === 0 ? 30 : 4)
    const samples: { compId: string; streamId: string; data: unknown; time: number }[] = []
    for (let at = 0; at < length; at += 1)
      for (const stream of chosen)
        if (below(8) > 0)
          samples.push({
            compId: componentId,
            streamId: stream.id,
            data: below(25) === 0 ? null : valueFor(stream),
            time: startMs + at * stepMs,
          })
    const endMs = startMs + (length - 1) * stepMs
    const isNew = isAlone && startMs > newestMs
    noteTime(endMs)
    if (!isLate) nowMs = endMs
    const query = [
      ...(below(3) === 0 ? [`derMaxS=${pick(['', '0', '1', '2', '20'])}`, `derTout=${pick(['', '15000', '1'])}`] : []),
      ...(below(3) === 0 ? ['autofillGapsWithNulls=false'] : []),
    ].join('&')
    const given = samples.filter(({ data }) => data !== null)
    if (url === service.url && given.length > 0 && below(4) === 0) await insert(given)
    else {
      const answer = await fetch(`${url}/api/feed?api_key=${service.apiKey}&${query}`, {
        method: 'PUT',
        body: JSON.stringify(samples),
      })
      assert.equal(answer.status, 200, await answer.text())
    }
    note(`uploads ${samples.length} to ${componentId} ${isLate ? 'late ' : ''}from ${iso(startMs)} ${query}`)
    // Intervals end later than what was uploaded, and gaps are filled.
    for (const stream of chosen) touch(stream, isNew && stream.kind === 'random')
    for (const stream of chosen) if (stream.kind === 'interval') touch(stream, false)
    count('samples', samples.length)
  }
  /** The same by a script. */
  const insert = async (samples: readonly { compId: string; streamId: string; data: unknown; time: number }[]) => {
    const literal = (data: unknown) =>
      typeof data === 'string' ? `'${data}'` : typeof data === 'boolean' ? (data ? 'TRUE' : 'FALSE') : String(data)
    const s = samples.map(
      ({ compId, streamId, time, data }) =>
        `INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES ('${compId}', '${streamId}', ${time}, ${literal(data)})`,
    )
    const { status, body } = await member.call('POST', '/api/gql', { s: s.join(';') })
    assert.equal(status, 200, JSON.stringify(body))
    count('scripts')
  }
  const putFile = async () => {
    const stream = pick(streams.filter(({ valueType }) => valueType === 'FILE'))
    const timeMs = below(3) === 0 ? nowMs + stepMs : beginMs + below((nowMs - beginMs) / stepMs + 1) * stepMs
    const path = `/api/comp/${stream.componentId}/stream/${stream.id}/feed/file/${pick(['12', '7', 'a.txt', 'on'])}`
    const { status, text } = await service.put(`${path}?time=${timeMs}`, 'content')
    assert.equal(status, 200, text)
    touch(stream, false)
    note(`puts a file to ${stream.componentId} at ${iso(timeMs)}`)
    count('files')
  }

  /** A point stream keeps its last sample only, so what is derived from it is judged by that one. */
  let pointedUid = ''
  const settlePoint = async () => {
    const derived = { id: 'q', expression: 'p * 2', variables: [{ name: 'p', streamId: 'p' }] }
    const made = await manage.make('component', { id: 'points', stream: [{ id: 'p', kind: 'point' }, derived] })
    pointedUid = made.stream[1]!.uid
  }
  const setPoint = async () => {
    const atOnce = below(2) === 0 ? '&derMaxS&derTout' : ''
    const answer = await fetch(
      `${pick([service.url, second.url])}/api/feed?compId=points&p=${below(1000)}&api_key=${service.apiKey}${atOnce}`,
      { method: 'PUT' },
    )
    assert.equal(answer.status, 200, await answer.text())
    count('points')
  }
  const checkPoint = async () => {
    const [row] = await sql<[{ isSame: boolean | null; isThere: boolean; isStale: boolean }]>`
      select point_sample.num * 2 = last.num and point_sample.time = last.time as "isSame",
        point_sample.time is not null as "isThere", derivation.stale_from is not null as "isStale"
      from stream
      join derivation on derivation.stream_key = stream.key
      join derivation_source on derived_key = stream.key
      left join point_sample on point_sample.stream_key = source_key
      left join lateral (
        select num, time from sample where sample.stream_key = stream.key order by time desc limit 1
      ) as last on true
      where stream.uid = ${pointedUid}`
    if (row.isThere && !row.isStale) assert.equal(row.isSame, true, 'the stream derived from a point is not as that is')
  }

  let importUid = ''
  const settleImport = async () => {
    if (external === undefined) return
    await external.sql`create table r (c text, s text, t bigint, v double precision)`
    const { user } = await addPerson(service, 'admin')
    const made = await manage.ask('POST', '/api/connector', {
      type: 'import',
      name: 'meter',
      connectionUid: await addConnection(service, external.url),
      runningUserUid: user.uid,
      externalSql: 'select * from r',
      ingestSql:
        'INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT c, s, t, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 c STRING, 2 s STRING, 3 t LONG, 4 v DOUBLE)',
    })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    importUid = (made.body as { connector: { uid: string } }).connector.uid
  }
  const runImport = async () => {
    if (external === undefined) return
    await external.sql`truncate r`
    const chosen = streams.filter(({ id }) => (id === 'a' || id === 'b') && below(3) === 0)
    for (const { componentId, id } of chosen)
      for (let at = 0; at < 20; at += 1)
        if (below(4) > 0)
          await external.sql`
            insert into r values (
              ${componentId}, ${id}, ${noteTime(beginMs + below((nowMs - beginMs) / stepMs + 10) * stepMs)}, ${below(50)})`
    const { status, body } = await manage.ask('POST', `/api/connector/${importUid}/run`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal((body as { run: { error: string | null } }).run.error, null)
    for (const stream of chosen) touch(stream, false)
    note('imports')
    count('imports')
  }
  const erase = async () => {
    const stream = pick(streams.filter(({ derived }) => derived === undefined))
    const fromMs = beginMs + below((nowMs - beginMs) / stepMs + 1) * stepMs
    const toMs = fromMs + pick([1, hourMs, below(dayMs)])
    const path = `/api/comp/${stream.componentId}/stream/${stream.id}/feed?sd=${fromMs}&ed=${toMs}`
    const { status, body } = await manage.ask('DELETE', path)
    assert.equal(status, 200, JSON.stringify(body))
    touch(stream, false)
    note(`deletes ${stream.componentId}/${stream.id} ${iso(fromMs)} to ${iso(toMs)}`)
    count('deletes')
  }

  const pass = async ({ sql: pool, deriver }: (typeof workers)[number]) => {
    while (await deriver.deriveSome(pool));
  }
  /** Both servers at once, until there is nothing left to do. */
  const quiet = async () => {
    await Promise.all(workers.map(pass))
    await pass(workers[0]!)
    while (await workers[0]!.work(workers[0]!.sql, () => Date.now()));
    await pass(workers[0]!)
  }
  /** Uploads and passes of a server that is killed in the middle; what it has not answered is there or not. */
  const killOne = async () => {
    const directory = await newDirectory('derive')
    const server = await startServer({
      DATABASE_URL: service.databaseUrl,
      DATA_DIR: directory,
      MASTER_KEY: testMasterKey,
    })
    const uploads = Array.from({ length: 10 + below(20) }, async () => upload(server.url).catch(() => undefined))
    await sleep(below(1500))
    await server.end('SIGKILL')
    await Promise.all(uploads)
    for (const stream of streams) stream.onlyAppended = false
    note('kills a server')
    count('kills')
  }
  const ask = async () => {
    const stream = pick(derivedOnes())
    const fromMs = beginMs - dayMs + below((nowMs - beginMs) / stepMs + 200) * stepMs
    const body = pick([{}, {}, { from: fromMs }, { from: fromMs, to: fromMs + 1 + below(2 * dayMs) }])
    const { status } = await manage.ask('POST', `/api/stream/${stream.uid}/derive?wait=false`, body)
    assert.ok(status === 200 || status === 409, String(status))
    for (const each of behind(stream)) each.onlyAppended = false
    note(`asks for ${stream.id} ${JSON.stringify(body)}: ${status}`)
    count('requests')
    if (below(2) === 0) while (await pick(workers).work(workers[0]!.sql, () => Date.now()));
  }
  const stateOf = async (stream: GameStream): Promise<ShownState> =>
    (await manage.one('stream', stream.uid)) as unknown as ShownState

  const check = async () => {
    await quiet()
    await readStreams(sql, streams)
    for (const stream of inOrder()) {
      const state = await stateOf(stream)
      judge(oracleOf(stream), state, () => tale(stream))
      if (stream.onlyAppended) assert.equal(state.staleFrom, null, `${tale(stream)}\nnothing came late`)
    }
    await checkPoint()
    count('checks')
  }
  /** Everything that is behind is derived, and then equal everywhere. */
  const deriveAll = async () => {
    await quiet()
    for (const stream of inOrder()) {
      if ((await stateOf(stream)).staleFrom === null) continue
      await manage.ask('POST', `/api/stream/${stream.uid}/derive?wait=false`, {})
      await quiet()
      const state = await stateOf(stream)
      if (state.deriveError === null) {
        assert.equal(state.staleFrom, null, `${tale(stream)}\nis still behind after all was derived`)
        stream.onlyAppended = true
      }
    }
    note('derives all')
    await check()
  }
  const describeDerived = (stream: GameStream) =>
    `${stream.componentId}/${stream.id} ${stream.kind} ${stream.valueType} in ${stream.zone}: ${JSON.stringify(bodyOf(stream.derived!))}`
  const tale = (stream: GameStream): string =>
    `SEED=${seed} operation ${operation}: ${describeDerived(stream)}\n` +
    `sources: ${stream.derived!.variables.map(({ source }) => `${source.id} ${source.kind} ${source.valueType} ${source.values.size} samples`).join('; ')}\n` +
    log.join('\n')

  // A game that never ends would be known by its timeout alone.
  let watched = -1
  const watch = setInterval(() => {
    if (operation === watched) {
      const say = (text: string) => void process.stderr.write(`${text}\n`)
      say(`SEED=${seed} operation ${operation} has not ended for a minute\n${log.join('\n')}`)
      void sql`select state, wait_event, query from pg_stat_activity where datname = current_database()`.then(
        (sessions) => say(JSON.stringify(sessions)),
        (error: unknown) => say(String(error)),
      )
    }
    watched = operation
  }, 60_000).unref()

  try {
    await settle()
    await settleFleet()
    await settlePoint()
    await settleImport()
    for (let made = 0; made < 5; made += 1) await makeDerived()
    for (operation = 1; operation <= operations; operation += 1) {
      const what = below(100)
      if (what < 50) await upload()
      else if (what < 55) await Promise.all([upload(undefined, false), upload(undefined, false), pass(pick(workers))])
      else if (what < 58) await erase()
      else if (what < 60) await putFile()
      else if (what < 64 && streams.length < 60) await makeDerived()
      else if (what < 69) await editDerived()
      else if (what < 71) await editTemplate()
      else if (what < 78) await ask()
      else if (what < 80 && kills) await killOne()
      else if (what < 81 && kills) await runImport()
      else if (what < 83) await setPoint()
      else if (what < 88) await pass(pick(workers))
      else if (what < 97) await check()
      else await deriveAll()
      if (nowMs > beginMs + 12 * dayMs) nowMs = beginMs + below(12) * dayMs
      if (operation % 100 === 0) onProgress?.(operation, counts)
    }
    await deriveAll()
  } catch (error) {
    throw new Error(`SEED=${seed} operation ${operation}: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    })
  } finally {
    clearInterval(watch)
    await second.close()
    await service.close()
    await external?.drop()
  }
}

const rollUps = ['avg', 'sum', 'min', 'max', 'first', 'last', 'nongapcount'] as const

const iso = (ms: number) => new Date(ms).toISOString()

const oracleOf = (stream: GameStream): OracleDerivation => ({
  stream,
  formula: stream.derived!.formula,
  variables: stream.derived!.variables,
})

/** As docs/derived.md#expression-and-variables says. */
const typeOf = (kind: OracleStream['kind'], { stream, cycleId, statistic }: GameVariable): KnownType => {
  const { valueType } = stream
  const text = isText(stream)
  if (valueType === 'DOUBLE' || valueType === 'LONG') return 'number'
  const isRolledUp = cycleId !== undefined || kind === 'interval'
  if (!isRolledUp) return text ? 'text' : 'boolean'
  const by = statistic ?? (text ? 'last' : 'avg')
  if (by === 'nongapcount' || by === 'avg' || by === 'sum') return 'number'
  return text ? 'text' : 'boolean'
}
