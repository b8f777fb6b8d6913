// The short ways through the lines of an import must come to the same as the long ones, refusals included.
import assert from 'node:assert/strict'
import { Fault } from '../../src/base/errors.ts'
import { csvReader } from '../../src/transfer/csv-rows.ts'
import { ndjsonReader, objectFrom } from '../../src/transfer/ndjson-rows.ts'
import { demandUtf8, openRecords } from '../../src/transfer/records.ts'
import type { BodyRecord } from '../../src/transfer/records.ts'
import type { Fixed, ReadRow } from '../../src/transfer/rows.ts'
import { openIds, timeFrom } from '../../src/transfer/rows.ts'
import { usualReader } from '../../src/transfer/usual-lines.ts'
import { usedHeap } from '../support/heap.ts'
import { openRandom } from '../support/random.ts'

const recordOf = (text: string | Buffer, isCsv = false): BodyRecord | undefined => {
  let found: BodyRecord | undefined
  const records = openRecords({ isCsv, mostBytes: 1 << 20 }, { bytes: 0, lines: 0 }, (record) => {
    found ??= { ...record, bytes: Buffer.from(record.bytes) }
  })
  records.add(Buffer.from(text as string))
  records.end()
  return found
}

const outcome = (readRow: ReadRow, record: BodyRecord): unknown => {
  try {
    demandUtf8(record)
    return readRow(record)
  } catch (error) {
    if (error instanceof Fault) return error.message.replace(/^the (?:line|body) is not JSON.*/, 'no JSON')
    throw error
  }
}

const fixes: readonly Fixed[] = [
  { componentId: undefined, streamId: undefined },
  { componentId: 'Fixed', streamId: undefined },
  { componentId: 'Fixed', streamId: 'one' },
]

const blanks = ['', '', '', ' ', '\t', ' \r']
const compIds = ['"compId":"Boiler"', '"compId":"Boiler"', '"compId":"Bo\\u0069ler"', '"compId":null', '"compId":5']
const moreIds = [
  '"COMPID":"Other"',
  '"compId":""',
  `"compId":"${'x'.repeat(200)}"`,
  '"comp\\u0049d":"E"',
  '"compId":"ä"',
]
const streamIds = ['"streamId":"temp"', '"streamId":"temp"', '"streamId":"t\\"p"', '"streamid":"low"', '"streamId":{}']
const times = ['"time":1767225600000', '"time":"2026-01-01T00:00:00Z"', '"time":1.5', '"time":null', '"time":1e12']
const moreTimes = [
  '"time":-62135596800000',
  '"time":253402300800000',
  '"time":"5"',
  '"time":9007199254740993',
  '"Time":5',
]
const data = ['"data":20.1', '"data":-0', '"data":"20.1"', '"data":null', '"data":true', '"data":[1]', '"data":1e400']
const moreData = [
  '"data":9007199254740993',
  '"data":20.123456789012345',
  '"data":01',
  '"data":"\\ud800"',
  '"DATA":7',
  '"data":"ä\\n"',
]
const others = [
  '"x":1',
  '"x":"y"',
  '"x":[]',
  '"__proto__":null',
  '"__proto__":{}',
  '"isoTime":"a"',
  '"x":12345678901234567890',
]

