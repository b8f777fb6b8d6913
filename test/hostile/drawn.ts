// Inputs drawn at random from what an input can have many of, at each door: `npm run soak -- drawn` looks among them for those that cost
// most. A knob has the values that it may be set to; a shape is one value of each.
import { gzipSync } from 'node:zlib'
import { megabyte, mostHead } from './fill.ts'
import { jsonType } from './target.ts'
import type { Target } from './target.ts'

type Value = string | number
type Knobs = Readonly<Record<string, readonly Value[]>>
export type Shape = Readonly<Record<string, Value>>

export type Door = {
  readonly knobs: Knobs
  readonly send: (to: Target, shape: Shape) => Promise<Response>
}

const some = [1, 10, 100, 1000]
const many = [1, 10, 100, 1000, 10_000, 30_000]
const mostBytes = 24 * megabyte

/** The parts of a text with commas between them, until it has so many or is as long as it may be. */
const join = (count: Value, part: (n: number) => string, most = mostBytes): string => {
  const parts: string[] = []
  let length = 0
  for (let n = 0; n < Number(count) && length < most; n += 1) {
    const text = part(n)
    length += text.length + 1
    parts.push(text)
  }
  return parts.join()
}

const nameKnobs = { nameKind: ['short', 'long', 'number', 'escaped', 'prototype', 'alike', 'case'] }
const nameOf = (kind: Value, stem: string, n: number): string => {
  switch (kind) {
    case 'long':
      return `${stem}${'x'.repeat(100)}${n}`
    case 'number':
      return String(n)
    case 'escaped':
      return `${stem}\\u00e9${n}`
    case 'prototype':
      return `__proto__${n === 0 ? '' : n}`
    case 'alike':
      return `${stem}${'0'.repeat(n % 50)}${Math.floor(n / 50)}`
    case 'case':
      return n % 2 === 0 ? `${stem}${n}` : `${stem.toUpperCase()}${n - 1}`
    default:
      return `${stem}${n}`
  }
}

const valueKnobs = {
  value: [
    'integer',
    'double',
    'digits',
    'big',
    'text',
    'long text',
    'escaped',
    'number text',
    'null',
    'boolean',
    'nested',
    'mixed',
  ],
}
const valueOf = (kind: Value, n: number): string => {
  switch (kind) {
    case 'double':
      return String(n / 7)
    case 'digits':
      return `0.${'123456789'.repeat(100)}`
    case 'big':
      return `90071992547409${93 + (n % 7)}`
    case 'text':
      return `"text ${n}"`
    case 'long text':
      return `"${'text '.repeat(200)}"`
    case 'escaped':
      return `"${'\\u0041\\n\\"'.repeat(20)}"`
    case 'number text':
      return `" ${n}.5e1 "`
    case 'null':
      return 'null'
    case 'boolean':
      return 'true'
    case 'nested':
      return `[[[{"a":[${n}]}]]]`
    case 'mixed':
      return valueOf(valueKnobs.value[n % 8]!, n)
    default:
      return String(n)
  }
}

const timeKnobs = { time: ['rising', 'falling', 'same', 'spread', 'seldom', 'none', 'text', 'far'] }
const timeOf = (kind: Value, n: number): string | undefined => {
  const from = 1_767_225_600_000
  switch (kind) {
    case 'falling':
      return String(from - n)
    case 'same':
      return String(from)
    case 'spread':
      return String(from + ((n * 7919) % 100_003) * 1000)
    case 'seldom':
      return n % 100 === 0 ? String(from + n) : undefined
    case 'none':
      return undefined
    case 'text':
      return `"${from + n}"`
    case 'far':
      return String(((n * 104_729) % 1_000_003) * 3_000_000)
    default:
      return String(from + n)
  }
}

const extraKnobs = {
  extra: [0, 0, 1, 30, 300, 9000],
  extraName: ['same', 'another', 'number'],
  extraOrder: ['same', 'turned'],
  extraPlace: ['before', 'behind'],
  known: ['as in the docs', 'in capitals'],
  extraValue: valueKnobs.value,
}
const capitals = (text: string): string => text.toUpperCase()

