import assert from 'node:assert/strict'
import { dispositionHeader, fileName } from '../../../src/feed/file/name.ts'

describe('a file name', () => {
  for (const name of [
    '',
    '.',
    '..',
    'a\0b',
    'a\r\nSet-Cookie: x',
    '\u007f',
    'a\u0085',
    'x'.repeat(256),
    '😀'.repeat(256),
    'x'.repeat(4096),
  ])
    it(`is refused: ${JSON.stringify(name.slice(0, 20))}`, () =>
      assert.throws(() => fileName(name), { status: 400, code: 'bad_request' }))

  for (const name of ['a', '...', '../../etc/passwd', '\u202egpj.exe', ' ', '"', '😀'.repeat(255), 'CON', '~'])
    it(`is kept as it is: ${JSON.stringify(name.slice(0, 20))}`, () => assert.equal(fileName(name), name))
})

describe('Content-Disposition', () => {
  const rows: readonly (readonly [name: string, header: string])[] = [
    ['plain.txt', 'inline; filename="plain.txt"'],
    ['two words.txt', 'inline; filename="two words.txt"'],
    ['a"b.txt', 'inline; filename="a_b.txt"; filename*=UTF-8\'\'a%22b.txt'],
    ['100%.txt', 'inline; filename="100_.txt"; filename*=UTF-8\'\'100%25.txt'],
    ['../../etc/passwd', 'inline; filename=".._.._etc_passwd"'],
    ['..\\a', 'inline; filename=".._a"'],
    ['€ rates.txt', 'inline; filename="_ rates.txt"; filename*=UTF-8\'\'%E2%82%AC%20rates.txt'],
    ["it's (1)*.txt", 'inline; filename="it\'s (1)*.txt"'],
    ["é'()*", "inline; filename=\"_'()*\"; filename*=UTF-8''%C3%A9%27%28%29%2A"],
    // Shown right to left, this would look like a picture.
    ['photo\u202egpj.exe', 'inline; filename="photo_gpj.exe"'],
    ['photo\u061cgpj.exe', 'inline; filename="photo_gpj.exe"'],
    ['😀', 'inline; filename="__"; filename*=UTF-8\'\'%F0%9F%98%80'],
  ]
  for (const [name, header] of rows)
    it(`is ${header} for ${JSON.stringify(name)}`, () => assert.equal(dispositionHeader('inline', name), header))

  it('says attachment when it is one', () =>
    assert.equal(dispositionHeader('attachment', 'a'), 'attachment; filename="a"'))
})
