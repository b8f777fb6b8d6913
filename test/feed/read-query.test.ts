import assert from 'node:assert/strict'
import { parseQuery } from '../../src/base/http/query-string.ts'
import { readQuery } from '../../src/feed/read-query.ts'

const read = (raw: string) => readQuery(parseQuery(raw))

describe('feed/read-query', () => {
  const refused: readonly [raw: string, message: string][] = [
    ['sd=1', 'sd needs ed'],
    ['sd=2&ed=1', 'sd is after ed'],
    ['sd=x&ed=1', "sd must be epoch milliseconds, not 'x'"],
    ['sd=&ed=1', "sd must be epoch milliseconds, not ''"],
    ['ed=', "ed must be epoch milliseconds, not ''"],
    ['ed=1.5', "ed must be epoch milliseconds, not '1.5'"],
    ['ed=253402300800000', 'ed 253402300800000 is outside the years 1 to 9999'],
    ['sd=-62135596800001&ed=1', 'sd -62135596800001 is outside the years 1 to 9999'],
    ['limit=0', 'limit must be at least 1, not 0'],
    ['limit=-1', 'limit must be at least 1, not -1'],
    ['limit=', "limit must be an integer, not ''"],
    ['limit', "limit must be an integer, not ''"],
    ['limit=1.5', "limit must be an integer, not '1.5'"],
    ['limit=ten', "limit must be an integer, not 'ten'"],
  ]
  for (const [raw, message] of refused)
    it(`refuses ${raw}: ${message}`, () => assert.throws(() => read(raw), { status: 400, message }))

  const windows: readonly [raw: string, startMs: number | undefined, endMs: number | undefined][] = [
    ['', undefined, undefined],
    ['ed=5', undefined, 5],
    ['sd=5&ed=5', 5, 5],
    ['SD=-5&Ed=5', -5, 5],
  ]
  for (const [raw, startMs, endMs] of windows)
    it(`reads '${raw}'`, () => assert.deepEqual(read(raw).window, { startMs, endMs }))

  const limits: readonly [raw: string, limit: number][] = [
    ['', 1000],
    ['limit=1', 1],
    ['limit=1000', 1000],
    ['limit=1001', 1000],
    ['limit=9007199254740991', 1000],
  ]
  for (const [raw, limit] of limits) it(`limits to ${limit} by '${raw}'`, () => assert.equal(read(raw).limit, limit))

  it('shows nothing that is not asked for, and ignores unknown parameters', () => {
    assert.deepEqual(read('_=123&x=%00').show, {
      componentId: false,
      streamId: false,
      intervalStart: false,
      formatted: false,
      unit: false,
    })
  })

  const flags = {
    retCompId: 'componentId',
    retStreamId: 'streamId',
    retIntvlSd: 'intervalStart',
    retFData: 'formatted',
    retUnit: 'unit',
  } as const
  for (const [name, member] of Object.entries(flags))
    it(`shows more by ${name}, in any case, unless it is false`, () => {
      for (const raw of [name, `${name}=`, `${name.toUpperCase()}=true`])
        assert.equal(read(raw).show[member as 'unit'], true)
      assert.equal(read(`${name}=false`).show[member as 'unit'], false)
    })
})