/** The members of an object, and the extra ones. */
const objectOf = (members: readonly string[], shape: Shape, n: number): string => {
  const extra = extraOf(shape, n)
  const known = shape['known'] === 'in capitals' ? members.map((each) => each.replace(/^"\w+/, capitals)) : members
  return `{${(shape['extraPlace'] === 'before' ? [...extra, ...known] : [...known, ...extra]).join()}}`
}
const extraOf = ({ extra, extraName, extraOrder, extraValue }: Shape, n: number): readonly string[] => {
  const count = Number(extra)
  return Array.from({ length: count }, (_, k) => {
    const nth = extraOrder === 'turned' ? (k + n) % count : k
    const name = extraName === 'same' ? `x${nth}` : extraName === 'number' ? String(nth + n * count) : `x${n}-${nth}`
    return `"${name}":${valueOf(extraValue!, n)}`
  })
}

const bodyKnobs = { blanks: [0, 0, 0, 1, 30], packed: ['', '', 'gzip'], pieces: [1, 1, 3, 50] }
const sampleKnobs = { ...nameKnobs, ...valueKnobs, ...timeKnobs, ...extraKnobs, ...bodyKnobs }
/** Some of a caller's clients send a body slowly, and some pack it. */
const sent = (to: Target, query: string, text: string, { packed, pieces, blanks }: Shape): Promise<Response> => {
  const spaced =
    Number(blanks) === 0 ? text : text.replaceAll(',', `,${' '.repeat(Number(blanks))}`).slice(0, 2 * mostBytes)
  const bytes = packed === 'gzip' ? gzipSync(spaced, { level: 1 }) : Buffer.from(spaced)
  const size = Math.ceil(bytes.length / Number(pieces))
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size))
      controller.close()
    },
  })
  return to.put(query, body, packed === 'gzip' ? { 'Content-Encoding': 'gzip' } : {})
}

const inOrder = (order: Value, n: number, components: number, streams: number): readonly [number, number] => {
  if (order === 'component') return [Math.floor(n / streams) % components, n % streams]
  if (order === 'stream') return [n % components, Math.floor(n / components) % streams]
  return [(n * 7919) % components, (n * 104_729) % streams]
}

