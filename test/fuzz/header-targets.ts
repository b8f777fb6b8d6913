// Parsers of headers, times and expressions, each with a rule that its result keeps: another reading of the same bytes gives
// the same, or the result is written and read again.
import assert from 'node:assert/strict'
import { TextDecoder } from 'node:util'
import { cookieValue } from '../../src/access/credential.ts'
import { addressRange } from '../../src/base/config.ts'
import { acceptedType, acceptsGzip } from '../../src/base/http/accepted.ts'
import { addressGroup, clientAddress, inRanges } from '../../src/base/http/address.ts'
import { firstMs, lastMs } from '../../src/base/http/params.ts'
import { charsetText } from '../../src/connector/charset.ts'
import { openIsoText } from '../../src/core/time/iso.ts'
import { openZone } from '../../src/core/time/zone.ts'
import { isUnchanged, rangeFrom } from '../../src/feed/file/condition.ts'
import { compileDerivation } from '../../src/gsql/derivation.ts'
import { momentOf } from '../../src/gsql/text/moment.ts'
import { momentReader } from '../../src/mcp/moment.ts'
import { timeFrom } from '../../src/transfer/rows.ts'
import { isRefusal, orRefuses, textTarget } from './target.ts'
import type { FuzzTarget } from './target.ts'

const nowMs = 1_767_225_600_000
const at = { line: 1, column: 1 }
const utcText = openIsoText(openZone('UTC'))

/** The numbers that such a text begins with: year, month, day, hour. */
const beginOf = (text: string) => text.trim().slice(0, 13).replace(' ', 'T').toUpperCase()

const variables = [
  { name: 'a', type: 'DOUBLE' },
  { name: 'b', type: 'BOOLEAN' },
  { name: 't', type: 'STRING' },
] as const

const proxies = ['10.0.0.0/8', '::1/128', '192.168.1.7'].map(addressRange)

const types = ['application/json', 'text/csv', 'application/x-ndjson']

/** Cookies as the header is read in one pass, by a plain search for the name. */
const cookieAnew = (header: string, name: string): string | undefined => {
  const pairs = header
    .split(';')
    .filter((piece) => piece.includes('='))
    .map((piece) => [piece.slice(0, piece.indexOf('=')).trim(), piece.slice(piece.indexOf('=') + 1).trim()] as const)
  const found = (wanted: string) => pairs.find(([each]) => each === wanted)?.[1].replace(/^"(.*)"$/s, '$1')
  return found(`__Host-${name}`) || found(name)
}

