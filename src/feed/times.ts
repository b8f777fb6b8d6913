// The times of an upload in the URL form (docs/feeds.md#times): given one by one, as the time
// elapsed since each reading, as a frequency, or by the server.
import { badRequest, shorten } from '../base/errors.ts'
import { epoch, firstMs, integerFrom } from '../base/http/params.ts'
import type { Query } from '../base/http/query-string.ts'

/** The times for so many values of one stream, earliest value first. */
export type TimesOf = (streamId: string, count: number) => readonly number[]

export const timesFromUrl = (query: Query, delimiter: string, uploadMs: number): TimesOf => {
  const given = ['time', 'timeEl', 'freq'].filter((name) => query.get(name.toLowerCase()) !== undefined)
  if (given.length > 1) throw badRequest(`${given.join(' and ')} exclude each other`)
  switch (given[0]) {
    case 'time':
      return timesFromText(query.get('time')!, delimiter)
    case 'timeEl':
      return oneByOne(
        'timeEl',
        query
          .get('timeel')!
          .split(delimiter)
          .map((text) => elapsedFrom(text, uploadMs)),
      )
    case 'freq': {
      const everyMs = integerFrom('freq', query.get('freq')!, 1)
      return (_streamId, count) => {
        const firstTimeMs = uploadMs - everyMs * (count - 1)
        if (firstTimeMs < firstMs) throw badRequest(`freq ${everyMs} reaches back beyond the year 1`)
        return Array.from({ length: count }, (_, index) => uploadMs - everyMs * (count - 1 - index))
      }
    }
    case undefined:
    default:
      return timesByServer(uploadMs)
  }
}

/** Those that the parameter time has. */
export const timesFromText = (time: string, delimiter: string): TimesOf =>
  oneByOne('time', time.includes(delimiter) ? time.split(delimiter).map(timeFrom) : [timeFrom(time)])

const timeFrom = (text: string): number => epoch('time', text)

/** Without times in the call, its one value has the time of the upload. */
export const timesByServer =
  (uploadMs: number): TimesOf =>
  (streamId, count) => {
    if (count > 1) throw badRequest(`${count} values for '${shorten(streamId)}' need time, timeEl or freq`)
    return [uploadMs]
  }

const elapsedFrom = (text: string, uploadMs: number): number => {
  const elapsedMs = integerFrom('timeEl', text, 0)
  if (uploadMs - elapsedMs < firstMs) throw badRequest(`timeEl ${elapsedMs} reaches back beyond the year 1`)
  return uploadMs - elapsedMs
}

const oneByOne =
  (name: string, timesMs: readonly number[]): TimesOf =>
  (streamId, count) => {
    if (count !== timesMs.length)
      throw badRequest(`${count} values for '${shorten(streamId)}' but ${timesMs.length} in ${name}`)
    return timesMs
  }
