import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { isUnchanged, rangeFrom } from '../../../src/feed/file/condition.ts'
import type { Range } from '../../../src/feed/file/condition.ts'

const tag = '"abc"'
const storedMs = Date.parse('2026-01-02T03:04:05.678Z')
const date = 'Fri, 02 Jan 2026 03:04:05 GMT'
const before = 'Fri, 02 Jan 2026 03:04:04 GMT'
const after = 'Fri, 02 Jan 2026 03:04:06 GMT'

describe('a conditional request', () => {
  const rows: readonly (readonly [headers: IncomingHttpHeaders, isUnchanged: boolean])[] = [
    [{}, false],
    [{ 'if-none-match': '"abc"' }, true],
    [{ 'if-none-match': 'W/"abc"' }, true],
    [{ 'if-none-match': '"x", "abc"' }, true],
    [{ 'if-none-match': '*' }, true],
    [{ 'if-none-match': '"x"' }, false],
    [{ 'if-none-match': 'abc' }, false],
    [{ 'if-none-match': '' }, false],
    [{ 'if-modified-since': date }, true],
    [{ 'if-modified-since': after }, true],
    [{ 'if-modified-since': before }, false],
    [{ 'if-modified-since': 'yesterday' }, false],
    [{ 'if-none-match': '"x"', 'if-modified-since': after }, false],
    [{ 'if-none-match': '"abc"', 'if-modified-since': before }, true],
  ]
  for (const [headers, expected] of rows)
    it(`${expected ? 'needs no file' : 'gets the file'} with ${JSON.stringify(headers)}`, () =>
      assert.equal(isUnchanged(headers, tag, storedMs), expected))
})

describe('a range of 100 bytes', () => {
  const rows: readonly (readonly [range: string, expected: Range | 'unsatisfiable' | undefined])[] = [
    ['bytes=0-0', { from: 0, until: 1 }],
    ['bytes=0-', { from: 0, until: 100 }],
    ['bytes=10-19', { from: 10, until: 20 }],
    ['Bytes = 10 - 19', { from: 10, until: 20 }],
    [' bytes = 5 - 9 ', { from: 5, until: 10 }],
    ['bytes= -1', { from: 99, until: 100 }],
    [`bytes =${' '.repeat(60_000)}5-9`, { from: 5, until: 10 }],
    ['bytes=99-', { from: 99, until: 100 }],
    ['bytes=90-200', { from: 90, until: 100 }],
    ['bytes=90-99999999999999999999999999', { from: 90, until: 100 }],
    ['bytes=-1', { from: 99, until: 100 }],
    ['bytes=-100', { from: 0, until: 100 }],
    ['bytes=-99999999999999999999999999', { from: 0, until: 100 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=100-200', 'unsatisfiable'],
    ['bytes=99999999999999999999999999-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=20-10', undefined],
    ['bytes=0-1,5-6', undefined],
    ['bytes=-', undefined],
    ['bytes=a-b', undefined],
    ['bytes=1.5-2', undefined],
    ['items=0-1', undefined],
    ['', undefined],
  ]
  for (const [range, expected] of rows)
    it(`is ${JSON.stringify(expected) ?? 'all'} when asked for as ${range.slice(0, 40) || '(empty)'}`, () =>
      assert.deepEqual(rangeFrom({ range }, 100, tag, storedMs), expected))

  it('cannot be had of an empty file, unless it counts from the end', () => {
    assert.equal(rangeFrom({ range: 'bytes=0-' }, 0, tag, storedMs), 'unsatisfiable')
    assert.equal(rangeFrom({ range: 'bytes=-5' }, 0, tag, storedMs), undefined)
  })

  for (const [given, isSame] of [
    ['"abc"', true],
    [date, true],
    ['W/"abc"', false],
    ['"x"', false],
    [before, false],
    [after, false],
    ['', false],
  ] as const)
    it(`is ${isSame ? 'given' : 'the whole file'} with If-Range ${given || '(empty)'}`, () => {
      const headers = { range: 'bytes=0-0', 'if-range': given }
      assert.deepEqual(rangeFrom(headers, 100, tag, storedMs), isSame ? { from: 0, until: 1 } : undefined)
    })
})