export const doors: Readonly<Record<string, Door>> = {
  'an array of samples': {
    knobs: {
      samples: [1000, 10_000, 100_000],
      components: many,
      streams: [...many.slice(0, -1), 9000],
      order: ['component', 'stream', 'mixed'],
      ...sampleKnobs,
    },
    send: (to, shape) => {
      const { samples, components, streams, order, nameKind, value, time } = shape
      const text = join(samples!, (n) => {
        const [component, stream] = inOrder(order!, n, Number(components), Number(streams))
        const own = timeOf(time!, n)
        const members = [
          `"compId":"${nameOf(nameKind!, 'c', component)}"`,
          `"streamId":"${nameOf(nameKind!, 's', stream)}"`,
          ...(own === undefined ? [] : [`"time":${own}`]),
          `"data":${valueOf(value!, n)}`,
        ]
        return objectOf(members, shape, n)
      })
      return sent(to, '', `[${text}]`, shape)
    },
  },
  'an object of samples': {
    knobs: {
      components: many,
      streams: many,
      values: some,
      ownTimes: ['no', 'some', 'yes'],
      again: ['no', 'component', 'stream'],
      fewer: ['no', 'values'],
      ...sampleKnobs,
    },
    send: (to, shape) => {
      const { components, streams, values, ownTimes, again, fewer, nameKind, value, time } = shape
      const list = (count: Value, each: (n: number) => string) => `[${join(count, each)}]`
      let left = mostBytes
      const cut = (text: string) => {
        left -= text.length
        return text
      }
      const component = (c: number) => {
        if (left < 0) return '{}'
        const times = time === 'none' ? [] : [`"time":${list(values!, (n) => timeOf(time!, n) ?? 'null')}`]
        const stream = join(
          streams!,
          (s) => {
            const own = ownTimes === 'yes' || (ownTimes === 'some' && s % 3 === 0) ? times : []
            const count = fewer === 'values' && s === 7 ? Number(values) + 1 : values!
            const id = `"streamId":"${nameOf(nameKind!, 's', again === 'stream' ? s % 5 : s)}"`
            return objectOf([id, ...own, `"data":${list(count, (n) => valueOf(value!, n))}`], { ...shape, extra: 0 }, s)
          },
          left,
        )
        const id = `"componentId":"${nameOf(nameKind!, 'c', again === 'component' ? c % 5 : c)}"`
        return cut(objectOf([id, ...times, `"stream":[${stream}]`], shape, c))
      }
      return sent(to, '', `{"feed":{"component":[${join(components!, component)}]}}`, shape)
    },
  },
  'samples in an address': {
    knobs: {
      streams: many,
      values: some,
      digits: [1, 5, 300],
      separator: [',', ';', '%2C', 'ab'],
      escaped: ['no', 'values', 'names'],
      times: ['none', 'freq', 'time', 'timeEl'],
      rsid: [0, 1, 100, 1000],
      ...nameKnobs,
    },
    send: (to, { streams, values, digits, separator, escaped, times, rsid, nameKind }) => {
      const count = Number(values)
      const text = (n: number) => '12.345e6'.repeat(1 + Math.floor(Number(digits) / 8)).slice(0, Number(digits)) + n
      const escape = (plain: string) => Array.from(Buffer.from(plain), (byte) => `%${byte.toString(16)}`).join('')
      const list = (each: (n: number) => string) =>
        Array.from({ length: count }, (_, n) => each(n)).join(String(separator))
      const parameters = ['compId=C']
      if (separator !== ',') parameters.push(`delim=${String(separator)}`)
      if (times === 'freq') parameters.push('freq=1000')
      else if (times !== 'none')
        parameters.push(`${times}=${list((n) => String(times === 'time' ? 1_767_225_600_000 + n : n))}`)
      for (let n = 0; n < Number(rsid); n += 1) parameters.push(`rsid=r${n}`)
      for (let s = 0, length = 0; s < Number(streams) && length < mostHead; s += 1) {
        const name = nameOf(nameKind!, 's', s)
        const each = `${escaped === 'names' ? escape(name) : name.replaceAll('\\', '%5C')}=${list((n) => (escaped === 'values' ? escape(text(n)) : text(n)))}`
        length += each.length
        parameters.push(each)
      }
      return to.put(parameters.join('&').slice(0, mostHead))
    },
  },
  'lines of history': {
    knobs: {
      lines: [1000, 10_000, 100_000],
      components: many,
      streams: many,
      order: ['component', 'stream', 'mixed'],
      format: ['csv', 'ndjson'],
      quoted: ['no', 'yes'],
      columns: [0, 1, 100],
      ...nameKnobs,
      ...valueKnobs,
      ...timeKnobs,
    },
    send: (to, { lines, components, streams, order, format, quoted, columns, nameKind, value, time }) => {
      const cell = (text: string) =>
        quoted === 'yes' ? `"${text.replaceAll('"', '""')}"` : text.replaceAll(/[",]/g, '')
      const wide = ',x'.repeat(Number(columns))
      const head = `compId,streamId,time,data${Array.from({ length: Number(columns) }, (_, n) => `,x${n}`).join('')}\n`
      const body: string[] = format === 'csv' ? [head] : []
      for (let n = 0, length = 0; n < Number(lines) && length < mostBytes / 2; n += 1) {
        const [component, stream] = inOrder(order!, n, Number(components), Number(streams))
        const [c, s] = [nameOf(nameKind!, 'c', component), nameOf(nameKind!, 's', stream)]
        const own = timeOf(time!, n) ?? ''
        const text =
          format === 'csv'
            ? `${cell(c)},${cell(s)},${own.replaceAll('"', '')},${cell(valueOf(value!, n))}${wide}\n`
            : `{"compId":"${c}","streamId":"${s}","time":${own === '' ? 'null' : own},"data":${valueOf(value!, n)}}\n`
        length += text.length
        body.push(text)
      }
      return to.ask('POST', `/api/import?format=${format}&${to.key}`, body.join(''))
    },
  },
  'components at once': {
    knobs: {
      components: [...many],
      streams: [0, 1, 10, 100, 1000],
      again: ['no', 'yes'],
      method: ['PUT', 'catalogue'],
      ...nameKnobs,
      ...extraKnobs,
    },
    send: (to, shape) => {
      const { components, streams, again, method, nameKind } = shape
      const stream = join(streams!, (n) => `{"id":"${nameOf(nameKind!, 's', n)}"}`, 4 * megabyte)
      const each = (c: number) =>
        objectOf([`"id":"${nameOf(nameKind!, 'd', again === 'yes' ? c % 5 : c)}"`, `"stream":[${stream}]`], shape, c)
      const most = 3.9 * megabyte
      if (method === 'PUT')
        return to.ask('PUT', `/api/component?session=${to.session}`, `[${join(components!, each, most)}]`, jsonType)
      const lines = join(components!, (c) => `\n{"component":${each(c)}}`, most).replaceAll(',\n', '\n')
      return to.ask('POST', `/api/import?what=catalogue&session=${to.session}`, lines)
    },
  },
  'a pushed text': {
    knobs: {
      endpoint: [
        'json',
        'rows',
        'worked',
        'below',
        'csv',
        'lines',
        'fields',
        'number',
        'replace',
        'search',
        'path',
        'pattern',
      ],
      shape: ['list', 'nested', 'csv', 'letters', 'members'],
      count: many,
      depth: [1, 10, 100, 400],
      ...nameKnobs,
      ...valueKnobs,
    },
    send: (to, { endpoint, shape, count, depth, nameKind, value }) => {
      const most = 2 * megabyte
      const row = (n: number) => `{"${nameOf(nameKind!, 'a', n % 7)}":${valueOf(value!, n)},"b":${n}}`
      const deep = Number(depth)
      const texts: Readonly<Record<string, () => string>> = {
        list: () => `{"list":[${join(count!, row, most)}]}`,
        nested: () => `{"list":[${join(count!, (n) => `${'[{"a":'.repeat(deep)}${n}${'}]'.repeat(deep)}`, most)}]}`,
        csv: () => join(count!, (n) => `${n};${valueOf(value!, n)}\n`, most),
        letters: () => nameOf(nameKind!, 'a', 1).repeat(Number(count)).slice(0, most),
        members: () => `{${join(count!, (n) => `"${nameOf(nameKind!, 'a', n)}":${valueOf(value!, n)}`, most)}}`,
      }
      return to.sink(String(endpoint), texts[String(shape)]!())
    },
  },
  'a script': {
    knobs: {
      around: [
        '(#)',
        '# + 1',
        '1 + #',
        '-#',
        'NOT #',
        'CASE WHEN # THEN 1 ELSE 2 END',
        "'a' + #",
        'Round(#, 1)',
        '# IN (1, 2)',
        '(SELECT #)',
        "JSON_Value('{}', #)",
        'Coalesce(#, #)',
      ],
      depth: [1, 5, 20, 100, 1000],
      of: ['columns', 'where', 'order', 'group', 'tables', 'unions', 'common tables', 'statements', 'rows'],
      count: [1, 5, 20, 100, 1000],
      ...nameKnobs,
    },
    send: (to, { around, depth, of, count, nameKind }) => {
      let inner = '1'
      for (let n = 0; n < Number(depth) && inner.length < 30_000; n += 1) inner = String(around).replaceAll('#', inner)
      const name = (n: number) => `"${nameOf(nameKind!, 'a', n).replaceAll('\\', '')}"`
      const list = (each: (n: number) => string, between = ', ') => {
        const parts = [each(0)]
        for (let n = 1, length = parts[0]!.length; n < Number(count) && length < 60_000; n += 1) {
          parts.push(each(n))
          length += parts[n]!.length + between.length
        }
        return parts.join(between)
      }
      const texts: Readonly<Record<string, () => string>> = {
        columns: () => `SELECT ${list((n) => `${inner} AS ${name(n)}`)}`,
        where: () => `SELECT 1 FROM (SELECT 1 AS a) x WHERE ${list(() => `${inner} = 1`, ' OR ')}`,
        order: () => `SELECT a FROM (SELECT 1 AS a) x ORDER BY ${list((n) => `a + ${n} + ${inner}`)}`,
        group: () => `SELECT 1 FROM (SELECT 1 AS a) x GROUP BY ${list((n) => `a + ${n} + ${inner}`)}`,
        tables: () => `SELECT 1 FROM ${list((n) => `(SELECT ${inner} AS a) t${n}`)}`,
        unions: () => list(() => `SELECT ${inner}`, ' UNION ALL '),
        'common tables': () =>
          `WITH ${list((n) => (n === 0 ? `t0 AS (SELECT ${inner} AS a)` : `t${n} AS (SELECT x.a FROM t${n - 1} x JOIN t${Math.floor(n / 2)} y ON x.a = y.a)`))} SELECT a FROM t0`,
        statements: () => list((n) => `SET @a${n} = ${inner}`, '; '),
        rows: () => `INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES ${list((n) => `('C', 'long', ${n}, ${inner})`)}`,
      }
      return to.script(texts[String(of)]!().slice(0, 64_000))
    },
  },
  'a reading': {
    knobs: {
      path: [
        '/api/comp/C/feed',
        '/api/comp/C/last_value',
        '/api/export',
        '/api/live',
        '/api/component',
        '/api/comp/C/cycle/hour/stat/avg/feed',
      ],
      parameter: ['streamId', 'compId', 'text', 'ret', 'sd', 'filter', 'sort'],
      count: [1, 10, 100, 1000, 4000],
      ...nameKnobs,
    },
    send: (to, { path, parameter, count, nameKind }) =>
      to.get(
        `${path}?seconds=0&session=${to.session}&${Array.from(
          { length: Number(count) },
          (_, n) => `${parameter}=${encodeURIComponent(nameOf(nameKind!, 's', n))}`,
        )
          .join('&')
          .slice(0, mostHead)}`,
      ),
  },
}
