import assert from 'node:assert/strict'
import type { SampleBatch } from '../../src/core/sample/batch.ts'
import { parseQuery } from '../../src/base/http/query-string.ts'
import { batchFromJson } from '../../src/feed/put-json.ts'
import type { StreamRef } from '../../src/core/sample/ref.ts'
import { isUid } from '../../src/core/sample/ref.ts'

/** The hint of every refusal of a wrong form. */
const arrayForm = '[{"compId":"C","streamId":"s","data":0,"time":0}]'
const objectForm = '{"feed":{"component":[{"componentId":"C","time":[0],"stream":[{"streamId":"s","data":[0]}]}]}}'
const inArrayForm = `; a body is ${arrayForm}`
const inObjectForm = `; a body is ${objectForm}`
const eitherForm = `the body must be ${arrayForm} or ${objectForm}`

const uploadMs = 1_700_000_000_000
const batch = (body: unknown, raw = '') =>
  batchFromJson(
    Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    parseQuery(raw),
    uploadMs,
  ) as SampleBatch

const shown = (ref: StreamRef) => (isUid(ref) ? `*${ref.uid}` : ref)

/** [component, stream, value, time from the upload on] of each sample; uids behind a *. */
const samplesOf = (body: unknown, raw = '') => {
  const { components, samples } = batch(body, raw)
  return samples.streamRefs.map((ref, n) => [
    shown(components[samples.components[n]!]!.ref),
    shown(ref),
    samples.values[n],
    samples.timesMs[n]! - uploadMs,
  ])
}

const object = (component: unknown) => ({ feed: { component: [component] } })
const boiler = (stream: unknown, more = {}) => object({ componentId: 'C', stream: [stream], ...more })
const s = (more = {}) => ({ compId: 'C', streamId: 's', data: 1, ...more })

const values = (count: number) => Array.from({ length: count }, (_, n) => n)
const componentsOf = (more: object, raw = '') => batch(boiler({ streamId: 's', data: [1] }, more), raw).components
const two = (a: number, b: number) =>
  object({
    componentId: 'C',
    stream: [
      { streamId: 'a', data: values(a), time: values(a) },
      { streamId: 'b', data: values(b), time: values(b) },
    ],
  })
