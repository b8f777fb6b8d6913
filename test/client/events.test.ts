// Server-sent events, cut into pieces anywhere.
import assert from 'node:assert/strict'
import { openEventParser } from '../../src/client/events.ts'

const text = [
  ': a comment\n',
  'id: 7\nevent: sample\ndata: {"a":\ndata: "ä"}\n\n',
  'retry: 2500\r\n',
  'data:no blank\r\n\r\n',
  'data\ndata\n\n',
  'id\r\rdata: without an id\r\r',
  'event: nothing\n\n',
  'unknown: field\ndata: last\n\ndata: unfinished',
].join('')

const expected = [
  { type: 'sample', data: '{"a":\n"ä"}', id: '7' },
  { type: 'message', data: 'no blank', id: '7' },
  { type: 'message', data: '\n', id: '7' },
  { type: 'message', data: 'without an id', id: '' },
  { type: 'message', data: 'last', id: '' },
]

describe('server-sent events', () => {
  it('are read as the standard says', () => {
    const parser = openEventParser()
    assert.deepEqual(parser.read(new TextEncoder().encode(text)), expected)
    assert.equal(parser.retryMs(), 2500)
  })

  it('are the same wherever the pieces are cut, in a character or between CR and LF', () => {
    const bytes = new TextEncoder().encode(text)
    for (const size of [1, 2, 3, 5, 7, 11]) {
      const parser = openEventParser()
      const events = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        parser.read(bytes.subarray(n * size, (n + 1) * size)),
      )
      assert.deepEqual(events.flat(), expected, `pieces of ${size}`)
    }
  })
})
