// The short way through the array form must come to the same as the long one, or give up.
import assert from 'node:assert/strict'
import type { SampleBatch } from '../../src/core/sample/batch.ts'
import { parseQuery } from '../../src/base/http/query-string.ts'
import { atOnce } from '../../src/base/slices.ts'
import { samplesInSlices } from '../../src/feed/array-bytes.ts'
import { batchFromJson } from '../../src/feed/put-json.ts'

const uploadMs = 1_700_000_000_000

const read = (text: string | Buffer, most = 100) => atOnce(samplesInSlices(Buffer.from(text as string), uploadMs, most))

const element = (more: string) => `[{"compId":"C","streamId":"s",${more}}]`

const valueOf = (text: string) => read(element(`"data":${text}`))?.samples.values[0]

/** The same body with a member that only the long way can read, and that means nothing. */
const theLongWay = (body: string) => body.replace('{', '{"x":[],')

const batch = (body: string, raw: string) => batchFromJson(Buffer.from(body), parseQuery(raw), uploadMs) as SampleBatch

describe('feed/array-bytes', () => {
  const unusual: readonly string[] = [
    '',
    '5',
    'null',
    '{}',
    '[',
    '[1]',
    '[{}]',
    '[{"compId":"C","streamId":"s","data":1}',
    '[{"compId":"C","streamId":"s","data":1}] x',
    '[{"compId":"C","streamId":"s","data":1},]',
    '[{"compId":"C","streamId":"s","data":1,}]',
    '[{"compId":"C","streamId":"s","data":1}{"compId":"C","streamId":"s","data":1}]',
    '[{"compId":"C","streamId":"s"}]',
    '[{"compId":"C","compId":"E","streamId":"s","data":1}]',
    '[{"compId":"C","compId":null,"streamId":"s","data":1}]',
    '[{"compId":"C","data":1}]',
    '[{"compId":5,"streamId":"s","data":1}]',
    '[{"compId":true,"streamId":"s","data":1}]',
    '[{"compId":"C","streamId":null,"data":1}]',
    '[{"compId":"C","streamId":"s","d\\u0061ta":1}]',
    '[{"compId":"C","streamId":"s","\\u0064ata":2,"data":1}]',
    '[{"compId":"C","streamId":"s\\x","data":1}]',
    '[{"compId":"C","streamId":"s\n","data":1}]',
    '[{"compId":"C","streamId":"s","data":"a\u0001"}]',
    element('"data":[1]'),
    element('"data":{}'),
    element('"data":tru'),
    element('"data":truex'),
    element('"data":NaN'),
    element('"data":1,"time":-5'),
    element('"data":1,"time":1.5'),
    element('"data":1,"time":"5"'),
    element('"data":1,"time":true'),
    element('"data":1,"time":253402300800000'),
    element('"data":1,"x":{}'),
    element('"data":1,"x":[]'),
  ]
  for (const text of unusual) it(`gives up at ${text.slice(0, 60)}`, () => assert.equal(read(text), undefined))

  it('leaves more than 64 KiB of blanks in a row to the long way, which reads them in slices', () => {
    for (const [before, behind] of [
      ['', '[{"compId":"C","streamId":"s","data":1}]'],
      ['[', '{"compId":"C","streamId":"s","data":1}]'],
      ['[{"compId":"C","streamId":"s","data":1}', ']'],
      ['[{"compId":"C","streamId":"s","data":1}]', ''],
    ] as const) {
      assert.equal(read(`${before}${' '.repeat(65_536)}${behind}`)?.samples.values.length, 1)
      assert.equal(read(`${before}${' '.repeat(65_537)}${behind}`), undefined)
    }
  })

  it('gives up at names that are longer than any ID, which a Map would compare with each other, and at longer texts and numbers than any sample', () => {
    const bodies: readonly [most: number, body: (text: string) => string][] = [
      [2048, (text) => `[{"compId":"${text}","streamId":"s","data":1}]`],
      [2048, (text) => `[{"compId":"\\n${text.slice(1)}","streamId":"s","data":1}]`],
      [2048, (text) => `[{"compId":"C","streamId":"${text}","data":1}]`],
      [2048, (text) => `[{"compId":"C","streamId":"s","data":1,"${text}":1}]`],
      [512 * 1024, (text) => `[{"compId":"C","streamId":"s","data":"${text}"}]`],
      [65_534, (text) => `[{"compId":"C","streamId":"s","data":0.${text.replaceAll('x', '9')}}]`],
    ]
    for (const [most, body] of bodies) {
      assert.ok(read(body('x'.repeat(most))))
      assert.ok(read(body('x'.repeat(most + 1))) === undefined)
    }
    // Counted are bytes: all of a name is looked at without a pause.
    assert.ok(read(element('"data":1').replace('"C"', `"${'€'.repeat(683)}"`)) === undefined)
  })

  it('gives up at numbers that are not JSON, or that a number does not hold', () => {
    const wrong = ['01', '-', '-01', '+1', '.5', '1.', '1.e5', '1e', '1e+', '0x10', '1_0', '1 2', '9007199254740993']
    for (const text of [...wrong, '-9007199254740993', '123456789012345678901234567890'])
      assert.equal(valueOf(text), undefined, text)
  })

  it('gives up at members that are known by another case', () => {
    for (const member of ['compid', 'compID', 'STREAMID', 'Data', 'Time'])
      assert.equal(read(`[{"compId":"C","streamId":"s","data":1,"${member}":"x"}]`), undefined, member)
  })

  it('refuses more samples than are allowed, and takes as many', () => {
    const body = `[${Array(3).fill('{"compId":"C","streamId":"s","data":1}').join()}]`
    assert.throws(() => read(body, 2), { status: 413, message: 'more than 2 samples in one call' })
    assert.equal(read(body, 3)!.samples.values.length, 3)
  })

  it('gives up at bytes that are not UTF-8', () => {
    assert.equal(read(Buffer.from('[{"compId":"\xe4","streamId":"s","data":1}]', 'latin1')), undefined)
  })

  it('reads numbers to the last bit', () => {
    const texts = ['0', '-0', '0.1', '-0.1', '1e5', '1E-5', '1e20', '1.5e+300', '5e-324', '0.000001', '123456789012345']
    const more = ['9007199254740991', '0.1234567890123456', '1234567.1234567', '999999999999999', '99999999.9999999']
    for (let n = 0; n < 2000; n += 1) {
      const digits = String((n * 2_654_435_761) % 10 ** (1 + (n % 15)))
      more.push(`${digits}.${String((n * 40_503) % 10 ** (1 + (n % 7)))}`)
    }
    for (const text of [...texts, ...more]) assert.ok(Object.is(valueOf(text), Number(text)), text)
  })

  it('knows names again that have the same hash', () => {
    // 31 * 'A' + 'a' is 31 * 'B' + 'B' is 31 * 'C' + '#'.
    const alike = ['Aa', 'BB', 'C#'].flatMap((a) =>
      ['Aa', 'BB', 'C#'].flatMap((b) => ['Aa', 'BB', 'C#'].map((c) => a + b + c)),
    )
    const names = [...alike, ...alike]
    const body = `[${names.map((name) => `{"compId":"C","streamId":"${name}","data":1}`).join()}]`
    assert.deepEqual(read(body)!.samples.streamRefs, names)
    assert.deepEqual(read(body)!.streamIds, alike)
  })

  it('comes to the same as the long way', () => {
    const compIds = [
      '"compId":"C",',
      '"compId" : "D" ,',
      '"compId":null,',
      '',

      '"compId":"\\u0043",',
    ]
    const streamIds = ['"s"', '"Außen"', '"\\u0073"', '"a\\"b"', '"😀"', '"__proto__"']
    const values = ['1', '-2.50', '"x"', '"\\n"', '""', 'null', 'true', 'false', '1e3', '"21.5"', '1,"data":7', '"ä"']
    const times = ['', ',"time":5', ',"time":null', ',"time":1700000000001', ',"time":9e3', ',"unknown":"x","comp":"Z"']
    const blanks = ['', ' ', '\n\t', '\r\n']
    let n = 0
    const pick = <T>(list: readonly T[]): T => {
      n += 1
      return list[(n * 7919 + (n >> 3)) % list.length]!
    }
    for (let round = 0; round < 300; round += 1) {
      const elements = Array.from(
        { length: 1 + (round % 5) },
        () =>
          `${pick(blanks)}{${pick(compIds)}${pick(blanks)}"streamId":${pick(streamIds)},"data"${pick(blanks)}:${pick(values)}${pick(times)}}${pick(blanks)}`,
      )
      const body = `${round % 7 === 0 ? '\uFEFF' : ''}[${elements.join()}]${pick(['', '\r\0\r', ' \n'])}`
      assert.notEqual(read(body), undefined, body)
      for (const raw of ['compId=Q&compTmplId=T', 'compId=C']) {
        assert.equal(read(theLongWay(body)), undefined)
        assert.deepEqual(batch(body, raw), batch(theLongWay(body), raw), body)
      }
    }
  })

  it('reads a long body in slices, and a short one at once', async () => {
    const text = (count: number) => `[${Array(count).fill('{"compId":"C","streamId":"s","data":1,"time":5}').join()}]`
    const slices = samplesInSlices(Buffer.from(text(50_000)), uploadMs, 100_000)
    let count = 0
    while (!slices.next().done) count += 1
    assert.ok(count >= 50, `${count}`)
    const texts = `[${Array(60)
      .fill(`{"compId":"C","streamId":"s","data":"${'x'.repeat(60_000)}"}`)
      .join()}]`
    assert.equal([...samplesInSlices(Buffer.from(texts), uploadMs, 100_000)].length, 6)
    const long = batchFromJson(Buffer.from(text(50_000)), parseQuery(''), uploadMs)
    assert.ok(long instanceof Promise)
    assert.equal((await long)!.samples.values.length, 50_000)
    assert.equal(batch(text(5000), '').samples.values.length, 5000)
  })

  it('gives up at the end of a long body as at that of a short one, and refuses what is too much', async () => {
    const text = (last: string) => `[${'{"compId":"C","streamId":"s","data":1,"time":5},'.repeat(50_000)}${last}]`
    const readLong = async (last: string) => batchFromJson(Buffer.from(text(last)), parseQuery(''), uploadMs)
    const last = (await readLong('{"compId":"D","streamId":"s","data":9007199254740993}'))!
    assert.deepEqual([last.samples.values.at(-1), last.components.length], [9_007_199_254_740_993n, 2])
    await assert.rejects(readLong('{}'), { status: 400, message: /^element 50000 has no compId, streamId, data/ })
    await assert.rejects(readLong('x'), { status: 400, message: /^the body is not JSON/ })
    const most = samplesInSlices(Buffer.from(text('{"compId":"C","streamId":"s","data":1}')), uploadMs, 50_000)
    assert.throws(() => Array.from(most), { status: 413, message: 'more than 50000 samples in one call' })
  })
})
