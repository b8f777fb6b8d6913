import assert from 'node:assert/strict'
import { loadRows } from '../../src/studio/web/rows.ts'

const listOf = (total: number) => {
  const pages: (readonly [number, number])[] = []
  const load = async ({ start, limit }: { readonly start: number; readonly limit: number }) => {
    pages.push([start, limit])
    const length = Math.max(0, Math.min(limit, total - start))
    return { rows: Array.from({ length }, (_, n) => start + n), totalCount: total }
  }
  return { pages, load }
}

describe('rows of a list', () => {
  it('come by replies of at most a thousand, as many as are asked for', async () => {
    const { pages, load } = listOf(5000)
    const { rows, totalCount } = await loadRows(2500, load)
    assert.deepEqual([rows.length, rows.at(-1), totalCount], [2500, 2499, 5000])
    assert.deepEqual(pages, [
      [0, 1000],
      [1000, 1000],
      [2000, 500],
    ])
  })

  it('end with the list, also one that has become shorter meanwhile', async () => {
    assert.equal((await loadRows(100, listOf(7).load)).rows.length, 7)
    const { load } = listOf(1000)
    const { rows } = await loadRows(3000, async (page) => ({ ...(await load(page)), totalCount: 2000 }))
    assert.equal(rows.length, 1000)
  })
})
