// Samples of an import, gathered in the thread of the external session (import-encoder.ts): an Ingest SQL that only
// copies columns has its samples there already, and they leave the thread stream by stream, in the order of their times,
// as bytes that COPY stores as they are. In tables of our database the same million rows are written, grouped, joined,
// sorted and written again. 20 bytes a row, so a bounded number of them; the rows themselves can be had too.
//
//   INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT meter, 'kwh', at, kwh FROM CSV_TABLE(@JDBC_RESULT) WITH (...)
import { openCopy } from './copy-pieces.ts'
import { orderByStream } from './gathered-order.ts'
import type { Stretches } from './gathered-order.ts'
import type { Value } from '../value.ts'

/** A value of a row: one of the fields, or a constant. */
export type Given<T> = { readonly field: number } | { readonly constant: T }

/** A statement that inserts: which fields of a row are its sample. */
export type GatheredPart = {
  readonly cid: Given<string>
  readonly id: Given<string>
  readonly time: number
  readonly sample: Given<number>
}

/** Fields that are neither names nor numbers of a sample are looked at, and not kept. */
export type GatheredFields = {
  readonly parts: readonly GatheredPart[]
  /** For each field, what it is kept as. */
  readonly kept: readonly ('name' | 'number' | undefined)[]
}

/** Streams by their names, of one part; null times are none of a stream without samples. */
export type GatheredStreams = {
  readonly cids: readonly string[]
  readonly ids: readonly string[]
  /** Of all rows. */
  readonly firstMs: readonly number[]
  readonly lastMs: readonly number[]
  /** Stretches of samples that lie close together, one after another: stream, first and last. */
  readonly stretches: Stretches
}

export type GatheredSummary = { readonly parts: readonly GatheredStreams[]; readonly samples: number }

/** The keys of the streams of each part, and whether their samples are whole numbers. */
export type GatheredOrder = {
  readonly keys: readonly Int32Array[]
  readonly longs: readonly Uint8Array[]
  /** As a column of a sample, or of a table with ms. */
  readonly timeAs: 'time' | 'ms'
}

export type Gathered = {
  /** False: the row cannot be kept. Nothing of it is. */
  readonly add: (fields: readonly Value[]) => boolean
  /** Undefined where the samples cannot be told apart by stream. */
  readonly finish: () => GatheredSummary | undefined
  /** COPY's bytes: stream_key, time or ms, num, long. Once it is finished. */
  readonly samples: (order: GatheredOrder) => Generator<Uint8Array<ArrayBuffer>>
  /** The rows as they came; of fields that are not kept nothing. */
  readonly rows: () => Generator<readonly Value[]>
}

const mostBytes = 32 * 1024 * 1024
const mostStreams = 20_000
/** No ID is longer; others are refused by the number of their row, once they are in the tables. */
const mostNameLength = 1024
/** Codes of names are smaller. */
const mostNames = 2 ** 21

export const openGathered = ({ parts, kept }: GatheredFields): Gathered => {
  const names = openNames()
  const numbers = kept.map((kind) => (kind === 'number' ? openNumbers() : undefined))
  const streams = parts.map((part) => openStreams(part, names))
  const rowBytes = 8 * kept.filter((kind) => kind === 'number').length + 4 * parts.length
  const mostRows = Math.floor(mostBytes / rowBytes)
  let count = 0
  let orders: readonly ReturnType<typeof orderByStream>[] = []

  const valueOf = (part: GatheredPart) => {
    const { sample } = part
    return 'constant' in sample ? () => sample.constant : numbers[sample.field]!.get
  }
  const timeOf = ({ time }: GatheredPart) => numbers[time]!.get

  return {
    add: (fields) => {
      if (count >= mostRows || !isKept(fields, parts, kept)) return false
      let streamCount = 0
      for (const part of streams) {
        if (!part.add(fields, count)) return false
        streamCount += part.count()
      }
      if (streamCount > mostStreams || names.count() >= mostNames) return false
      for (let field = 0; field < numbers.length; field += 1) numbers[field]?.add(count, fields[field] as number | null)
      count += 1
      return true
    },
    finish: () => {
      if (haveCommon(streams.map((part) => part.named()))) return undefined
      orders = parts.map((part, at) => {
        const { ofRow, count: streamCount } = streams[at]!
        return orderByStream(count, ofRow, streamCount(), timeOf(part), valueOf(part))
      })
      const stretches = parts.map((part, at) => orders[at]!.stretches(timeOf(part)))
      if (stretches.some((some) => some === undefined)) return undefined
      return {
        parts: streams.map((part, at) => ({
          ...part.named(),
          ...spansOf(parts[at]!, at),
          stretches: stretches[at]!,
        })),
        samples: orders.reduce((sum, { order }) => sum + order.length, 0),
      }
    },
    samples: function* ({ keys, longs, timeAs }) {
      const all = keys.flatMap((ofPart, part) => Array.from(ofPart, (key, stream) => ({ key, part, stream })))
      const values = parts.map(valueOf)
      const times = parts.map(timeOf)
      const copy = openCopy(timeAs)
      for (const { key, part, stream } of all.toSorted((one, other) => one.key - other.key)) {
        const { order, starts } = orders[part]!
        const [value, time, isLong] = [values[part]!, times[part]!, longs[part]![stream] === 1]
        for (let at = starts[stream]!; at < starts[stream + 1]!; at += 1) {
          const row = order[at]!
          copy.add(key, time(row), value(row), isLong)
          if (copy.isFull()) yield copy.take()
        }
      }
      yield copy.end()
    },
    rows: function* () {
      const named = streams.map((part) => part.named())
      for (let row = 0; row < count; row += 1)
        yield kept.map((kind, field) => {
          if (kind === 'number') return orNull(numbers[field]!.get(row))
          return kind === 'name' ? nameOf(field, row) : null
        })

      function nameOf(field: number, row: number): string {
        const at = parts.findIndex(({ cid, id }) => isField(cid, field) || isField(id, field))
        const stream = streams[at]!.ofRow(row)
        return isField(parts[at]!.cid, field) ? named[at]!.cids[stream]! : named[at]!.ids[stream]!
      }
    },
  }

  function spansOf(part: GatheredPart, at: number): Pick<GatheredStreams, 'firstMs' | 'lastMs'> {
    const [time, { ofRow }] = [timeOf(part), streams[at]!]
    const firstMs = Array.from({ length: streams[at]!.count() }, () => Infinity)
    const lastMs = firstMs.map(() => -Infinity)
    for (let row = 0; row < count; row += 1) {
      const [stream, ms] = [ofRow(row), time(row)]
      if (ms < firstMs[stream]!) firstMs[stream] = ms
      if (ms > lastMs[stream]!) lastMs[stream] = ms
    }
    return { firstMs, lastMs }
  }
}

