// Expressions of derived streams, as they are saved (docs/management.md#derived-streams): only those that can be worked
// out. Nothing derives yet.
import assert from 'node:assert/strict'
import type { Manager } from '../support/manage.ts'
import { openManager } from '../support/manage.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

describe('the expressions of derived streams', () => {
  let service: TestService
  let manage: Manager
  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
    const stream = [
      { id: 'd' },
      { id: 'l', valueType: 'LONG' },
      { id: 'b', valueType: 'BOOLEAN' },
      { id: 's', valueType: 'STRING' },
      { id: 'f', valueType: 'FILE' },
    ]
    await manage.make('component', { id: 'src', stream })
    await manage.make('template', { id: 'tpl', stream })
  })
  after(() => service.close())

  const variables = ['d', 'l', 'b', 's', 'f'].map((streamId) => ({ name: streamId, streamId }))
  let last = 0
  const sources = variables.map(({ streamId }) => ({
    id: streamId,
    valueType: { d: 'DOUBLE', l: 'LONG', b: 'BOOLEAN', s: 'STRING', f: 'FILE' }[streamId],
  }))
  /** A component or template with a stream that is derived from its other ones. */
  const save = (noun: string, derived: object) =>
    manage.ask('POST', `/api/${noun}`, {
      id: `${noun}${++last}`,
      stream: [{ id: 'x', variables, ...derived }, ...sources],
    })

  const right: readonly [expression: string, more?: object][] = [
    ['(d - 32) * 5 / 9'],
    ['if(d > 10, 1, 0)'],
    ['CASE WHEN b THEN l ELSE 2.5 END'],
    ['D + "l" -- names ignore case'],
    ['Round(d, 2) + Len(s) + Year(l)'],
    ['Coalesce(Try_Cast(s AS DOUBLE), d)'],
    ['d > l', { valueType: 'BOOLEAN' }],
    ['d AND 1', { valueType: 'BOOLEAN' }],
    ['If(d > 10, 1, 0)', { valueType: 'BOOLEAN' }],
    ["d * '2'"],
    ["Try_Cast('x' AS DOUBLE)"],
    ['s + 1', { valueType: 'STRING' }],
    ['Left(s, 2)', { valueType: 'STRING' }],
    ['d', { kind: 'interval', baseCycleId: 'hour' }],
    ['t', { variables: [{ name: 't', streamId: 'd', offset: -10_000 }] }],
    ['t + 0', { kind: 'interval', baseCycleId: 'hour', variables: [{ name: 't', streamId: 'd', offset: -1_000_000 }] }],
    ['t + 1', { variables: [{ name: 't', streamId: 'd', cycleId: 'hour', offset: -1_000_000 }] }],
    [
      'n + t',
      {
        variables: [
          { name: 'n', streamId: 's', cycleId: 'day', statistic: 'nongapcount' },
          { name: 't', streamId: 'd', offset: -1 },
        ],
      },
    ],
  ]
  for (const [expression, more] of right)
    it(`are taken: ${expression}`, async () => {
      for (const noun of ['component', 'template']) {
        const { status, body } = await save(noun, { expression, ...more })
        assert.equal(status, 201, JSON.stringify(body))
      }
    })

  const wrong: readonly [expression: string, message: string, more?: object][] = [
    ['((( nonsense', 'line 1, column 13: the expression ends too early, expected )'],
    ['d +', 'line 1, column 4: the expression ends too early'],
    ['d d', "line 1, column 3: unexpected 'd'"],
    ['d; d', "line 1, column 2: unexpected ';', expected the end"],
    ['-- nothing', 'line 1, column 1: the expression is empty'],
    ['d +\n y', "line 2, column 2: unknown variable 'y'"],
    ['src.d', "line 1, column 1: unknown variable 'd'"],
    ['@HTTP_BODY', "line 1, column 1: unknown variable '@HTTP_BODY'"],
    ['Sqr(d)', "line 1, column 1: unknown function 'Sqr', did you mean Sqrt?"],
    ['Sqrt()', 'line 1, column 1: Sqrt takes 1 argument, not 0'],
    ['Sum(d)', "line 1, column 1: Sum cannot stand in a stream's expression"],
    ['(SELECT 1)', "line 1, column 1: a query cannot stand in a stream's expression"],
    ['d IN (SELECT 1)', "line 1, column 1: a query cannot stand in a stream's expression"],
    ['EXISTS (SELECT 1 FROM Stream)', "line 1, column 1: a query cannot stand in a stream's expression"],
    ['sample(Range(last=1))', "line 1, column 14: unknown variable 'last'"],
    ['Cast(d AS MONEY)', "line 1, column 11: unknown type 'MONEY'"],
    [
      "DateTrunc('eon', l)",
      "line 1, column 11: unknown unit 'eon', there are second, minute, hour, day, week, month, quarter, year",
    ],
    [
      'd + t',
      "line 1, column 5: variable 't' looks back at more than 10000 samples",
      {
        variables: [
          { name: 'd', streamId: 'd' },
          { name: 't', streamId: 'd', offset: -10_001 },
        ],
      },
    ],
    ["'abc'", 'line 1, column 1: it gives a text, and the stream is DOUBLE'],
    ['Left(s, 2)', 'line 1, column 1: it gives a text, and the stream is LONG', { valueType: 'LONG' }],
    ['d AND 1', 'line 1, column 1: it gives TRUE or FALSE, and the stream is DOUBLE: If(..., 1, 0) gives a number'],
    ['d > 5', 'line 1, column 1: it gives TRUE or FALSE, and the stream is LONG', { valueType: 'LONG' }],
    ["d * 'x'", "line 1, column 5: 'x' is not a DOUBLE"],
    ["1 + -Sqrt('x')", "line 1, column 11: 'x' is not a DOUBLE"],
    ["If(d = 'many', 1, 0)", "line 1, column 8: 'many' is not a DOUBLE"],
    ["Cast('maybe' AS BOOLEAN)", "line 1, column 6: 'maybe' is not a BOOLEAN", { valueType: 'BOOLEAN' }],
    ["Year('soon')", "line 1, column 6: 'soon' is not a LONG"],
    [
      'd + x',
      "line 1, column 5: by variable 'x' the stream is derived from itself: x → x",
      { variables: [...variables, { name: 'x', streamId: 'x' }] },
    ],
    [
      'd + y',
      "line 1, column 5: variable 'y' names no stream: there is no 'nope'",
      { variables: [...variables, { name: 'y', streamId: 'nope' }] },
    ],
    [
      'd',
      "line 1, column 1: variable 'd' names no cycle: there is no 'eon'",
      { variables: [{ name: 'd', streamId: 'd', cycleId: 'eon' }] },
    ],
  ]
  for (const [expression, message, more] of wrong)
    it(`are refused: ${expression}: ${message}`, async () => {
      for (const noun of ['component', 'template']) {
        const { status, body } = await save(noun, { expression, ...more })
        const { code, message: told, line, column } = body as Record<string, unknown>
        assert.equal(status, 400, JSON.stringify(body))
        assert.equal(code, 'script_error')
        assert.ok(String(told).startsWith(`the expression of stream 'x', ${message}`), String(told))
        const [, atLine, atColumn] = /line (\d+), column (\d+)/.exec(message)!
        assert.deepEqual([line, column], [Number(atLine), Number(atColumn)])
        const list = (await manage.ask('GET', `/api/${noun}?text=${noun}${last}`)).body as Record<string, unknown>
        assert.equal(list['totalCount'], 0)
      }
    })

  it('have a thousand words at most, and are not read any further', async () => {
    const most = `d IN (${Array(498).fill('1').join()}) `
    assert.equal((await save('component', { expression: `If(${most}, 1, 2)` })).status, 400)
    const { status, body } = await save('component', { expression: most, valueType: 'BOOLEAN' })
    assert.equal(status, 201, JSON.stringify(body))
    const long = await save('component', { expression: `d${' + d'.repeat(2000)}` })
    assert.equal(long.status, 400)
    assert.match(JSON.stringify(long.body), /line 1, column 2001: more than 1000 names, numbers, texts and signs/)
  })

  it('are refused in a stream that is made or changed alone', async () => {
    const { uid } = await manage.make('component', { id: 'alone', stream: sources })
    const bad = { expression: '((( nonsense', variables }
    assert.equal((await manage.ask('POST', '/api/stream', { componentUid: uid, id: 'x', ...bad })).status, 400)
    const made = await manage.make('stream', { componentUid: uid, id: 'x', expression: 'd', variables })
    assert.equal((await manage.ask('PUT', `/api/stream/${made.uid}`, bad)).status, 400)
    assert.equal((await manage.ask('PUT', `/api/stream/${made.uid}`, { variables: [] })).status, 400)
    const nowhere = [{ name: 'd', componentId: 'nobody', streamId: 'd' }]
    assert.equal((await manage.ask('PUT', `/api/stream/${made.uid}`, { variables: nowhere })).status, 400)
    assert.equal((await manage.ask('PUT', `/api/stream/${made.uid}`, { expression: 's' })).status, 400)
    assert.equal(
      (await manage.ask('PUT', `/api/stream/${made.uid}`, { expression: 's', valueType: 'STRING' })).status,
      200,
    )
    assert.equal((await manage.ask('PUT', `/api/stream/${made.uid}`, { valueType: 'DOUBLE' })).status, 400)
    assert.equal((await manage.ask('PUT', `/api/stream/${made.uid}`, { name: 'renamed' })).status, 200)
  })

  it('may use streams that the same call makes, in any order', async () => {
    const chain = [
      { id: 'c', expression: 'v * 2', variables: [{ name: 'v', streamId: 'b' }] },
      { id: 'b', expression: 'v + 1', variables: [{ name: 'v', streamId: 'a' }] },
      { id: 'a' },
    ]
    const { uid, stream } = await manage.make('component', { id: 'chain', stream: chain })
    const list = [
      ...stream.map((each) => ({ uid: each.uid })),
      { id: 'e', expression: 'v', variables: [{ name: 'v', streamId: 'f' }] },
      { id: 'f' },
    ]
    assert.equal((await manage.ask('PUT', `/api/component/${uid}`, { stream: list })).status, 200)
  })

  it('make no circle, in one component or over several', async () => {
    const from = (streamId: string, componentId?: string) => ({
      expression: 'v',
      variables: [{ name: 'v', streamId, ...(componentId === undefined ? {} : { componentId }) }],
    })
    const ring = [
      { id: 'a', ...from('b') },
      { id: 'b', ...from('c') },
      { id: 'c', ...from('a') },
    ]
    const refused = await manage.ask('POST', '/api/component', { id: 'ring', stream: ring })
    assert.equal(refused.status, 400)
    assert.match(JSON.stringify(refused.body), /by variable 'v' the stream is derived from itself: a → b → c → a/)
    const one = await manage.make('component', { id: 'one', stream: [{ id: 'a' }] })
    await manage.make('component', { id: 'two', stream: [{ id: 'a', ...from('a', 'one') }] })
    await manage.make('component', { id: 'three', stream: [{ id: 'a', ...from('a', 'two') }] })
    const closing = await manage.ask('PUT', `/api/stream/${one.stream[0]!.uid}`, from('a', 'three'))
    assert.equal(closing.status, 400)
    assert.match(JSON.stringify(closing.body), /derived from itself: a → three\/a → two\/a → a/)
    assert.equal((await manage.ask('PUT', `/api/stream/${one.stream[0]!.uid}`, from('a', 'one'))).status, 400)
  })

  it('make no circle when both halves of it come at once', async () => {
    for (const round of [1, 2, 3, 4, 5]) {
      const [x, y] = [`x${round}`, `y${round}`]
      const [one, two] = await Promise.all([x, y].map((id) => manage.make('component', { id, stream: [{ id: 'a' }] })))
      const from = (componentId: string) => ({
        expression: 'v',
        variables: [{ name: 'v', streamId: 'a', componentId }],
      })
      const answers = await Promise.all([
        manage.ask('PUT', `/api/stream/${one!.stream[0]!.uid}`, from(y)),
        manage.ask('PUT', `/api/stream/${two!.stream[0]!.uid}`, from(x)),
      ])
      assert.deepEqual(
        answers.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 400],
      )
    }
  })

  it('are checked in one call for a thousand streams in a row, but have a limit together', async () => {
    const row = (expression: string, isEachOther = false) =>
      Array.from({ length: 1000 }, (_, index) =>
        index === 0
          ? { id: 'v0' }
          : {
              id: `v${index}`,
              expression: isEachOther ? `${expression}${index}` : expression,
              variables: [{ name: 'v', streamId: `v${index - 1}` }],
            },
      )
    assert.equal((await manage.ask('POST', '/api/component', { id: 'row', stream: row('v + 1') })).status, 201)
    const ring = row('v').with(0, { id: 'v0', expression: 'v', variables: [{ name: 'v', streamId: 'v999' }] })
    const closed = await manage.ask('POST', '/api/component', { id: 'ring of 1000', stream: ring })
    assert.equal(closed.status, 400)
    assert.match(JSON.stringify(closed.body), /itself: v0 → v999 → v998 → v997 → v996 → … \(991 more\) → v4 →/)
    const long = `v + ${'0'.repeat(200)}`
    const { status, body } = await manage.ask('POST', '/api/component', { id: 'long', stream: row(long, true) })
    assert.equal(status, 400)
    assert.match(JSON.stringify(body), /more than 100000 characters together/)
  })
})
