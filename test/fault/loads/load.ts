// The kinds of load under which things are killed (test/fault/mixed.load.ts). Each does one thing over and over, remembers
// what was acknowledged, and judges at the end what is stored: all that was acknowledged, and nothing by half.
import assert from 'node:assert/strict'
import type { Pool } from '../../src/base/database/sql.ts'
import type { Random } from '../support/random.ts'
import { openRandom } from '../support/random.ts'
import { eventually } from '../support/within.ts'

export type Load = {
  readonly name: string
  /** Whether it was acknowledged. */
  readonly step: () => Promise<boolean>
  readonly judge: () => Promise<void>
}

export type Doors = {
  /** By the owner's session. Undefined when there was no answer, or one of 503. */
  readonly ask: (method: string, path: string, body?: unknown) => Promise<unknown>
  /** As `ask`, for replies that are no JSON. */
  readonly askBytes: (method: string, path: string, body?: Uint8Array<ArrayBuffer>) => Promise<Buffer | undefined>
  /** All samples of a stream, by time, latest first. */
  readonly samples: (compId: string, streamId: string) => Promise<ReadonlyMap<number, unknown>>
}

const put = async ({ askBytes }: Doors, query: string, body?: unknown): Promise<boolean> => {
  const bytes = body === undefined ? undefined : Uint8Array.from(Buffer.from(JSON.stringify(body)))
  return (await askBytes('PUT', `/api/feed?${query}`, bytes)) !== undefined
}

/** Asserts that each of the acknowledged samples is there. */
const assertKept = (stored: ReadonlyMap<number, unknown>, acknowledged: ReadonlyMap<number, unknown>, name: string) => {
  const lost = [...acknowledged].filter(([time, value]) => stored.get(time) !== value)
  assert.deepEqual(
    lost.slice(0, 5),
    [],
    `${name}: ${lost.length} of ${acknowledged.size} acknowledged samples are lost`,
  )
}

/** One sample in the URL. */
export const appends = (doors: Doors, compId: string): Load => {
  const acknowledged = new Map<number, number>()
  let next = 0
  return {
    name: `appends to ${compId}`,
    step: async () => {
      const n = (next += 1)
      if (!(await put(doors, `compId=${compId}&a=${n}&time=${n}`))) return false
      acknowledged.set(n, n)
      return true
    },
    judge: async () => {
      const stored = await doors.samples(compId, 'a')
      assertKept(stored, acknowledged, compId)
      for (const [time, value] of stored) assert.equal(value, time)
    },
  }
}

/** Twenty times of two streams in one body, which are stored together or not at all. */
export const arrays = (doors: Doors): Load => {
  const acknowledged = new Map<number, number>()
  let next = 0
  return {
    name: 'arrays',
    step: async () => {
      const times = Array.from({ length: 20 }, () => (next += 1))
      const body = times.flatMap((time) =>
        ['a', 'b'].map((streamId) => ({ compId: 'Array', streamId, data: time, time })),
      )
      if (!(await put(doors, '', body))) return false
      for (const time of times) acknowledged.set(time, time)
      return true
    },
    judge: async () => {
      for (const streamId of ['a', 'b']) assertKept(await doors.samples('Array', streamId), acknowledged, streamId)
      const [a, b] = [await doors.samples('Array', 'a'), await doors.samples('Array', 'b')]
      for (let first = 1; first <= next; first += 20) {
        const kept = Array.from({ length: 20 }, (_, at) => Number(a.has(first + at)) + Number(b.has(first + at)))
        assert.ok(new Set(kept).size === 1 && kept[0] !== 1, `half of the array from ${first} on: ${kept.join()}`)
      }
    },
  }
}

/** The same time again and again: what is there is never older than what was acknowledged. */
export const overwrites = (doors: Doors): Load => {
  let acknowledged = 0
  let next = 0
  return {
    name: 'overwrites',
    step: async () => {
      const value = (next += 1)
      if (!(await put(doors, `compId=Over&a=${value}&time=5`))) return false
      acknowledged = value
      return true
    },
    judge: async () => {
      const stored = (await doors.samples('Over', 'a')).get(5) as number
      assert.ok(stored >= acknowledged, `${stored} is older than the acknowledged ${acknowledged}`)
    },
  }
}

/** Components that are created by their first upload. */
export const creations = (doors: Doors): Load => {
  const acknowledged: string[] = []
  let next = 0
  return {
    name: 'creations',
    step: async () => {
      const id = `Made-${(next += 1)}`
      if (!(await put(doors, `compId=${id}&x=1&y=2&time=7`))) return false
      acknowledged.push(id)
      return true
    },
    judge: async () => {
      for (const id of acknowledged) {
        const stored = [await doors.samples(id, 'x'), await doors.samples(id, 'y')]
        assert.deepEqual(stored, [new Map([[7, 1]]), new Map([[7, 2]])], id)
      }
    },
  }
}