const isField = (given: Given<unknown>, field: number) => 'field' in given && given.field === field

/** In place of NULL: no value of a script is one. */
const missing = Number.NaN
const orNull = (value: number) => (Number.isNaN(value) ? null : value)

/** Whether it has names and a time, and no number that needs more than a double has. */
const isKept = (fields: readonly Value[], parts: readonly GatheredPart[], kept: GatheredFields['kept']): boolean => {
  for (let field = 0; field < kept.length; field += 1) {
    const value = fields[field]!
    if (kept[field] === 'name' && (value === null || (value as string).length > mostNameLength)) return false
    if (kept[field] === 'number' && typeof value === 'bigint') return false
  }
  return parts.every(({ time }) => fields[time] !== null)
}

/** Texts by small numbers. */
const openNames = () => {
  const codes = new Map<string, number>()
  const texts: string[] = []
  return {
    codeOf: (text: string): number => {
      const known = codes.get(text)
      if (known !== undefined) return known
      // A copy: the text as it came may keep all that came with it.
      const own = Buffer.from(text).toString()
      codes.set(own, texts.length)
      return texts.push(own) - 1
    },
    text: (code: number) => texts[code]!,
    count: () => texts.length,
  }
}

/** The stream of each row, numbered in the order in which they come. */
const openStreams = ({ cid, id }: GatheredPart, names: ReturnType<typeof openNames>) => {
  const numbers = new Map<number, number>()
  const [cids, ids]: [string[], string[]] = [[], []]
  const ofRows = openColumn((length) => new Uint32Array(length))
  const codeOf = (given: Given<string>, fields: readonly Value[]) =>
    names.codeOf('constant' in given ? given.constant : (fields[given.field] as string))
  return {
    add: (fields: readonly Value[], row: number): boolean => {
      const [cidCode, idCode] = [codeOf(cid, fields), codeOf(id, fields)]
      if (cidCode >= mostNames || idCode >= mostNames) return false
      const code = cidCode * mostNames + idCode
      let number = numbers.get(code)
      if (number === undefined) {
        number = cids.push(names.text(cidCode)) - 1
        ids.push(names.text(idCode))
        numbers.set(code, number)
      }
      ofRows.set(row, number)
      return true
    },
    count: () => cids.length,
    named: () => ({ cids, ids }),
    ofRow: ofRows.get,
  }
}

const openNumbers = () => {
  const column = openColumn((length) => new Float64Array(length))
  return {
    // There is one zero.
    add: (row: number, value: number | null) => column.set(row, value === null ? missing : value === 0 ? 0 : value),
    get: column.get,
  }
}

const blockBits = 14
const inBlock = 2 ** blockBits - 1

/** In blocks: one that grows would leave as much again behind. */
const openColumn = (make: (length: number) => Float64Array | Uint32Array) => {
  const blocks: (Float64Array | Uint32Array)[] = []
  return {
    set: (row: number, value: number) => {
      const block = row >> blockBits
      if (block === blocks.length) blocks.push(make(inBlock + 1))
      blocks[block]![row & inBlock] = value
    },
    get: (row: number) => blocks[row >> blockBits]![row & inBlock]!,
  }
}

/** Whether two parts write to one stream: which of two samples came last is not kept. */
const haveCommon = (
  parts: readonly { readonly cids: readonly string[]; readonly ids: readonly string[] }[],
): boolean => {
  const found = new Set<string>()
  let count = 0
  for (const { cids, ids } of parts)
    cids.forEach((cid, at) => {
      found.add(JSON.stringify([cid, ids[at]]))
      count += 1
    })
  return found.size < count
}
