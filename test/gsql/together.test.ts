import assert from 'node:assert/strict'
import { onOwnConnection } from '../../src/base/database/pool.ts'
import type { Emitted } from '../../src/gsql/emit/emitted.ts'
import { askTogether } from '../../src/gsql/run/together.ts'
import type { Ways } from '../../src/gsql/run/together.ts'
import { messageOf, openScripts, rowsOf, testLimits } from './scripts.ts'
import type { Scripts } from './scripts.ts'

describe('calls of one script at the same time', () => {
  let scripts: Scripts
  before(async () => (scripts = await openScripts()))
  after(() => scripts.close())

  const script = `
    SELECT Upper(d), Cast(v AS LONG) + 1, @HTTP_METHOD + '!', Now()
    FROM JSON_TABLE(@HTTP_BODY) WITH (d String '$.d', v String '$.list[*]')`
  const run = (number: number, list: readonly unknown[]) =>
    scripts.run(script, {
      variables: { HTTP_BODY: JSON.stringify({ d: `d"\\${number}`, list }), HTTP_METHOD: `m${number}` },
      nowMs: number,
    })
  const numbers = Array.from({ length: 60 }, (_, number) => number)

  it('have an error of their own each, and spoil nobody else', async () => {
    const all = await Promise.allSettled(
      numbers.map((number) =>
        number % 7 === 3 ? messageOf(run(number, [`x${number}`])) : rowsOf(run(number, [number])),
      ),
    )
    for (const [number, settled] of all.entries())
      assert.deepEqual(settled, {
        status: 'fulfilled',
        value:
          number % 7 === 3
            ? `line 2, column 27: 'x${number}' is not a LONG`
            : [[`D"\\${number}`, number + 1, `m${number}!`, number]],
      })
  })

  it('have rows of their own each, none and many', async () => {
    const all = await Promise.all(numbers.map((number) => rowsOf(run(number, numbers.slice(0, number % 5)))))
    for (const [number, rows] of all.entries())
      assert.deepEqual(
        rows,
        numbers.slice(0, number % 5).map((one) => [`D"\\${number}`, one + 1, `m${number}!`, number]),
      )
  })

  it('are asked in one query where they arrive together', async () => {
    const emitted: Emitted = {
      text: 'select $1::text as c1',
      parameters: [{ kind: 'variable', name: 'x', type: 'STRING' }],
    }
    let queries = 0
    const ways: Ways = {
      single: (work) => {
        queries += 1
        return onOwnConnection(scripts.pool, undefined, work)
      },
      alone: () => assert.fail('none of them is slow'),
    }
    const got: unknown[] = []
    const together = Array.from({ length: 16 }, (_, number) => String(number))
    await Promise.all(together.map((text) => askTogether(emitted, [text], ([value]) => void got.push(value), ways)))
    assert.deepEqual([got, queries], [together, 1])
  })

  it('are all answered where one cannot take its rows', async () => {
    const emitted: Emitted = {
      text: 'select $1::text as c1',
      parameters: [{ kind: 'variable', name: 'x', type: 'STRING' }],
    }
    const ways: Ways = {
      single: (work) => onOwnConnection(scripts.pool, undefined, work),
      alone: () => assert.fail('none of them is slow'),
    }
    const ask = (number: number) =>
      askTogether(
        emitted,
        [String(number)],
        ([value]) => {
          if (number % 7 === 3) throw new Error(`cannot take ${number}`)
          assert.equal(value, String(number))
        },
        ways,
      ).then(
        () => number,
        (error: Error) => error.message,
      )
    // Twice: the statement goes on after it.
    for (let round = 0; round < 2; round += 1)
      assert.deepEqual(
        await Promise.all(numbers.map(ask)),
        numbers.map((number) => (number % 7 === 3 ? `cannot take ${number}` : number)),
      )
  })

  it('are asked again alone where an answer has more than a million characters, which only its caller is charged for', async () => {
    const emitted: Emitted = {
      text: "select repeat($1::text, 10000) as c1 union all select 'end'",
      parameters: [{ kind: 'variable', name: 'x', type: 'STRING' }],
    }
    let alone = 0
    const ask = (text: string) => {
      const got: unknown[] = []
      const ways: Ways = {
        single: (work) => onOwnConnection(scripts.pool, undefined, work),
        alone: async (onRow) => {
          assert.deepEqual(got, [], 'nothing was handed over before')
          alone += 1
          onRow([text])
        },
      }
      return askTogether(emitted, [text], ([value]) => void got.push(value), ways).then(() => got)
    }
    const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(101))
    for (const text of texts) assert.deepEqual(await ask(text), [text])
    assert.deepEqual(
      await Promise.all(texts.map(ask)),
      texts.map((text) => [text]),
    )
    assert.equal(alone, 6)
  })

  it('are asked again alone where they take longer than in company, and give each row once', async () => {
    // In company a query has a quarter of the limit of the pool: a tenth of a second.
    const patient = await openScripts(testLimits, 400)
    const ones = (name: string) => `JSON_TABLE(@HTTP_BODY) WITH (${name} LONG '$[*]')`
    const slow = `SELECT Sum(a * b * c) AS s FROM ${ones('a')}, ${ones('b')}, ${ones('c')} UNION ALL SELECT 0`
    const variables = { HTTP_BODY: JSON.stringify(Array<number>(60).fill(1)) }
    try {
      const all = await Promise.all([1, 2, 3].map(() => rowsOf(patient.run(slow, { variables }))))
      for (const rows of all) assert.deepEqual(rows, [[216_000], [0]])
    } finally {
      await patient.close()
    }
  })
})
