import assert from 'node:assert/strict'
import type { Pieces, Reply } from '../../src/base/http/reply.ts'
import { isPieces } from '../../src/base/http/reply.ts'
import {
  shownAsCsv,
  shownAsJson,
  shownAsNdjson,
  shownPreview,
  unrefusedReply,
} from '../../src/connector/result-reply.ts'
import type { Ran } from '../../src/connector/run-script.ts'
import type { Value } from '../../src/gsql/value.ts'

const resultOf = (count: number): Ran => ({
  columns: [
    { name: 'n', valueType: 'LONG' },
    { name: 't', valueType: 'STRING' },
    ...Array.from({ length: 6 }, (_, index) => ({ name: `c${index}`, valueType: 'DOUBLE' as const })),
  ],
  rows: Array.from({ length: count }, (_, row): readonly Value[] => [
    row % 2 === 0 ? row : 2n ** 62n,
    row % 3 === 0 ? null : `"ä", ${row}`,
    ...Array.from({ length: 6 }, (_item, index) => row + index / 8),
  ]),
  inserted: 3,
  deleted: 2,
})

const textOf = ({ body }: Reply): string => (isPieces(body) ? Buffer.concat(body.buffers).toString() : (body as string))

describe('connector/result-reply', () => {
  it('shows the same rows in a small reply and in a large one', async () => {
    for (const count of [0, 1, 5000]) {
      const ran = resultOf(count)
      const reply = await unrefusedReply(shownAsJson(ran))
      assert.equal(isPieces(reply.body), count === 5000)
      const exact = (value: Value) => (typeof value === 'bigint' ? Number(value) : value)
      assert.deepEqual(JSON.parse(textOf(reply)), {
        success: true,
        message: '',
        cols: ran.columns,
        rows: ran.rows.map((row) => row.map(exact)),
        inserted: 3,
        deleted: 2,
      })
      const csv = textOf(await unrefusedReply(shownAsCsv(ran)))
      assert.equal(csv.split('\r\n').length, count + 2)
      if (count > 1) assert.equal(csv.split('\r\n')[2], `${2n ** 62n},"""ä"", 1",1,1.125,1.25,1.375,1.5,1.625`)
    }
  })

  it('shows the rows that a trial run would insert, with and without counts', async () => {
    const rows = [{ cid: 'c', id: 's', time: 1, sample: 2n ** 62n }]
    const begin = `{"success":true,"message":"","rows":[{"cid":"c","id":"s","time":1,"sample":${2n ** 62n}}]`
    assert.equal(textOf(await unrefusedReply(shownPreview({ rows }))), `${begin}}`)
    assert.equal(textOf(await unrefusedReply(shownPreview({ rows, updated: 4 }))), `${begin},"updated":4}`)
  })

  it('serves others while a result of 100,000 rows is made', async () => {
    for (const shown of [shownAsJson(resultOf(100_000)), shownAsCsv(resultOf(100_000))]) {
      let turns = 0
      let isOver = false
      const turn = () => {
        turns += 1
        if (!isOver) setImmediate(turn)
      }
      setImmediate(turn)
      const { body } = await unrefusedReply(shown)
      isOver = true
      assert.ok(turns >= 4, `${turns} turns`)
      const { buffers, bytes } = body as Pieces
      assert.equal(
        buffers.reduce((sum, { length }) => sum + length, 0),
        bytes,
      )
      assert.ok(Math.max(...buffers.map(({ length }) => length)) < bytes / 20)
    }
  })

  it('makes a row of long texts value by value, in every format', () => {
    const texts = Array.from({ length: 5 }, (_, index) => `"${'x'.repeat(100_000)}${index}`)
    const columns = texts.map((_, index) => ({ name: `c${index}`, valueType: 'STRING' as const }))
    const rows = [['a', 'b', 'c', 'd', 'e'], texts, ['f', 'g', 'h', 'i', 'j'], texts, texts]
    const ran: Ran = { columns, rows, inserted: 0 }
    const given = ({ texts: make }: ReturnType<typeof shownAsJson>) => {
      const some = [...make()]
      assert.ok(Math.max(...some.map((text) => text.length)) < 100_100)
      return some.join('')
    }
    assert.deepEqual(JSON.parse(given(shownAsJson(ran))).rows, rows)
    const quoted = (value: string) => (value.startsWith('"') ? `""${value}"` : value)
    assert.deepEqual(
      given(shownAsCsv(ran)).split('\r\n').slice(1, -1),
      rows.map((row) => row.map(quoted).join(',')),
    )
    assert.deepEqual(
      given(shownAsNdjson(ran))
        .trimEnd()
        .split('\n')
        .map((line) => Object.values(JSON.parse(line) as object)),
      rows,
    )
  })
})
