// Writes of scripts, over HTTP: a refusal of the write is reported with its place in the script; gaps; counts.
import assert from 'node:assert/strict'
import type { Client } from '../support/http.ts'
import { addPerson } from '../support/http.ts'
import { addApiKey } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'

const nowMs = 1_700_000_000_000
const hourMs = 3_600_000
const firstHourMs = 1_699_920_000_000

describe('writes of scripts', () => {
  let service: TestService
  let admin: Client
  let userUid: string
  let sinkKey: string
  let made = 0
  before(async () => {
    service = await openTestService({}, openTestClock(nowMs))
    const person = await addPerson(service, 'admin')
    admin = person.call
    userUid = person.user.uid
    const capability = { resource: 'connector/*/sink', methods: ['POST'] as const }
    sinkKey = (await addApiKey(service.sql, service.organizationUid, [capability])).secret
    const stream = [
      { id: 'd', valueType: 'DOUBLE' },
      { id: 's', valueType: 'STRING' },
      { id: 'f', valueType: 'FILE' },
      { id: 'h', valueType: 'DOUBLE', kind: 'interval', baseCycleId: 'hour' },
    ]
    const { status, body } = await admin('POST', '/api/component', { id: 'u', stream })
    assert.equal(status, 201, JSON.stringify(body))
    assert.equal((await admin('POST', '/api/template', { id: 'tpl', stream: [{ id: 'x' }] })).status, 201)
  })
  after(() => service.close())

  const sinkOf = async (sql: string) => {
    made += 1
    const input = { name: `c${made}`, endpoint: `e${made}`, runAsUserUid: userUid, timeZone: 'UTC', sql }
    const { status, body } = await admin('POST', '/api/connector', input)
    assert.equal(status, 201, JSON.stringify(body))
    const { uid, endpoint } = (body as { connector: { uid: string; endpoint: string } }).connector
    const path = `/api/conn_sink/${service.organizationUid}/${endpoint}?api_key=${sinkKey}`
    return { uid, push: (text = '') => service.request('POST', path, { body: text }) }
  }
  const run = async (s: string) => (await admin('POST', '/api/gql', { s })).body
  const insert = 'INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE)'

  /** Each stores nothing, not even what stands before it. */
  const refused: readonly [script: string, message: string][] = [
    [
      `${insert} VALUES ('u', 'd', 1, 1);\n${insert} VALUES ('u', 'd', 2, 2),\n  ('u', 'd', 3, 'x')`,
      "line 3, column 17: row 2: stream 'd' of component 'u' is DOUBLE and cannot take 'x'",
    ],
    [
      `${insert} SELECT 'u', 'd', 1, 1;\n${insert}\nSELECT 'u', 'd', 2, v FROM CSV_TABLE('1\ny') WITH (1 v STRING)`,
      "line 3, column 21: row 2: stream 'd' of component 'u' is DOUBLE and cannot take 'y'",
    ],
    [
      `${insert} SELECT 'u', 'd', 1, 1 UNION ALL SELECT 'u', 'd', 2, 'x'`,
      "line 1, column 35: row 2: stream 'd' of component 'u' is DOUBLE and cannot take 'x'",
    ],
    [
      `${insert} SELECT 'u', 's', 1, RPad('', 65537, 'x')`,
      "line 1, column 63: row 1: stream 's' of component 'u' cannot take a text of more than 65536 characters",
    ],
    [
      `${insert} SELECT 'u', 'f', 1, 'x'`,
      "line 1, column 63: row 1: stream 'f' of component 'u' is FILE and cannot take 'x'",
    ],
    [
      `${insert} VALUES ('new', 'a', 1, 1), ('new', 'b', 1, 'inf')`,
      "line 1, column 86: row 2: stream 'b' of component 'new' cannot take 'inf'",
    ],
    [
      `SELECT 1;\n  ${insert} VALUES ('u', 'h', 1, 1), ('u', 'h', ${nowMs}, 1)`,
      'line 2, column 3: the uploaded times leave more than 100,000 intervals to fill with nulls',
    ],
    [`${insert} WITH (COMPTMPLID = 'nope') VALUES ('new', 'a', 1, 1)`, "line 1, column 62: template 'nope' not found"],
    [
      `${insert} WITH (DTID = 'nope', DSID = 'x') VALUES ('new', 'a', 1, 1)`,
      "line 1, column 56: template 'nope' not found",
    ],
    [
      `${insert} WITH (DTID = 'tpl', DSID = 'nope') VALUES ('new', 'a', 1, 1)`,
      "line 1, column 70: stream 'nope' not found",
    ],
    [
      `SET @f = '/Other';\n${insert} WITH (FOLDER = @f) VALUES ('new', 'a', 1, 1)`,
      "line 2, column 58: folder must be /Components or below it, not '/Other'",
    ],
    [
      `SET @s = Left(NULL, 1);\n${insert} WITH (DTID = 'tpl', DSID = @s) VALUES ('new', 'a', 1, 1)`,
      'line 2, column 56: DTID and DSID go together',
    ],
    [
      `${insert} VALUES ('u', 'd', 77, 1);\nUPDATE SAMPLE SET SAMPLE = 'x'\nWHERE CID = 'u' AND ID = 'd' AND TIME = 5`,
      "line 2, column 28: stream 'd' of component 'u' is DOUBLE and cannot take 'x'",
    ],
  ]
  it('make streams of the type that their values have: a text that is a number stays a text', async () => {
    const values = [
      "('types', 'number', 1, 21.5)",
      "('types', 'text', 1, '21.5')",
      "('types', 'boolean', 1, TRUE)",
      "('types', 'null', 1, NULL)",
    ]
    await run(`${insert} VALUES ${values.join(', ')}`)
    const { rows } = (await run("SELECT id, valueType FROM Stream WHERE cid = 'types' ORDER BY id")) as {
      rows: unknown
    }
    assert.deepEqual(rows, [
      ['boolean', 'STRING'],
      ['null', 'DOUBLE'],
      ['number', 'DOUBLE'],
      ['text', 'STRING'],
    ])
  })

  for (const [script, message] of refused)
    it(`are refused with line and column: ${message}`, async () => {
      await service.put('/api/feed?compId=u&d=5&time=5')
      const before = (await service.get('/api/comp/u/feed?retStreamId')).text
      const { push } = await sinkOf(script)
      const { status, json } = await push()
      assert.equal(status, 400)
      const [, line, column] = /^line (\d+), column (\d+): /.exec(message)!
      assert.deepEqual(json, {
        success: false,
        code: 'script_error',
        message,
        line: Number(line),
        column: Number(column),
      })
      assert.equal((await service.get('/api/comp/u/feed?retStreamId')).text, before)
      assert.equal((await service.get('/api/comp/new/feed')).status, 404)
    })

  for (const [option, place, message] of [
    ["DSID = 's'", 49, 'DTID and DSID go together'],
    ["FOLDER = '/Other'", 58, "folder must be /Components or below it, not '/Other'"],
  ] as const)
    it(`are not even saved with ${option}`, async () => {
      const sql = `${insert} WITH (${option}) VALUES ('new', 'a', 1, 1)`
      const input = { name: 'x', endpoint: 'never', runAsUserUid: userUid, sql }
      const { status, body } = await admin('POST', '/api/connector', input)
      assert.equal(status, 400)
      assert.equal((body as { message: string }).message, `line 1, column ${place}: ${message}`)
    })

  it('leave the gap between two INSERTs of a script, and fill the gaps within each', async () => {
    const hour = (nth: number) => firstHourMs + nth * hourMs
    const values = (...given: readonly (readonly [number, number])[]) =>
      `${insert} VALUES ${given.map(([nth, value]) => `('u', 'h', ${hour(nth)}, ${value})`).join(', ')};`
    await run(values([1, 1], [2, 2], [3, 3], [4, 4], [5, 5], [6, 6], [7, 7]))
    const { push } = await sinkOf(`${values([7, 70], [5, 50])} ${values([1, 10])}`)
    assert.equal((await push()).status, 200)
    const { json } = await service.get('/api/comp/u/stream/h/feed')
    assert.deepEqual(
      (json as { data: number | null }[]).map(({ data }) => data),
      [70, null, 50, 4, 3, 2, 10],
    )
  })

  it('fill the gaps of one INSERT whose rows come in several batches', async () => {
    const far = firstHourMs + 100 * hourMs
    const lines = Array.from({ length: 10_001 }, (_, row) => (row === 10_000 ? far + 2 * hourMs : far))
    const { push } = await sinkOf(`${insert} SELECT 'u', 'h', t, 1 FROM CSV_TABLE(@HTTP_BODY) WITH (1 t LONG)`)
    assert.equal((await push(lines.join('\n'))).status, 200)
    const { json } = await service.get(`/api/comp/u/stream/h/feed?sd=${far}&ed=${far + 3 * hourMs}`)
    assert.deepEqual(
      (json as { data: number | null }[]).map(({ data }) => data),
      [1, null, 1],
    )
  })

  it('are counted, updates and deletes too where a script has them', async () => {
    await run(`${insert} VALUES ('n', 'a', 1, 1), ('n', 'a', 2, 2), ('n', 'a', 3, 3)`)
    const { uid, push } = await sinkOf(`
      ${insert} VALUES ('n', 'a', 9, 9);
      UPDATE SAMPLE SET SAMPLE = SAMPLE * 10 WHERE CID = 'n' AND ID = 'a' AND TIME < 3;
      DELETE FROM SAMPLE WHERE CID = 'n' AND ID = 'a' AND TIME = 3;
      DELETE FROM SAMPLE WHERE CID = 'nobody' AND ID = 'a'`)
    assert.equal((await push()).text, '{"success":true,"message":"","inserted":1,"updated":2,"deleted":1}')
    const { call } = (await admin('GET', `/api/connector/${uid}/call`)).body as { call: { rows: number }[] }
    assert.deepEqual(
      call.map(({ rows }) => rows),
      [4],
    )
    const none = (await run("DELETE FROM SAMPLE WHERE CID = 'nobody' AND ID = 'a'")) as object
    assert.deepEqual(none, { success: true, message: '', cols: [], rows: [], inserted: 0, deleted: 0 })
    const trial = await admin('POST', '/api/connector/test', {
      sql: `${insert} VALUES ('n', 'a', 7, 7); UPDATE SAMPLE SET SAMPLE = 0 WHERE CID = 'n' AND ID = 'a'`,
    })
    assert.deepEqual(trial.body, {
      success: true,
      message: '',
      rows: [{ cid: 'n', id: 'a', time: 7, sample: 7 }],
      updated: 3,
    })
    assert.deepEqual(
      ((await service.get('/api/comp/n/feed')).json as { data: number }[]).map(({ data }) => data),
      [9, 20, 10],
    )
  })

  it('are refused where they are older than is kept, with the place of the time', async () => {
    const path = `/api/organization/${service.organizationUid}`
    assert.equal((await admin('PUT', path, { retentionDays: 30 })).status, 200)
    const { push } = await sinkOf(`${insert} VALUES ('u', 'd', ${nowMs}, 1), ('u', 'd', 1000, 1)`)
    assert.equal(
      ((await push()).json as { message: string }).message,
      `line 1, column 91: row 2: time 1000 is older than the organization keeps samples: retentionDays is 30, the oldest time ${nowMs - 30 * 86_400_000}`,
    )
  })
})