/** Files of several pieces, each told by its time: it is there with every byte, or not at all. */
export const files = (doors: Doors): Load => {
  const acknowledged: number[] = []
  let next = 0
  const path = '/api/comp/Gate/stream/photo/feed/file/a.bin'
  const contentOf = (time: number) => Uint8Array.from(openRandom(time).bytes(100_000 + 1000 * (time % 700)))
  return {
    name: 'files',
    step: async () => {
      const time = (next += 1)
      if ((await doors.askBytes('PUT', `${path}?time=${time}`, contentOf(time))) === undefined) return false
      acknowledged.push(time)
      return true
    },
    judge: async () => {
      const stored = await doors.samples('Gate', 'photo')
      for (const time of acknowledged) assert.ok(stored.has(time), `file ${time} is lost`)
      for (const [time, place] of stored) {
        const content = await doors.askBytes('GET', place as string)
        assert.ok(content!.equals(Buffer.from(contentOf(time))), `file ${time} has other bytes`)
      }
    },
  }
}

/** A connector's script that stores three samples of each call. */
export const sinkCalls = async (doors: Doors, owner: Owner): Promise<Load> => {
  const sql = `
    INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
    SELECT 'Sink', s, t, t FROM JSON_TABLE(@HTTP_BODY) WITH (s String '$.rows[*].s', t Long '$.rows[*].t')`
  await doors.ask('POST', '/api/connector', {
    type: 'http',
    name: 'sink',
    endpoint: 'sink',
    runAsUserUid: owner.uid,
    sql,
  })
  const key = { name: 'sink', capabilities: [{ resource: 'connector/*/sink', methods: ['POST'] }] }
  const made = (await doors.ask('POST', '/api/api_key', key)) as { api_key: { secret: string } }
  const streamIds = ['a', 'b', 'c']
  const acknowledged = new Map<number, number>()
  let next = 0
  return {
    name: 'calls of a sink',
    step: async () => {
      const t = (next += 1)
      const rows = streamIds.map((s) => ({ s, t }))
      const path = `/api/conn_sink/${owner.organizationUid}/sink?api_key=${made.api_key.secret}`
      if ((await doors.ask('POST', path, { rows })) === undefined) return false
      acknowledged.set(t, t)
      return true
    },
    judge: async () => {
      const stored = await Promise.all(streamIds.map((streamId) => doors.samples('Sink', streamId)))
      for (const one of stored) assertKept(one, acknowledged, 'Sink')
      for (const one of stored) assert.deepEqual([...one.keys()], [...stored[0]!.keys()], 'half of a call')
    },
  }
}

/** Ten samples each time, which are deleted at once: all of them, or none. */
export const deletions = (doors: Doors): Load => {
  const deleted: number[] = []
  let next = 0
  return {
    name: 'deletions',
    step: async () => {
      const first = next * 10 + 1
      next += 1
      const times = Array.from({ length: 10 }, (_, at) => first + at)
      if (!(await put(doors, `compId=Gone&a=${times.join()}&time=${times.join()}`))) return false
      const span = `sd=${first}&ed=${first + 10}`
      if ((await doors.ask('DELETE', `/api/comp/Gone/stream/a/feed?${span}`)) === undefined) return false
      deleted.push(first)
      return true
    },
    judge: async () => {
      const stored = await doors.samples('Gone', 'a')
      for (const first of deleted) assert.ok(!stored.has(first), `what was deleted at ${first} is there again`)
      for (let first = 1; first <= next * 10; first += 10) {
        const kept = Array.from({ length: 10 }, (_, at) => stored.has(first + at))
        assert.equal(new Set(kept).size, 1, `half of a deletion at ${first}`)
      }
    },
  }
}