describe('rows of an import', () => {
  it('refuses a time whose offset no clock has', () => {
    for (const offset of ['+19:00', '+0160', '-99:99', '+01:00:60'])
      assert.throws(() => timeFrom(`2026-01-01T00:00:00${offset}`), /an ISO time with an offset/, offset)
    assert.equal(timeFrom('1890-01-01T00:00:00-15:56:00'), Date.UTC(1890, 0, 1, 15, 56))
    assert.equal(timeFrom('2026-01-01T00:00:00+1800'), Date.UTC(2025, 11, 31, 6))
  })

  it('are the same by the short way of NDJSON and by the long one', () => {
    for (const fixed of fixes) {
      const random = openRandom(7)
      const { pick } = random
      const blank = () => pick(blanks)
      const readRow = ndjsonReader(fixed)
      let usual = 0
      for (let n = 0; n < 5000; n += 1) {
        const members = [
          pick([...compIds, ...moreIds]),
          pick(streamIds),
          pick([...times, ...moreTimes]),
          pick([...data, ...moreData]),
        ].filter(() => random.integer(20) > 0)
        while (random.integer(4) === 0) members.push(pick([...others, ...compIds, ...streamIds, ...times, ...data]))
        members.sort(() => random.integer(3) - 1)
        let line = `${blank()}{${blank()}${members.join(`${blank()},${blank()}`)}${blank()}}${blank()}`
        if (random.integer(10) === 0) {
          const at = random.integer(line.length)
          line = line.slice(0, at) + pick(['', '"', '\\', '{', '}', ',', '0', 'ä', '\u0001']) + line.slice(at + 1)
        }
        const record = recordOf(line)
        if (record === undefined) continue
        // A nested member, which only the long way can read, and that means nothing.
        const long = recordOf(line.replace('{', members.length > 0 ? '{"nested":[],' : '{"nested":[]'))!
        assert.deepEqual(outcome(readRow, record), outcome(readRow, long), line)
        if (usualReader(fixed, openIds('compId'), openIds('streamId'))(record)) usual += 1
      }
      assert.ok(usual > 100, `${usual} were usual`)
    }
  })

  it('are the same by the short way of CSV and by the long one', () => {
    const cells = [
      '',
      'Boiler',
      'temp',
      '1767225600000',
      '2026-01-01T00:00:00Z',
      '-5',
      '20.1',
      "'=1",
      "''=x",
      'ä',
      '\0',
    ]
    const more = [
      'soon',
      '253402300800000',
      '00000000000000005',
      '999999999999999',
      '9007199254740993',
      ' 5',
      'x'.repeat(200),
    ]
    const headers = [
      ['compId', 'streamId', 'time', 'data'],
      ['x', 'DATA', 'isoTime', 'streamid', 'compid', 'y'],
    ]
    for (const fixed of fixes)
      for (const header of headers) {
        const random = openRandom(11)
        const readRow = csvReader(header, fixed)
        for (let n = 0; n < 5000; n += 1) {
          const count = 1 + random.integer(header.length + 1)
          const row = Array.from({ length: count }, (_, at) => {
            const likely = [
              ['Boiler', 'temp', '1767225600000', '20.1'],
              ['', '20.1', '5', 'temp', 'Boiler', ''],
            ]
            const of = likely[headers.indexOf(header)]![at]
            const all = [...cells, ...more]
            return of !== undefined && random.integer(4) > 0 ? of : random.pick(all)
          })
          const record = recordOf(`${row.join()}\n`, true)
          if (record === undefined) continue
          assert.deepEqual(outcome(readRow, record), outcome(readRow, { ...record, hasQuotes: true }), row.join())
        }
      }
  })

  it('have the IDs of their own lines, however these are cut, and however much they look like those before', () => {
    const ids = ['Boiler', 'Kettle', 'Boil', 'Boilers', 'Boiler', 'Boiler', 'Böiler']
    const forms = [
      [ndjsonReader(fixes[0]!), ids.map((id) => `{"compId":"${id}","streamId":"s${id}","time":5,"data":1}\n`)],
      [csvReader(['compId', 'streamId', 'time', 'data'], fixes[0]!), ids.map((id) => `${id},s${id},5,1\n`)],
    ] as const
    for (const [readRow, lines] of forms)
      for (const atOnce of [1, 7, 1000]) {
        const found: string[] = []
        const records = openRecords({ isCsv: false, mostBytes: 1000 }, { bytes: 0, lines: 0 }, (record) => {
          const { componentId, streamId } = readRow(record)
          found.push(componentId, streamId)
        })
        const body = Buffer.from(lines.join(''))
        for (let from = 0; from < body.length; from += atOnce)
          records.add(Buffer.from(body.subarray(from, from + atOnce)))
        records.end()
        assert.deepEqual(
          found,
          ids.flatMap((id) => [id, `s${id}`]),
          lines[0],
        )
      }
  })

  it('refuse bytes that are not UTF-8, in all forms', () => {
    const line = '{"compId":"\xe4","streamId":"s","time":5,"data":1}'
    const record = recordOf(Buffer.from(line, 'latin1'))!
    assert.equal(outcome(ndjsonReader(fixes[0]!), record), 'the line is not UTF-8')
    const row = recordOf(Buffer.from('\xe4,s,5,1', 'latin1'), true)!
    assert.equal(outcome(csvReader(['compId', 'streamId', 'time', 'data'], fixes[0]!), row), 'the line is not UTF-8')
  })

  it('are objects by the long way, whatever stands in them', () => {
    assert.deepEqual(objectFrom(recordOf('{"a":9007199254740993,"b":[1]}')!, 10), { a: 9007199254740993n, b: [1] })
  })

  it('have a thousand values at most, which are read at once', () => {
    const line = `{"compId":"c","streamId":"s","time":5,"data":1,"x":[9007199254740993,${'[],'.repeat(1000)}1]}`
    assert.equal(outcome(ndjsonReader(fixes[0]!), recordOf(line)!), 'the body has more than 1000 JSON values')
  })

  it('keep nothing of a long line in memory with its IDs', () => {
    const readRow = csvReader(['compId', 'streamId', 'time', 'data', 'x'], fixes[0]!)
    const before = usedHeap()
    for (const quote of ['', '"'])
      for (let n = 0; n < 100; n += 1) {
        const id = `${quote}a component with a long name ${n}${quote}`
        readRow(recordOf(`${id},a stream with a long name ${n},5,1,${'x'.repeat(500_000)}`, true)!)
      }
    const kept = usedHeap() - before
    assert.equal(readRow(recordOf('B,s,5,1,x', true)!).componentId, 'B')
    assert.ok(kept < 20_000_000, `${kept} bytes`)
  })
})
