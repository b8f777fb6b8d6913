import assert from 'node:assert/strict'
import { parseJson as parseBytes, readJson as readBytes, readJsonAs } from '../../src/base/json.ts'

const parseJson = (text: string, most?: number) => parseBytes(Buffer.from(text), undefined, most)

const refuses = (text: string, status: number, message: string | RegExp) =>
  assert.throws(
    () => parseJson(text),
    (error: { status: number; message: string }) => {
      assert.equal(error.status, status)
      if (typeof message === 'string') assert.equal(error.message, message)
      else assert.match(error.message, message)
      return true
    },
  )

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const filler = ' '.repeat(20_000)

describe('base/json', () => {
  it('refuses a text that is not JSON with a 400 that names the place', () => {
    refuses('[1,', 400, 'the body is not JSON: Unexpected end of JSON input')
    refuses('[1 2]', 400, /^the body is not JSON: Expected ',' or ']' after array element in JSON at position 3/)
    refuses('{"a":tru}', 400, /^the body is not JSON: Unexpected token/)
    refuses('[01]', 400, /^the body is not JSON: /)
    refuses('[0123456789012345678]', 400, /^the body is not JSON: /)
    refuses('[NaN]', 400, /^the body is not JSON: /)
    refuses(`"${'a'.repeat(20_000)}`, 400, /^the body is not JSON: Unterminated string/)
  })

  it('says where an error stands beside an integer beyond 2^53', () => {
    refuses('[9007199254740993 2]', 400, "the body is not JSON: unexpected '2' at position 18")
    refuses('[9007199254740993,', 400, 'the body is not JSON: the text ends too early at position 18')
  })

  it('reads a long text with integers beyond 2^53 in slices, between which others are served, and one such text after another', async () => {
    const text = `[9007199254740993,${'[[[[1]]]],'.repeat(60_000)}9007199254740995]`
    let turns = 0
    let isRead = false
    const count = () => void (isRead || ((turns += 1), setImmediate(count)))
    setImmediate(count)
    const order: string[] = []
    const note = (name: string) => (value: unknown) => (order.push(name), value)
    const first = Promise.resolve(readBytes(Buffer.from(text))).then(note('first'))
    const second = Promise.resolve(readBytes(Buffer.from(text.replace(/(?:\[{4}1\]{4},){50000}/, '')))).then(
      note('second'),
    )
    const values = (await first) as unknown[]
    isRead = true
    assert.deepEqual(
      [values.length, values[0], values.at(-1)],
      [60_002, 9_007_199_254_740_993n, 9_007_199_254_740_995n],
    )
    assert.ok(turns > 3, `${turns} turns`)
    assert.equal(((await second) as unknown[]).length, 10_002)
    assert.deepEqual(order, ['first', 'second'])
  })

  it('reads such texts of all callers in turn, however many wait of one, and goes on behind one that is refused', async () => {
    for (const blanks of [0, 5_000_000]) {
      const text = (last: string) =>
        Buffer.from(`[9007199254740993,${'[[[[1]]]],'.repeat(10_000)}${' '.repeat(blanks)}${last}]`)
      const order: string[] = []
      const read = async (name: string, last = '1') => {
        const reading = Promise.resolve(readBytes(text(last), undefined, ['tenant', name.slice(0, -1)]))
        await (last === '1' ? reading : assert.rejects(reading, { status: 400 }))
        order.push(name)
      }
      await Promise.all([read('greedy1'), read('greedy2', '!'), read('greedy3'), read('greedy4'), read('other1')])
      assert.deepEqual(order, ['greedy1', 'greedy2', 'other1', 'greedy3', 'greedy4'])
    }
  })

  it('has no lighter text wait for those of very many arrays, objects or members, of large integers, or of more than 4 MiB', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `n${n}`)
    const turned = (by: number) => [...names.slice(by % 30), ...names.slice(0, by % 30)].map((name) => [name, by])
    const objects = Array.from({ length: 2000 }, (_, n) => Object.fromEntries(turned(n)))
    const numbers = '1.5,'.repeat(20_000)
    for (const heavy of [
      `[${Array(100_000).fill('[]').join()}]`,
      `[${Array(100_000).fill('{}').join()}]`,
      JSON.stringify(objects),
      `[9007199254740993,${numbers.repeat(10)}1]`,
      `[${' '.repeat(5_000_000)}1]`,
    ]) {
      const order: string[] = []
      const read = async (name: string, text: string) => {
        const value = (await readBytes(Buffer.from(text))) as unknown[]
        order.push(name)
        return value
      }
      const [value] = await Promise.all([read('one', heavy), read('other', heavy), read('light', `[${numbers}1]`)])
      assert.notEqual(order.at(-1), 'light', heavy.slice(0, 30))
      if (!heavy.includes('9007199254740993')) assert.equal(JSON.stringify(value), JSON.stringify(JSON.parse(heavy)))
    }
  })

  it('lets others be served while something is made of a long text, makes it before it reads the next one, and drops the bytes of the largest before', async () => {
    for (const blanks of [100_000, 5_000_000]) {
      const events: string[] = []
      const read = (name: string) =>
        readJsonAs(
          Buffer.from(`["${name}"${' '.repeat(blanks)}]`),
          function* (json) {
            events.push(`begins ${(json as string[])[0]}`)
            const others: string[] = []
            setImmediate(() => others.push('served'))
            while (others.length === 0) yield
            events.push(`ends ${name}`)
            return name
          },
          { drop: () => events.push(`drops ${name}`) },
        )
      assert.deepEqual(await Promise.all([read('a'), read('b')]), ['a', 'b'])
      const each = (name: string) => [...(blanks > 4e6 ? [`drops ${name}`] : []), `begins ${name}`, `ends ${name}`]
      assert.deepEqual(events, [...each('a'), ...each('b')])
    }
  })

  it('reads characters of all lengths in a body of more than 4 MiB, and counts characters up to its errors', async () => {
    const signs = ['é', '\u0080', 'ÿ', '\u00a0', '€', '\uffff', '😀', '\u2028', '{"[,:]}é€']
    const elements = Array.from({ length: 9000 }, (_, n) => {
      const sign = signs[n % signs.length]!
      return { [`${sign}${n % 50}`]: sign.repeat(n % 97), n, [sign]: [sign, { a: `${'x'.repeat(n % 601)}${sign}` }] }
    })
    const text = JSON.stringify(elements)
    assert.ok(Buffer.byteLength(text) > 4 * 1024 * 1024)
    assert.equal(JSON.stringify(await readBytes(Buffer.from(text))), text)
    const long = text.replace('"n":8999', '"n":9007199254740993')
    assert.equal(((await readBytes(Buffer.from(long))) as typeof elements).at(-1)!.n, 9007199254740993n)
    await assert.rejects(async () => readBytes(Buffer.from(`${text} x`)), {
      status: 400,
      message: `the body is not JSON: unexpected 'x' at position ${text.length + 1}`,
    })
    await assert.rejects(async () => readBytes(Buffer.from(`[\u00a0${text}]`)), {
      status: 400,
      message: "the body is not JSON: unexpected ' ' at position 1",
    })
  })

  it('reads a text of up to 64 KiB at once', () => {
    const samples = Array(2300).fill('{"streamId":"s","time":[1]}').join(',')
    assert.equal((readBytes(Buffer.from(`[${samples}]`)) as unknown[]).length, 2300)
  })

  it('holds as many values as its caller says', () => {
    assert.throws(
      () => parseJson(`{"a":[${'[],'.repeat(10_000)}1]}`, 1000),
      (error: { status: number; message: string }) =>
        error.status === 413 && error.message === 'the body has more than 1000 JSON values',
    )
  })

  it('keeps its messages short', () => {
    assert.throws(
      () => parseJson(`[${'x'.repeat(10_000)}]`),
      (error: Error) => error.message.length <= 150,
    )
  })

  it('refuses nesting beyond 64, however long or short the text', () => {
    refuses('['.repeat(100_000), 400, 'the body is nested more than 64 deep')
    refuses(filler + '{"a":'.repeat(65), 400, 'the body is nested more than 64 deep')
    // With a long integer inside, a text of any size is judged before it is read.
    refuses(`${'['.repeat(7000)}9007199254740993${']'.repeat(7000)}`, 400, 'the body is nested more than 64 deep')
    assert.equal(JSON.stringify(parseJson(filler + nested(64))), nested(64))
  })

  it('does not take brackets inside strings for nesting', () => {
    const text = `["${'[{'.repeat(10_000)}","\\"${'['.repeat(100)}","\\\\",1]`
    assert.deepEqual(parseJson(text), JSON.parse(text))
  })

  it('refuses more than a million values before it makes any of them', () => {
    refuses(`[${'{},'.repeat(600_000)}{}]`, 413, 'the body has more than 1000000 JSON values')
    refuses(`[${'1,'.repeat(1_000_001)}1]`, 413, 'the body has more than 1000000 JSON values')
    assert.equal((parseJson(`[${'1,'.repeat(900_000)}1]`) as unknown[]).length, 900_001)
  })

  it('refuses more than ten thousand different names of members, in however many objects', async () => {
    const escapes = ['\\n', '\\t', '\\r', '\\b', '\\f', '\\/', '\\\\', '\\"']
    const names: Readonly<Record<string, (n: number) => string>> = {
      plain: (n) => `name ${n}`,
      short: (n) => n.toString(36),
      // Names of the same length that differ in nothing but the letters behind backslashes.
      escaped: (n) => Array.from({ length: 6 }, (_, at) => escapes[(n >> (3 * at)) & 7]!).join(''),
    }
    const reason = 'the body has more than 10000 different names of members'
    for (const [what, name] of Object.entries(names))
      for (const [open, between, close] of [
        ['{', ',', '}'],
        ['[{', '},{', '}]'],
      ] as const) {
        const text = (count: number) =>
          `${open}${Array.from({ length: count }, (_, n) => `"${name(n)}" :1`).join(between)}${close}`
        refuses(text(20_000), 413, reason)
        // Larger ones are looked at in slices.
        const large = Buffer.from(`[${text(20_000)},"${'x'.repeat(5_000_000)}"]`)
        await assert.rejects(async () => readBytes(large), { status: 413, message: reason })
        assert.deepEqual(parseJson(text(9000)), JSON.parse(text(9000)), what)
      }
    const samples = `[${'{"compId":"a:b","data":{"x":":"}},'.repeat(50_000)}{}]`
    assert.equal((parseJson(samples) as unknown[]).length, 50_001)
  })

  it('refuses names of more than 8 KiB, and in a body of more than 4 MiB texts of more than 512 KiB, before it makes any of them', async () => {
    const name = (length: number) => `[{"${'n'.repeat(length)}":1},"${'x'.repeat(20_000)}"]`
    refuses(name(8193), 413, 'the body has a name of a member with more than 8192 bytes')
    assert.deepEqual(parseJson(name(8192)), JSON.parse(name(8192)))
    const text = (length: number) => `["${'t'.repeat(length)}",${`"${'x'.repeat(400_000)}",`.repeat(12)}1]`
    const most = 512 * 1024
    for (const large of [text(most + 1), `[${'1,'.repeat(9)}"${'\\n'.repeat(3_000_000)}`])
      await assert.rejects(async () => readBytes(Buffer.from(large)), {
        status: 413,
        message: 'the body has a text of more than 524288 bytes',
      })
    assert.deepEqual(await readBytes(Buffer.from(text(most))), JSON.parse(text(most)))
    const small = `["${'t'.repeat(3_000_000)}"]`
    assert.deepEqual(await readBytes(Buffer.from(small)), JSON.parse(small))
  })

  it('refuses numbers and words of more than 64 KiB, before it looks at them to their end', async () => {
    const text = (digits: string) => `[1,${digits},"${'x'.repeat(20_000)}"]`
    const long = (length: number) => `0.${'9'.repeat(length - 2)}`
    assert.deepEqual(parseJson(text(long(65_536))), JSON.parse(text(long(65_536))))
    for (const digits of [long(65_537), '9'.repeat(65_537), `1e${'-'.repeat(65_536)}`, 'r'.repeat(5_000_000)])
      await assert.rejects(async () => readBytes(Buffer.from(text(digits))), {
        status: 413,
        message: 'the body has a number or word of more than 65536 bytes',
      })
  })

  it('refuses more than a hundred thousand integers beyond 2^53', () => {
    const many = (count: number) => `[${'9007199254740993,'.repeat(count - 1)}9007199254740993]`
    refuses(many(100_001), 413, 'the body has more than 100000 integers beyond 2^53')
    assert.equal((parseJson(many(100_000)) as unknown[]).at(-1), 9007199254740993n)
  })

  const exact: readonly [text: string, value: unknown][] = [
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['123456789012345678901234567890', 123456789012345678901234567890n],
    ['1000000000000000', 1000000000000000],
    // Beyond what a double can hold it is no number any more.
    [`1${'0'.repeat(65_000)}`, Number.POSITIVE_INFINITY],
    ['{"a":9007199254740993,"b":[9007199254740995]}', { a: 9007199254740993n, b: [9007199254740995n] }],
    // Digits of a fraction or behind an exponent are no integer of their own.
    ['0.30000000000000004', 0.30000000000000004],
    ['[0.1234567890123456789,1]', [0.12345678901234568, 1]],
    ['9007199254740993.0', 9007199254740992],
    ['9007199254740993.5', 9007199254740994],
    ['9007199254740993e0', 9007199254740992],
    ['1e0000000000000000001', 10],
    ['1E-0000000000000000001', 0.1],
    ['-1.7976931348623157e+308', -1.7976931348623157e308],
    // Digits in strings and names are text.
    ['"9007199254740993"', '9007199254740993'],
    ['"\\"9007199254740993"', '"9007199254740993'],
    ['"\\\\","x"'.replace('","x', ''), '\\'],
    ['["\\\\",9007199254740993]', ['\\', 9007199254740993n]],
    ['{"9007199254740993":1}', { '9007199254740993': 1 }],
    ['["\\u0000",9007199254740993]', ['\0', 9007199254740993n]],
    ['["\\\\u0000",9007199254740993]', ['\\u0000', 9007199254740993n]],
  ]
  for (const [text, value] of exact) it(`reads ${text.slice(0, 60)}`, () => assert.deepEqual(parseJson(text), value))

  it('reads the last of two members of the same name', () => {
    assert.deepEqual(parseJson('{"a":1,"a":2}'), { a: 2 })
  })

  it('reads __proto__ as a member like any other', () => {
    for (const text of ['{"__proto__":{"compId":"x"}}', '{"__proto__":{"compId":"x"},"n":9007199254740993}']) {
      const value = parseJson(text) as Record<string, unknown>
      assert.equal(value['compId'], undefined)
      assert.deepEqual(Object.keys(value)[0], '__proto__')
    }
    assert.equal(({} as Record<string, unknown>)['compId'], undefined)
  })

  it('takes little memory for names that are numbers, beside integers beyond 2^53', async () => {
    const text = `[${`9007199254740993,${'{"1020":[1]},'.repeat(4000)}`.repeat(5)}{"7":1,"__proto__":2,"7":3,"a":4,"05":5}]`
    const before = process.memoryUsage().heapUsed
    const values = (await readBytes(Buffer.from(text))) as unknown[]
    const taken = process.memoryUsage().heapUsed - before
    assert.ok(taken < 100_000_000, `${taken} bytes`)
    assert.deepEqual(values[1], { 1020: [1] })
    assert.equal(JSON.stringify(values.at(-1)), '{"7":3,"__proto__":2,"a":4,"05":5}')
  })

  it('takes little memory for names that are numbers, where objects with them are open at the end of a piece', async () => {
    const [begin, end] = ['{"1020":'.repeat(60), '}'.repeat(60)]
    const one = `${begin}["${'x'.repeat(15_800)}",1]${end}`
    const text = `[${Array(600).fill(one).join()},{"7":1,"4294967295":[${'1,'.repeat(20_000)}2],"4294967294":2,"a":3,"7":4,"05":5}]`
    const before = process.memoryUsage().heapUsed
    const values = (await readBytes(Buffer.from(text))) as unknown[]
    const taken = process.memoryUsage().heapUsed - before
    assert.ok(taken < 100_000_000, `${taken} bytes`)
    const expected = JSON.parse(text) as unknown[]
    assert.deepEqual(values[1], expected[1])
    assert.equal(JSON.stringify(values.at(-1)), JSON.stringify(expected.at(-1)))
  })

  it('takes a time that grows with the text alone, whatever is in it', () => {
    const half = 4_000_000
    for (const text of [
      `["${'\\\\'.repeat(half)}",9007199254740993]`,
      `["${'\\"'.repeat(half)}",9007199254740993]`,
      `[${' '.repeat(half)}9007199254740993]`,
      `["${'9'.repeat(half)}",9007199254740993]`,
    ])
      assert.equal((parseJson(text) as unknown[]).at(-1), 9007199254740993n)
    refuses(`"${'\\'.repeat(half)}`, 400, /^the body is not JSON: /)
  })

  describe('of a large body', () => {
    const filled = (text: string) => Buffer.from(text.replace('…', ' '.repeat(5 * 1024 * 1024)))
    const readJson = async (text: string) => readBytes(filled(text))

    it('serves others in between', async () => {
      let turns = 0
      let isReading = true
      const count = () => {
        turns += 1
        if (isReading) setImmediate(count)
      }
      setImmediate(count)
      const element = `{"${'k'.repeat(60)}":"\\u00e9","n":9007199254740993},`
      const value = (await readJson(`[${element.repeat(99_999)}{}]`)) as unknown[]
      isReading = false
      assert.equal(value.length, 100_000)
      assert.ok(turns > 5, `${turns} turns`)
    })

    it('reads it as it reads a small one', async () => {
      const texts = [
        '[1,…2]',
        '{"a":9007199254740993,…"b":["\\u0041\\"[",-1.5e3]}',
        '["__proto__"…,{"__proto__":{"a":[]}}]',
        '…7',
      ]
      for (const text of texts) assert.deepEqual(await readJson(text), parseJson(text.replace('…', '')))
    })

    it('refuses what it refuses in a small one', async () => {
      const refused = async (text: string, status: number, message: RegExp) =>
        assert.rejects(readJson(text), (error: { status: number; message: string }) => {
          assert.equal(error.status, status)
          assert.match(error.message, message)
          return true
        })
      await refused('[1,…', 400, /^the body is not JSON: the text ends too early/)
      await refused('[1…2]', 400, /^the body is not JSON: unexpected '2'/)
      await refused('["\\x"…]', 400, /^the body is not JSON: unexpected '\\' at position 2/)
      await refused(`…${nested(65)}`, 400, /^the body is nested more than 64 deep$/)
      await refused(`[…${'1,'.repeat(1_000_001)}1]`, 413, /^the body has more than 1000000 JSON values$/)
    })
  })
})