/** A chain of two derived streams, at once and in the background: each has a sample for each of its source's. */
export const derivations = async (doors: Doors, { integer }: Random): Promise<Load> => {
  const source = (id: string, expression: string, streamId: string) => ({
    id,
    expression,
    variables: [{ name: 'v', streamId }],
  })
  const stream = [{ id: 'a' }, source('twice', 'v * 2', 'a'), source('more', 'v + 1', 'twice')]
  const { component } = (await doors.ask('POST', '/api/component', { id: 'Derived', stream })) as {
    component: { stream: { uid: string; id: string }[] }
  }
  const acknowledged = new Map<number, number>()
  let next = 0
  const uidOf = (id: string) => component.stream.find((one) => one.id === id)!.uid
  const isBehind = async (uid: string) => {
    const shown = (await doors.ask('GET', `/api/stream/${uid}`)) as { stream: { staleFrom: number | null } }
    return shown.stream.staleFrom !== null
  }
  return {
    name: 'derivations',
    step: async () => {
      const n = (next += 1)
      const atOnce = integer(2) === 0 ? '&derMaxS=2&derTout=1000' : ''
      if (!(await put(doors, `compId=Derived&a=${n}&time=${n}${atOnce}`))) return false
      acknowledged.set(n, n)
      return true
    },
    judge: async () => {
      const stored = await doors.samples('Derived', 'a')
      assertKept(stored, acknowledged, 'Derived')
      // A sample whose upload was never answered may have come behind the next one's, and late ones derive on request.
      for (const id of ['twice', 'more'])
        if (await isBehind(uidOf(id))) await doors.ask('POST', `/api/stream/${uidOf(id)}/derive`, {})
      const expected = (more: number) => new Map([...stored.keys()].map((time) => [time, time * 2 + more]))
      await eventually(async () => (await doors.samples('Derived', 'more')).size === stored.size)
      assert.deepEqual(await doors.samples('Derived', 'twice'), expected(0))
      assert.deepEqual(await doors.samples('Derived', 'more'), expected(1))
    },
  }
}

const dayMs = 86_400_000

/** Years of samples, in order and late, while tiles are made of them: the days' sums are those of the samples. */
export const history = (doors: Doors, { integer }: Random): Load => {
  const firstMs = Date.parse('2024-01-01T00:00:00Z')
  const acknowledged = new Map<number, number>()
  let next = 0
  return {
    name: 'history',
    step: async () => {
      next += 1
      const dayStartMs = firstMs + (next % 600) * dayMs
      const times = [dayStartMs, ...Array.from({ length: 49 }, () => dayStartMs + integer(86_400) * 1000)]
      const body = [...new Set(times)].map((time) => ({
        compId: 'History',
        streamId: 'a',
        data: (time / 1000) % 1000,
        time,
      }))
      if (!(await put(doors, '', body))) return false
      for (const { time, data } of body) acknowledged.set(time, data)
      return true
    },
    judge: async () => {
      const stored = await doors.samples('History', 'a')
      assertKept(stored, acknowledged, 'History')
      const sums = new Map<number, number>()
      for (const [time, value] of stored) {
        // A sample of midnight is the first of its day.
        const end = (Math.floor(time / dayMs) + 1) * dayMs
        sums.set(end, (sums.get(end) ?? 0) + (value as number))
      }
      const shown = (await doors.ask(
        'GET',
        '/api/comp/History/stream/a/cycle/day/stat/sum/feed?limit=1000&sd=0&ed=4102444800000',
      )) as {
        time: number
        data: number
      }[]
      assert.deepEqual(
        new Map(shown.map(({ time, data }) => [time, data])),
        new Map([...sums].toSorted(([a], [b]) => b - a)),
      )
    },
  }
}

export type Owner = { readonly uid: string; readonly organizationUid: string }

/** Rows of an external database: a run that succeeded has stored all that was committed before, and no row twice. */
export const imports = async (
  doors: Doors,
  owner: Owner,
  external: { readonly sql: Pool; readonly connection: object },
): Promise<Load> => {
  await external.sql`create table reading (at bigint primary key, v double precision)`
  const { connection } = (await doors.ask('POST', '/api/connection', external.connection)) as {
    connection: { uid: string }
  }
  const { connector } = (await doors.ask('POST', '/api/connector', {
    type: 'import',
    name: 'import',
    connectionUid: connection.uid,
    runningUserUid: owner.uid,
    externalSql: 'select at, v from reading',
    ingestSql: `
      INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)
      SELECT 'Import', 'v', t, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 t LONG, 2 v DOUBLE)`,
  })) as { connector: { uid: string } }
  const run = async () => {
    const answer = (await doors.ask('POST', `/api/connector/${connector.uid}/run`)) as { success: boolean } | undefined
    return answer?.success === true
  }
  const committed = new Map<number, number>()
  let kept = 0
  return {
    name: 'imports',
    step: async () => {
      const first = committed.size + 1
      await external.sql`insert into reading select n, n * 2 from generate_series(${first}::bigint, ${first + 199}::bigint) n`
      for (let at = first; at < first + 200; at += 1) committed.set(at, at * 2)
      if (!(await run())) return false
      kept = committed.size
      return true
    },
    judge: async () => {
      const before = await doors.samples('Import', 'v')
      assert.ok(before.size >= kept && before.size % 200 === 0, `${before.size} samples of ${kept} that were imported`)
      await eventually(run)
      assert.deepEqual(await doors.samples('Import', 'v'), new Map([...committed].toReversed()))
    },
  }
}