export const headerTargets: readonly FuzzTarget[] = [
  textTarget(
    'derivation',
    [
      '(a - 32) * 5 / 9',
      "if(a > 10 AND NOT b, Round(a, 1), CASE WHEN t LIKE 'x%' THEN 1 ELSE Cast(t AS LONG) END)",
      "Coalesce(a, Length(Concat(t, 'y'))) % 3 + Extract(HOUR FROM Now())",
    ],
    (text) => {
      for (const valueType of ['DOUBLE', 'STRING', 'BOOLEAN', 'LONG'] as const) {
        const compiled = compileDerivation(text, variables, valueType)
        const constants = compiled.constants(nowMs, 'Europe/Berlin')
        // Nothing of the text becomes SQL but by a constant, and each constant that is named is given.
        for (const [, number] of compiled.text.matchAll(/\bk\.p(\d+)\b/g))
          assert.ok(Number(number) >= 1 && Number(number) <= constants.length, compiled.text)
        assert.equal(compileDerivation(text, variables, valueType).text, compiled.text)
      }
    },
  ),
  textTarget(
    'iso-time',
    [
      '2026-01-01T01:00:00.000+01:00',
      '1850-01-01 00:18:00+00:18:00',
      '2024-02-29T23:59Z',
      '2026-02-30T00:00Z',
      '-62135596800000',
    ],
    (text) => {
      const ms = timeFrom(text)
      assert.ok(ms >= firstMs && ms <= lastMs)
      // By ===, since -0 is read, too.
      for (const written of [String(ms), utcText(ms)]) assert.ok(timeFrom(written) === ms, written)
      // A day that there is not is not taken for another.
      if (/T?24:/.test(text.slice(10)) || !text.endsWith('Z')) return
      assert.equal(utcText(ms).slice(0, 13), beginOf(text))
    },
  ),
  textTarget(
    'moment',
    ['2026-11-01', '2026-02-30', '2026-11-01 06:00:30.5', '2026-11-01T06:00+01:00', '1767225600000'],
    (text) => {
      const ms = momentOf(text, 'UTC', at)
      assert.ok(Number.isSafeInteger(ms))
      if (/^\d{4}-\d\d-\d\d/.test(text.trim()) && !/[+-]\d\d:\d\d$/.test(text.trim()))
        assert.equal(new Date(ms).toISOString().slice(0, 10), beginOf(text).slice(0, 10))
      orRefuses(() => momentOf(text, 'Europe/Berlin', at))
    },
  ),
  textTarget('moment-of-assistants', ['2026-03-01T06:00:00Z', '2026-03-01', 'now', '-24h', '-999999999w'], (text) => {
    const ms = momentReader(() => nowMs, 'a time')('start', text)
    assert.ok(ms >= firstMs && ms <= lastMs)
    if (/^\d{4}-\d\d-\d\d$/.test(text.trim())) assert.equal(utcText(ms).slice(0, 10), text.trim())
  }),
  textTarget(
    'cookie',
    ['session=a; org="b"; __Host-session=c', 'api_key=K;org=O', 'x=session=a;session = "', '__Host-org=;org=1'],
    (text) => {
      // Longer runs are stepped over by neither.
      if (/\s{65}/.test(text)) return
      for (const name of ['session', 'api_key', 'org']) assert.equal(cookieValue(text, name), cookieAnew(text, name))
    },
  ),
  textTarget(
    'forwarded-for',
    ['203.0.113.7, 10.1.2.3', '::ffff:10.0.0.1,2001:db8::1 , 192.168.1.7', 'serial 5,0x7f.1,fe80::1%eth0,010.8.8.8'],
    (text) => {
      const clientOf = (forwarded: string) => clientAddress('10.9.9.9', { 'x-forwarded-for': forwarded }, proxies)
      const address = clientOf(text)
      addressGroup(address)
      // Nothing further left matters once a client was found, which is no proxy.
      if (!inRanges(address, proxies)) assert.equal(clientOf(`198.51.100.1,${text}`), address)
      // A peer that is no proxy is not asked.
      assert.equal(clientAddress('203.0.113.9', { 'x-forwarded-for': text }, proxies), '203.0.113.9')
    },
  ),
  textTarget('accept', ['text/csv;q=0.9, application/json, */*;q=0.1', 'gzip;q=0, identity', '*'], (text) => {
    const type = acceptedType({ accept: text }, types)
    assert.ok(type === undefined || types.includes(type))
    assert.equal(typeof acceptsGzip({ 'accept-encoding': text }), 'boolean')
  }),
  textTarget(
    'file-condition',
    ['bytes=0-99|"tag"', 'bytes = 5 -|W/"tag", *', 'bytes=-5|Thu, 01 Jan 2026 00:00:00 GMT'],
    (text) => {
      const [range = '', condition = ''] = text.split('|')
      for (const size of [0, 1, 100]) {
        const found = rangeFrom({ range, 'if-range': condition }, size, '"tag"', nowMs)
        if (typeof found !== 'object') continue
        assert.ok(found.from >= 0 && found.from < found.until && found.until <= size, JSON.stringify(found))
        // As we would write it, it is the same.
        const written = `bytes=${found.from}-${found.until - 1}`
        assert.deepEqual(rangeFrom({ range: written }, size, '"tag"', nowMs), found)
      }
      isUnchanged({ 'if-none-match': condition }, '"tag"', nowMs)
      isUnchanged({ 'if-modified-since': condition }, '"tag"', nowMs)
    },
  ),
  {
    name: 'charset',
    seeds: [
      'utf-8|\ufeffgr\u00fcn',
      ...['iso-8859-1|gr\xfcn \x80', '"UTF-16LE"|a\0b\0', 'shift_jis|\x83\x65', 'x-user-defined|\xff'].map((text) =>
        Buffer.from(text, 'latin1'),
      ),
    ],
    run: async (bytes) => {
      const mark = Math.max(0, bytes.indexOf('|'))
      const charset = bytes.toString('latin1', 0, mark)
      const body = bytes.subarray(mark + 1)
      let text: string
      try {
        text = await charsetText(body, `text/plain; charset=${charset}`)
      } catch (error) {
        if (!isRefusal(error)) throw error
        return
      }
      assert.ok(!text.includes('\0'))
      const named = /^\s*"?([^";\s]+)/.exec(charset)?.[1]
      // Of windows-1252 Node 20 itself is wrong (src/connector/charset.ts).
      const decoder = new TextDecoder(named ?? 'utf-8', { fatal: true })
      if (decoder.encoding !== 'windows-1252') assert.equal(text, decoder.decode(body))
      else assert.equal(text.length, body.length)
    },
  },
]
