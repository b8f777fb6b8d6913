import assert from 'node:assert/strict'
import { acceptedType, acceptsGzip } from '../../../src/base/http/accepted.ts'
import { rowFormat } from '../../../src/base/http/row-format.ts'

describe('the Accept headers', () => {
  const types = ['application/json', 'text/csv']
  const table: readonly [accept: string | undefined, expected: string | undefined][] = [
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['text/csv', 'text/csv'],
    ['application/json;q=0.5, text/*', 'text/csv'],
    ['text/html', undefined],
    [`text/csv,${'a/b,'.repeat(200)}`, 'text/csv'],
  ]
  for (const [accept, expected] of table)
    it(`prefer ${expected} with ${accept?.slice(0, 40)}`, () => {
      assert.equal(acceptedType(accept === undefined ? {} : { accept }, types), expected)
    })

  it('prefer gzip where it is named', () => {
    assert.equal(acceptsGzip({}), false)
    assert.equal(acceptsGzip({ 'accept-encoding': 'deflate, gzip;q=0.5' }), true)
    assert.equal(acceptsGzip({ 'accept-encoding': 'gzip;q=0' }), false)
  })

  it('are taken for none with a quote, which takes long to read', () => {
    assert.equal(acceptedType({ accept: 'text/csv, a/b;c="d"' }, types), 'application/json')
    assert.equal(rowFormat({ headers: { accept: 'text/csv, a/b;c="d"' } }), 'json')
  })

  it('are taken for none when they are longer than 1,024 characters', () => {
    const [longest, tooLong] = [`text/csv,${'a'.repeat(1015)}`, `text/csv,${'a'.repeat(1016)}`]
    assert.equal(rowFormat({ headers: { accept: longest } }), 'csv')
    assert.equal(rowFormat({ headers: { accept: tooLong } }), 'json')
    assert.equal(acceptedType({ accept: tooLong }, types), 'application/json')
    assert.equal(acceptsGzip({ 'accept-encoding': `gzip,${'a'.repeat(1019)}` }), true)
    assert.equal(acceptsGzip({ 'accept-encoding': `gzip,${'a'.repeat(1020)}` }), false)
  })
})
