import assert from 'node:assert/strict'
import { boundaryOf, readParts } from '../../../src/base/http/multipart.ts'
import type { Part } from '../../../src/base/http/multipart.ts'
import { openRandom } from '../../support/random.ts'

type Read = { readonly part: Part; readonly content: string }

/** The parts of a body that comes in these chunks; latin1, so that every byte is a character. */
const read = async (chunks: readonly (string | Buffer)[], boundary = 'XbX'): Promise<readonly Read[]> => {
  const parts: { part: Part; content: Buffer[] }[] = []
  const source = async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk as string, 'latin1')
  }
  for await (const item of readParts(source(), boundary)) {
    // Another turn of the event loop between two items, as with a database behind.
    await new Promise(setImmediate)
    if (Buffer.isBuffer(item)) parts.at(-1)!.content.push(item)
    else parts.push({ part: item, content: [] })
  }
  return parts.map(({ part, content }) => ({ part, content: Buffer.concat(content).toString('latin1') }))
}

const heading = 'Content-Disposition: form-data; name="file"; filename="x"'
const file: Part = { name: 'file', fileName: 'x', contentType: undefined }
const whole = (content: string) => `--XbX\r\n${heading}\r\n\r\n${content}\r\n--XbX--\r\n`

describe('the boundary of a form', () => {
  const rows: readonly (readonly [contentType: string | undefined, boundary: string | undefined])[] = [
    [undefined, undefined],
    ['image/png', undefined],
    ['multipart/mixed; boundary=a', undefined],
    ['multipart/form-datas; boundary=a', undefined],
    ['multipart/form-data; boundary=abc', 'abc'],
    ['Multipart/Form-Data ; charset=utf-8; Boundary="a b;c"', 'a b;c'],
    ['multipart/form-data; boundary="a\\"b"', 'a"b'],
  ]
  for (const [contentType, boundary] of rows)
    it(`is ${boundary} in ${contentType}`, () => assert.equal(boundaryOf(contentType), boundary))

  for (const contentType of [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
    `multipart/form-data; boundary=${'b'.repeat(201)}`,
  ])
    it(`is missed in ${contentType.slice(0, 50)}`, () =>
      assert.throws(() => boundaryOf(contentType), { status: 400, message: 'the Content-Type names no boundary' }))
})

describe('the parts of a form', () => {
  const refusals: readonly (readonly [what: string, body: string, status: number, message: string])[] = [
    ['nothing', '', 400, 'the body ends before its last boundary'],
    ['no boundary', 'abc\r\n', 400, 'the body ends before its last boundary'],
    ['no last boundary', `--XbX\r\n${heading}\r\n\r\nabc\r\n--XbX\r\n`, 400, 'the body ends before its last boundary'],
    ['half a last boundary', whole('abc').slice(0, -3), 400, 'the body ends before its last boundary'],
    ['a heading without end', `--XbX\r\nA: ${'a'.repeat(20_000)}`, 400, 'the heading of a part is too long'],
    ['too many parts', '--XbX\r\n\r\n\r\n'.repeat(1001), 400, 'the body has more than 1000 parts'],
    [
      'an encoded part',
      `--XbX\r\n${heading}\r\nContent-Transfer-Encoding: Base64\r\n\r\nYWJj\r\n--XbX--`,
      415,
      "parts encoded as 'base64' are not supported",
    ],
  ]
  for (const [what, body, status, message] of refusals)
    it(`are refused: ${what}`, () => assert.rejects(read([body]), { status, message }))

  const rows: readonly (readonly [what: string, body: string, parts: readonly Read[]])[] = [
    ['one file', whole('abc'), [{ part: file, content: 'abc' }]],
    ['an empty file', whole(''), [{ part: file, content: '' }]],
    ['nothing but the end', '--XbX--', []],
    ['text before and after', `before\r\n${whole('abc')}--XbX\r\nafter`, [{ part: file, content: 'abc' }]],
    ['blanks behind a boundary', whole('abc').replace('XbX\r\n', 'XbX \t\r\n'), [{ part: file, content: 'abc' }]],
    ['line breaks around the content', whole('\r\nabc\r\n'), [{ part: file, content: '\r\nabc\r\n' }]],
    ['a longer boundary inside', whole('a\r\n--XbXX\r\nb'), [{ part: file, content: 'a\r\n--XbXX\r\nb' }]],
    ['a boundary with one hyphen', whole('a\r\n--XbX-\r\nb'), [{ part: file, content: 'a\r\n--XbX-\r\nb' }]],
    ['a boundary with CR only', whole('a\r\n--XbX\rb'), [{ part: file, content: 'a\r\n--XbX\rb' }]],
    [
      'two parts, the first a plain field',
      `--XbX\r\nContent-Disposition: form-data; name=note\r\n\r\nhello\r\n${whole('abc')}`,
      [
        { part: { name: 'note', fileName: undefined, contentType: undefined }, content: 'hello' },
        { part: file, content: 'abc' },
      ],
    ],
    [
      'a part without a heading',
      '--XbX\r\n\r\nabc\r\n--XbX--',
      [{ part: { name: '', fileName: undefined, contentType: undefined }, content: 'abc' }],
    ],
    [
      'a file whose name looks like a parameter',
      '--XbX\r\ncontent-disposition:form-data;name="a; filename=b";FileName="c\\"; name=\\"file"\r\nCONTENT-TYPE: text/x; a=b\r\n\r\n\r\n--XbX--',
      [{ part: { name: 'a; filename=b', fileName: 'c"; name="file', contentType: 'text/x; a=b' }, content: '' }],
    ],
    [
      'a name in RFC 8187 form',
      "--XbX\r\nContent-Disposition: form-data; name=file; filename*=UTF-8''%e2%82%ac\r\n\r\n\r\n--XbX--",
      [{ part: { name: 'file', fileName: "UTF-8''%e2%82%ac", contentType: undefined }, content: '' }],
    ],
  ]
  for (const [what, body, parts] of rows) {
    it(`are read: ${what}`, async () => assert.deepEqual(await read([body]), parts))
    it(`are read byte by byte: ${what}`, async () => assert.deepEqual(await read(body.split('')), parts))
  }

  it('give back every byte of contents full of almost-boundaries, however they are cut', async () => {
    const random = openRandom(6)
    const pieces = ['\r', '\n', '\r\n', '\r\n-', '\r\n--', '\r\n--X', '\r\n--Xb', '\r\n--XbY', '--XbX', '--', 'X', '\0']
    for (let round = 0; round < 200; round += 1) {
      let content = ''
      while (content.length < 300) content += random.pick(pieces)
      while (content.includes('\r\n--XbX')) content = content.replaceAll('\r\n--XbX', '')
      const body = whole(content)
      const chunks: string[] = []
      for (let at = 0; at < body.length;) {
        const length = 1 + random.integer(40)
        chunks.push(body.slice(at, at + length))
        at += length
      }
      assert.deepEqual(await read(chunks), [{ part: file, content }], `round ${round}`)
    }
  })
})