describe('feed/put-json', () => {
  const refusedArrays: readonly [body: unknown, message: string][] = [
    ['5', eitherForm],
    ['"text"', eitherForm],
    ['null', eitherForm],
    [[5], `element 0 must be an object${inArrayForm}`],
    [[null], `element 0 must be an object${inArrayForm}`],
    [[[]], `element 0 must be an object${inArrayForm}`],
    [[s(), { streamId: 's', data: 1 }], `element 1 has no compId${inArrayForm}`],
    [[s({ compId: null })], `element 0 has no compId${inArrayForm}`],
    [[s({ compId: 5 })], 'compId of element 0 must be a string'],
    [[s({ compId: '' })], 'compId of element 0 must not be empty'],
    [[s({ compId: 'a\0' })], 'compId of element 0 has a character that cannot be stored'],
    ['[{"compId":"\\ud800","streamId":"s","data":1}]', 'compId of element 0 has a character that cannot be stored'],
    [[s({ compId: 'a\n' })], 'compId of element 0 has a control character'],
    [[s({ compId: 'x'.repeat(513) })], 'compId of element 0 must have at most 512 characters'],
    [[s({ streamId: undefined })], `element 0 has no streamId${inArrayForm}`],
    [[s({ streamId: 5 })], 'streamId of element 0 must be a string'],
    [[s(), s({ streamId: '\u0001' })], 'streamId of element 1 has a control character'],
    [[s({ streamId: '' })], 'streamId of element 0 must not be empty'],
    [[{}], `element 0 has no compId, streamId, data${inArrayForm}`],
    [{ compId: 'C', streamId: 's', data: 1 }, eitherForm],
    [[s({ data: undefined })], `element 0 has no data${inArrayForm}`],
    [[s(), s(), s({ data: undefined })], `element 2 has no data${inArrayForm}`],
    [[s({ data: [1] })], 'the data of element 0 must be a number or a string'],
    [[s({ data: {} })], 'the data of element 0 must be a number or a string'],
    [[s({ time: true })], 'time of element 0 must be epoch milliseconds'],
    [[s({ time: {} })], 'time of element 0 must be epoch milliseconds'],
    [[s({ time: 1.5 })], 'time of element 0 must be epoch milliseconds, an integer'],
    [[s({ time: '' })], "time of element 0 must be epoch milliseconds, not ''"],
    [[s({ time: '2026-01-01' })], "time of element 0 must be epoch milliseconds, not '2026-01-01'"],
    [[s({ time: 253402300800000 })], 'time of element 0 253402300800000 is outside the years 1 to 9999'],
    [
      '[{"compId":"C","streamId":"s","data":1,"time":9007199254740993}]',
      'time of element 0 9007199254740993 is outside the years 1 to 9999',
    ],
    [
      '[{"compId":"C","streamId":"s","data":1,"time":1e999}]',
      'time of element 0 must be epoch milliseconds, an integer',
    ],
  ]
  const refusedObjects: readonly [body: unknown, message: string][] = [
    [{}, eitherForm],
    [{ feed: 5 }, `feed has no component${inObjectForm}`],
    [{ feed: { component: {} } }, `feed.component must be an array${inObjectForm}`],
    [object(5), `component 0 must be an object${inObjectForm}`],
    [object({ stream: [] }), `component 0 has neither componentId nor componentUid${inObjectForm}`],
    [object({ componentId: 5, stream: [] }), 'componentId of component 0 must be a string'],
    [object({ componentUid: '\0', stream: [] }), 'componentUid of component 0 has a character that cannot be stored'],
    [object({ componentId: 'C' }), `component 0 has no stream${inObjectForm}`],
    [object({ componentId: 'C', stream: {} }), `stream of component 0 must be an array${inObjectForm}`],
    [boiler(5), `stream 0 of component 0 must be an object${inObjectForm}`],
    [boiler({ data: [1] }), `stream 0 of component 0 has neither streamId nor streamUid${inObjectForm}`],
    [boiler({ streamId: 's' }), `stream 0 of component 0 has no data${inObjectForm}`],
    [boiler({ streamId: 's', data: 1 }), `data of stream 0 of component 0 must be an array${inObjectForm}`],
    [boiler({ streamId: 's', data: [{}] }), 'the data of stream 0 of component 0 must be a number or a string'],
    [boiler({ streamId: 's', data: [1, 2] }), 'stream 0 of component 0 has 2 values and no time'],
    [boiler({ streamId: 's', data: [1, 2], time: [1] }), 'stream 0 of component 0 has 2 values but 1 times'],
    [boiler({ streamId: 's', data: [1, 2] }, { time: [1, 2, 3] }), 'stream 0 of component 0 has 2 values but 3 times'],
    [boiler({ streamId: 's', data: [1], time: 5 }), `time of stream 0 of component 0 must be an array${inObjectForm}`],
    [
      boiler({ streamId: 's', data: [1], time: [1.5] }),
      'time of stream 0 of component 0 must be epoch milliseconds, an integer',
    ],
    [boiler({ streamId: 's', data: [1] }, { compTmplId: 5 }), 'compTmplId of component 0 must be a string'],
    [boiler({ streamId: 's', data: [1] }, { defaults: { name: 5 } }), 'name of component 0 must be a string'],
  ]
  for (const [body, message] of [...refusedArrays, ...refusedObjects])
    it(`refuses ${(typeof body === 'string' ? body : JSON.stringify(body)).slice(0, 60)}: ${message}`, () =>
      assert.throws(() => batch(body), { status: 400, message }))

  it('refuses wrong parameters of the query', () => {
    for (const [raw, message] of [
      ['dtId=T', 'dtId and dsId go together'],
      ['folder=/x', "folder must be /Components or below it, not '/x'"],
      ['derMaxS=-1', 'derMaxS must be at least 0, not -1'],
      ['compTmplId=%00', 'compTmplId has a character that cannot be stored'],
    ] as const)
      assert.throws(() => batch([s()], raw), { status: 400, message })
  })

  it('refuses more than 100,000 samples, and takes as many', async () => {
    const message = 'more than 100000 samples in one call'
    const element = '{"compId":"C","streamId":"s","data":1}'
    const array = (count: number) => `[${`${element},`.repeat(count - 1)}${element}]`
    const read = async (body: string) => batchFromJson(Buffer.from(body), parseQuery(''), uploadMs)
    for (const tooMany of [array(100_001), JSON.stringify(two(60_000, 40_001))])
      await assert.rejects(read(tooMany), { status: 413, message })
    for (const most of [array(100_000), JSON.stringify(two(60_000, 40_000))])
      assert.equal((await read(most))!.samples.values.length, 100_000)
  })

  it('says how many samples one call takes also where JSON of a small body is too large', () => {
    const message = 'the body has a name of a member with more than 8192 bytes; one call takes up to 100000 samples'
    assert.throws(() => batch([s({ ['x'.repeat(20_000)]: 1 })]), { status: 413, message })
  })

  const arrays: readonly [body: unknown, raw: string, samples: unknown[]][] = [
    [[], '', []],
    [[s()], '', [['C', 's', 1, 0]]],
    [[{ streamId: 's', data: 1 }], 'compId=Q', [['Q', 's', 1, 0]]],
    [
      [s(), { compId: null, streamId: 's', data: 1 }],
      'COMPID=Q',
      [
        ['C', 's', 1, 0],
        ['Q', 's', 1, 0],
      ],
    ],
    [
      [s({ time: null }), s({ time: uploadMs - 5 }), s({ time: String(uploadMs + 5) })],
      '',
      [
        ['C', 's', 1, 0],
        ['C', 's', 1, -5],
        ['C', 's', 1, 5],
      ],
    ],
    [
      [s({ data: null }), s({ data: 'x' }), s({ data: '' }), s({ data: false })],
      '',
      [
        ['C', 's', null, 0],
        ['C', 's', 'x', 0],
        ['C', 's', '', 0],
        ['C', 's', false, 0],
      ],
    ],
    ['[{"compId":"C","streamId":"s","data":9007199254740993}]', '', [['C', 's', 9007199254740993n, 0]]],
    ['[{"compId":"C","streamId":"s","data":1,"data":2}]', '', [['C', 's', 2, 0]]],
    [[s({ unknown: { x: [] } })], '', [['C', 's', 1, 0]]],
    ['[{"compId":"__proto__","streamId":"__proto__","data":1}]', '', [['__proto__', '__proto__', 1, 0]]],
    ['[{"__proto__":{"data":7},"compId":"C","streamId":"s","data":1}]', '', [['C', 's', 1, 0]]],
  ]
  const objects: readonly [body: unknown, raw: string, samples: unknown[]][] = [
    [{ feed: { component: [] } }, '', []],
    [object({ componentId: 'C', stream: [] }), '', []],
    [boiler({ streamId: 's', data: [1] }), '', [['C', 's', 1, 0]]],
    [boiler({ streamId: 's', data: [] }), '', []],
    [
      boiler({ streamId: 's', data: [1, 2] }, { time: [uploadMs, uploadMs + 1] }),
      '',
      [
        ['C', 's', 1, 0],
        ['C', 's', 2, 1],
      ],
    ],
    [boiler({ streamId: 's', data: [1], time: [uploadMs + 9] }, { time: [5, 6] }), '', [['C', 's', 1, 9]]],
    [
      boiler({ streamId: 's', data: [1, 2], time: [uploadMs - 1, null] }),
      '',
      [
        ['C', 's', 1, -1],
        ['C', 's', 2, 0],
      ],
    ],
    [object({ componentUid: 'u', stream: [{ streamUid: 'v', data: ['x'] }] }), '', [['*u', '*v', 'x', 0]]],
    [
      {
        feed: {
          component: [
            { componentId: 'C', stream: [{ streamId: 's', data: [1] }] },
            { componentId: 'C', stream: [{ streamId: 's', data: [2] }] },
          ],
        },
      },
      '',
      [
        ['C', 's', 1, 0],
        ['C', 's', 2, 0],
      ],
    ],
  ]
  for (const [body, raw, expected] of [...arrays, ...objects])
    it(`reads ${(typeof body === 'string' ? body : JSON.stringify(body)).slice(0, 80)}`, () =>
      assert.deepEqual(samplesOf(body, raw), expected))

  it('takes a time that grows with the text alone, however many streams share the members of a component', async function () {
    // Where each stream looks at all of them it takes two minutes.
    this.timeout(60_000)
    const stream = values(100_000).map(() => ({ streamId: 's', data: [] }))
    const others = Object.fromEntries(values(9000).map((n) => [`k${n}`, n]))
    const body = Buffer.from(JSON.stringify(boiler({}, { ...others, stream })))
    const read = (await batchFromJson(body, parseQuery(''), uploadMs))!
    assert.deepEqual([read.components.length, read.samples.values.length], [1, 0])
  })

  it('names each component once, in the order of appearance', () => {
    const { components } = batch([s({ compId: 'b' }), s({ compId: 'a' }), s({ compId: 'b' })], 'compTmplId=T')
    assert.deepEqual(components, [
      { ref: 'b', name: undefined, templateId: 'T' },
      { ref: 'a', name: undefined, templateId: 'T' },
    ])
  })

  it('takes name and template from the object, and the template else from the query', () => {
    assert.deepEqual(componentsOf({ compTmplId: 'T', defaults: { name: 'N' } }, 'compTmplId=Q'), [
      { ref: 'C', name: 'N', templateId: 'T' },
    ])
    assert.deepEqual(componentsOf({ compTmplId: null, defaults: { name: '' } }, 'compTmplId=Q'), [
      { ref: 'C', name: undefined, templateId: 'Q' },
    ])
    assert.deepEqual(componentsOf({ defaults: null }), [{ ref: 'C', name: undefined, templateId: undefined }])
  })

  it('gives the parameters that both forms have', () => {
    const { form, creation, fillsGaps, derivation, wantedStreamIds } = batch(
      [s()],
      'folder=/Components/a&dtId=d&dsId=e&autofillGapsWithNulls=false&derMaxS=3&derTout',
    )
    assert.deepEqual(
      { form, creation, fillsGaps, derivation, wantedStreamIds },
      {
        form: 'json',
        creation: { folderPath: '/Components/a', streamTemplate: { templateId: 'd', streamId: 'e' } },
        fillsGaps: false,
        derivation: { mostStreams: 3, timeoutMs: 15_000 },
        wantedStreamIds: [],
      },
    )
  })

  it('reads large arrays of samples one after another, in slices', async () => {
    const order: string[] = []
    const read = async (name: string, count: number) => {
      const body = Buffer.from(JSON.stringify(Array(count).fill(s({ time: uploadMs }))))
      const reading = batchFromJson(body, parseQuery(''), uploadMs, { holders: ['organization', 'api_key'] })
      assert.ok(reading instanceof Promise)
      assert.equal((await reading)?.samples.values.length, count)
      order.push(name)
    }
    await Promise.all([read('larger', 60_000), read('smaller', 12_000)])
    assert.deepEqual(order.splice(0), ['larger', 'smaller'])
    // Of more than 4 MiB, beside which a smaller one has its turn.
    await Promise.all([read('one', 100_000), read('other', 100_000), read('smaller', 12_000)])
    assert.notEqual(order.at(-1), 'smaller')
  })

  /** Turns that others have from where samples begin to be made. */
  const countTurns = async (body: unknown): Promise<number> => {
    let isMade = false
    let turns = 0
    const count = () => {
      turns += 1
      if (!isMade) setImmediate(count)
    }
    const plain = parseQuery('')
    // Asked for there, and by the shorter way only where that is not given up.
    const get = (name: string) => {
      if (name === 'comptmplid' && turns === 0) count()
      return plain.get(name)
    }
    await batchFromJson(Buffer.from(JSON.stringify(body)), { ...plain, get }, uploadMs)
    isMade = true
    return turns
  }
  const odd = s({ time: String(uploadMs) })
  const long = Array(100_000).fill(1)
  const times = Array(100_000).fill(String(uploadMs))
  const short = Array.from({ length: 50_000 }, (_, n) => ({ streamId: `s${n}`, data: [1] }))
  const empty = Array.from({ length: 80_000 }, (_, n) => ({ componentId: `C${n}`, stream: [] }))
  const others = Object.fromEntries(Array.from({ length: 950 }, (_, n) => [`n${n}`, 1]))
  const wideElement = { STREAMID: 's', DATA: 1, TIME: uploadMs, COMPID: 'C', ...others }
  const wideStream = { STREAMID: 's', DATA: [1], ...others }
  const unusual: readonly [what: string, body: unknown][] = [
    ['an array', Array(60_000).fill(odd)],
    ['wide elements of an array', Array.from({ length: 1000 }, () => wideElement)],
    ['wide streams', boiler(short[0], { stream: Array.from({ length: 1000 }, () => wideStream) })],
    ['one long stream', boiler({ streamId: 's', data: long, time: times })],
    ['many streams', boiler(short[0], { stream: short })],
    ['many components', { feed: { component: empty } }],
  ]
  for (const [what, body] of unusual)
    it(`leaves others room while it makes samples of JSON by all rules, of ${what}`, async () => {
      const turns = await countTurns(body)
      assert.ok(turns > 4, `${turns} turns`)
    })

  it('leaves others room while it looks at the IDs of a usual array', async () => {
    const name = (n: number) => `${'é'.repeat(20)}${n}`
    const turns = await countTurns(
      Array.from({ length: 100_000 }, (_, n) => ({ compId: name(n), streamId: name(n), data: 1 })),
    )
    assert.ok(turns > 4, `${turns} turns`)
  })

  it('drops the bytes of the largest bodies while it makes samples of them', async () => {
    const drops: number[] = []
    for (const count of [5000, 90_000]) {
      const bytes = Buffer.from(JSON.stringify(Array(count).fill(odd)))
      const read = await batchFromJson(bytes, parseQuery(''), uploadMs, { drop: () => void drops.push(count) })
      assert.equal(read?.samples.values.length, count)
    }
    assert.deepEqual(drops, [90_000])
  })
})
