import assert from 'node:assert/strict'
import { hasWholeLineEnds, openLineEnds } from '../../../src/base/http/line-ends.ts'

/** The bytes passed on, which are the same for all ways to cut the text into pieces. */
const mended = (text: string): string => {
  const bytes = Buffer.from(text, 'latin1')
  const inPiecesOf = (size: number) => {
    const mend = openLineEnds()
    const pieces: Buffer[] = []
    for (let at = 0; at < bytes.length; at += size) pieces.push(mend(bytes.subarray(at, at + size)))
    return Buffer.concat(pieces).toString('latin1')
  }
  const whole = inPiecesOf(bytes.length)
  for (const size of [1, 2, 3, 7]) assert.equal(inPiecesOf(size), whole, `in pieces of ${size}`)
  return whole
}

describe('base/http/line-ends', () => {
  const changed: readonly [name: string, text: string, expected: string][] = [
    ['a head without headers', 'PUT /a HTTP/1.0\n\n', 'PUT /a HTTP/1.0\n\r\n'],
    ['the next one too', 'PUT /a HTTP/1.1\n\nPUT /b HTTP/1.1\n\n', 'PUT /a HTTP/1.1\n\r\nPUT /b HTTP/1.1\n\r\n'],
    ['behind empty lines', '\n\r\n\nPUT /a HTTP/1.1\n\n', '\n\r\n\nPUT /a HTTP/1.1\n\r\n'],
    [
      'behind a head with headers',
      'PUT /a HTTP/1.1\nX: 1\n\nPUT /b HTTP/1.1\n\n',
      'PUT /a HTTP/1.1\nX: 1\n\nPUT /b HTTP/1.1\n\r\n',
    ],
    [
      'behind whole line ends',
      'PUT /a HTTP/1.1\r\n\r\nPUT /b HTTP/1.1\n\n',
      'PUT /a HTTP/1.1\r\n\r\nPUT /b HTTP/1.1\n\r\n',
    ],
    [
      'behind a body',
      'PUT /a HTTP/1.1\nContent-Length: 17\n\nPUT /x HTTP/1.1\n\nPUT /b HTTP/1.1\n\n',
      'PUT /a HTTP/1.1\nContent-Length: 17\n\nPUT /x HTTP/1.1\n\nPUT /b HTTP/1.1\n\r\n',
    ],
  ]
  for (const [name, text, expected] of changed)
    it(`ends a head that the parser would go on with: ${name}`, () => assert.equal(mended(text), expected))

  for (const text of [
    'PUT /a HTTP/1.1\r\n\n',
    'PUT /a HTTP/1.1\n\r\n',
    'PUT /a HTTP/1.1\r\n\r\n',
    'PUT /a HTTP/1.1\nX:\n\n',
    'PUT /a HTTP/1.1\r\nContent-Length: 17\r\n\r\nPUT /x HTTP/1.1\n\n',
    // Where these end is not judged here.
    'PUT /a HTTP/1.1\nTransfer-Encoding: chunked\n\n11\r\nPUT /x HTTP/1.1\n\n\r\n0\r\n\r\n',
    'PUT /a HTTP/1.1\nContent-Length: +17\n\nPUT /x HTTP/1.1\n\n',
    'PUT /a HTTP/1.1\nContent-Length : 17\n\nPUT /x HTTP/1.1\n\n',
    'PUT /a HTTP/1.1\nX: 1\rContent-Length: 17\n\nPUT /x HTTP/1.1\n\n',
    'PUT /a HTTP/1.1\nX: 1\n Content-Length: 17\n\nPUT /x HTTP/1.1\n\n',
    'nonsense\n\nPUT /x HTTP/1.1\n\n',
    `PUT /${'a'.repeat(70_000)} HTTP/1.1\n\n`,
    '\0\xff\n\n',
    '',
  ])
    it(`leaves alone: ${JSON.stringify(text.slice(0, 60))}`, () => assert.equal(mended(text), text))

  it('has nothing to do where the first line ends as it should, a header follows and no two line feeds stand together', () => {
    for (const text of ['PUT /a HTTP/1.1\r\nX', 'PUT /a HTTP/1.1\r\nX: 1\n\r\n'])
      assert.equal(hasWholeLineEnds(Buffer.from(text)), true)
    const others = ['P', 'PUT /a HTTP/1.1\n', 'PUT /a HTTP/1.1\r\n', 'PUT /a HTTP/1.1\r\n\r\n', '\n']
    for (const text of [...others, 'PUT /a HTTP/1.1\r\nX: 1\r\n\r\nPUT /b HTTP/1.1\n\n'])
      assert.equal(hasWholeLineEnds(Buffer.from(text)), false, text)
  })
})
