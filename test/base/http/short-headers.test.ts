// Header lines on the short way: those it reads, those it leaves to node:http, and those it remembers.
import assert from 'node:assert/strict'
import { openHeaders } from '../../../src/base/http/short-headers.ts'

describe('base/short-headers', () => {
  it('reads names in lower case, and values without the blanks around them', () => {
    const headers = openHeaders()('Host: h:80\r\nX-Serial:  a:b \r\nEmpty:\r\nConnection: Keep-Alive\r\n\r\n')
    assert.deepEqual({ ...headers }, { host: 'h:80', 'x-serial': 'a:b', empty: '', connection: 'Keep-Alive' })
    assert.deepEqual({ ...openHeaders()('\r\n') }, {})
  })

  const left = [
    'Host: h\r\n',
    'Host: h\n\r\n\r\n',
    'Host: h\r\n\r\nHost: h\r\n\r\n',
    'Host: h\u0000\r\n\r\n',
    'Host: \u00e4\r\n\r\n',
    'Host\r\n\r\n',
    'Host : h\r\n\r\n',
    ' Host: h\r\n\r\n',
    'Host: h\r\nhost: h\r\n\r\n',
    'Connection: close\r\n\r\n',
    'Transfer-Encoding: chunked\r\n\r\n',
    'Content-Encoding: gzip\r\n\r\n',
    'Expect: 100-continue\r\n\r\n',
  ]
  for (const lines of left)
    it(`leaves ${JSON.stringify(lines)} to others, each time`, () => {
      const read = openHeaders()
      assert.equal(read(lines), undefined)
      assert.equal(read(lines), undefined)
    })

  it('takes a name that JavaScript knows like any other', () => {
    const headers = openHeaders()('constructor: h\r\nHost: i\r\n\r\n')!
    assert.deepEqual(Object.entries(headers), [
      ['constructor', 'h'],
      ['host', 'i'],
    ])
  })

  it('knows lines that it has read, and nobody can change their headers', () => {
    const read = openHeaders()
    const headers = read('Host: h\r\n\r\n')!
    assert.equal(read('Host: h\r\n\r\n'), headers)
    assert.notEqual(read('Host: i\r\n\r\n'), headers)
    assert.throws(() => (headers.host = 'other'), TypeError)
  })

  it('forgets everything beyond a thousand, and keeps no long ones', () => {
    const read = openHeaders()
    const first = read('A: 0\r\n\r\n')
    for (let at = 1; at < 1000; at += 1) read(`A: ${at}\r\n\r\n`)
    assert.equal(read('A: 0\r\n\r\n'), first)
    read('A: 1000\r\n\r\n')
    assert.notEqual(read('A: 0\r\n\r\n'), first)
    const long = `A: ${'x'.repeat(1000)}\r\n\r\n`
    assert.notEqual(read(long), read(long))
  })
})
