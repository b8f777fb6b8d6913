// Rows of an export as bytes (docs/transfer.md#csv). An encoder gathers rows until they are taken, and knows how the
// whole begins and ends.
import { csvCell, csvLine } from '../base/http/csv.ts'
import { toJson } from '../base/http/reply.ts'
import { lineTypes } from '../base/http/row-format.ts'
import type { ScopedStream } from '../core/reading/scope-read.ts'
import type { Value } from '../core/sample/value.ts'
import { openIsoText } from '../core/time/iso.ts'
import { openZone } from '../core/time/zone.ts'

/** A sample, or a statistic of an interval that begins at startMs. */
export type Row = { readonly startMs: number | undefined; readonly timeMs: number; readonly value: Value }

export type Encoder = {
  readonly contentType: string
  /** The ending of a file of this format. */
  readonly ending: string
  readonly add: (stream: ScopedStream, row: Row) => void
  /** About the bytes that the gathered rows take. */
  readonly size: () => number
  /** The gathered rows; empty where the format wants more of them together. */
  readonly take: () => Buffer
  /** The rest, once there are no more rows. */
  readonly end: () => Buffer
}

/** `hasStarts`: rows are statistics, and show the start of their interval. */
export const openCsv = (hasStarts: boolean): Encoder => {
  const columns = ['compId', 'streamId', ...(hasStarts ? ['sdTime'] : []), 'time', 'isoTime', 'data']
  return openLines('csv', csvLine(columns), ({ component, id }) => {
    const before = `${csvCell(component.id)},${csvCell(id)},`
    const isoTime = openIsoText(openZone(component.timeZone))
    return ({ startMs, timeMs, value }) =>
      `${before}${hasStarts ? `${startMs},` : ''}${timeMs},${isoTime(timeMs)},${csvCell(value)}\r\n`
  })
}

export const openNdjson = (hasStarts: boolean): Encoder =>
  openLines('ndjson', '', ({ component, id }) => {
    const before = `${toJson({ compId: component.id, streamId: id }).slice(0, -1)},`
    return ({ startMs, timeMs, value }) =>
      `${before}${hasStarts ? `"sdTime":${startMs},` : ''}"time":${timeMs},"data":${jsonOf(value)}}\n`
  })

/** Lines that are texts already. */
export const openTexts = (): Pick<Encoder, 'contentType' | 'ending' | 'size' | 'take' | 'end'> & {
  readonly add: (text: string) => void
} => {
  let text = ''
  const take = () => {
    const bytes = Buffer.from(text)
    text = ''
    return bytes
  }
  return {
    contentType: lineTypes.ndjson['Content-Type'],
    ending: 'ndjson',
    add: (more) => void (text += more),
    size: () => text.length,
    take,
    end: take,
  }
}

const jsonOf = (value: Value): string => (typeof value === 'string' ? JSON.stringify(value) : String(value))

/** `lineOf` is asked for once a stream, whose rows come together. */
const openLines = (
  format: keyof typeof lineTypes,
  header: string,
  lineOf: (stream: ScopedStream) => (row: Row) => string,
): Encoder => {
  const texts = openTexts()
  let last: ScopedStream | undefined
  let line: (row: Row) => string
  texts.add(header)
  return {
    ...texts,
    contentType: lineTypes[format]['Content-Type'],
    ending: format,
    add: (stream, row) => {
      if (stream !== last) {
        last = stream
        line = lineOf(stream)
      }
      texts.add(line(row))
    },
  }
}
