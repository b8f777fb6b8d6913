// PUT /feed without a body (docs/feeds.md#upload-in-the-url): everything is in the URL.
//
//   compId=Boiler&temp=20.1,20.4&freq=60000  ->  two samples of stream temp, a minute apart
import { badRequest, shorten } from '../base/errors.ts'
import { identifier } from '../base/http/members.ts'
import { credentials, flag, integerFrom } from '../base/http/params.ts'
import type { Query } from '../base/http/query-string.ts'
import { hasAny } from '../base/http/query-string.ts'
import type { BatchComponent, Creation, Derivation, SampleBatch } from '../core/sample/batch.ts'
import { noDerivation, noSamples, withSample } from '../core/sample/batch.ts'
import { componentFromQuery, creationFromQuery } from './creation.ts'
import { rootFolder } from '../core/folder.ts'
import type { StreamRef } from '../core/sample/ref.ts'
import { uploadParameters } from './descriptions.ts'
import { timesByServer, timesFromText, timesFromUrl } from './times.ts'

/** Not stream IDs, in lower case (docs/feeds.md#upload-in-the-url). */
const reserved = new Set([...Object.keys(uploadParameters), 'asPut', ...credentials].map((name) => name.toLowerCase()))

/** Whether the query has all that the URL form needs. */
export const hasSamples = (query: Query): boolean =>
  query.get('compid') !== undefined && query.pairs.some(({ key }) => key === 'data' || !reserved.has(key))

export const batchFromUrl = (query: Query, uploadMs: number): SampleBatch => {
  // Most uploads name a component, its values, maybe their time, and skip the look for every other parameter.
  const isPlain = !hasAny(query, urlOptionNames)
  const time = query.get('time')
  if (!isPlain || time !== undefined) refuseRepeated(query)
  const delimiter = isPlain ? ',' : delimiterFrom(query)
  const timesOf = !isPlain
    ? timesFromUrl(query, delimiter, uploadMs)
    : time === undefined
      ? timesByServer(uploadMs)
      : timesFromText(time, delimiter)
  let samples = noSamples
  const push = (ref: StreamRef, name: string, text: string) => {
    const values = text.includes(delimiter) ? text.split(delimiter) : [text]
    const timesMs = timesOf(name, values.length)
    values.forEach((value, index) => {
      samples = withSample(samples, 0, ref, value === '' ? null : value, timesMs[index]!)
    })
  }
  const seen = new Set<string>()
  let componentId: string | undefined
  let position = 0
  for (const { name, key, value } of query.pairs) {
    if (key === 'compid') {
      if (componentId !== undefined) throw badRequest('compId is given more than once')
      componentId = value
    } else if (key === 'data') {
      position += 1
      push({ position }, `data ${position}`, value)
    } else if (!reserved.has(key)) {
      const streamId = identifier('stream ID', name)
      if (seen.has(streamId)) throw badRequest(`stream '${shorten(streamId)}' is given twice`)
      seen.add(streamId)
      push(streamId, streamId, value)
    }
  }
  if (componentId === undefined || samples.values.length === 0)
    throw missing(componentId === undefined, samples.values.length === 0)
  const { creation, fillsGaps, derivation } = isPlain ? defaultOptions : optionsFromQuery(query)
  return {
    form: 'url',
    uploadMs,
    components: [isPlain ? plainComponent(componentId) : componentFromQuery(query, componentId)],
    samples,
    wantedStreamIds: isPlain ? [] : requestedStreams(query),
    creation,
    fillsGaps,
    derivation,
    refuseNew,
  }
}

const missing = (isComponent: boolean, isData: boolean) => {
  const sentences = [
    ...(isComponent ? ['compId is missing'] : []),
    ...(isData ? ['no data: give data, a parameter named by a stream ID, or a JSON body with its Content-Length'] : []),
  ]
  return badRequest(sentences.join('; '))
}

/**
 * Words of this API that are no parameters here, in lower case, and the parameter that was probably meant: a stream of
 * such a name is never wanted, and would be made in silence (docs/feeds.md#upload-in-the-url).
 */
const otherWords: ReadonlyMap<string, string> = new Map(
  Object.entries({
    streamid: 'the ID itself as the name, as in temp=20.1',
    streamuid: "the stream's ID as the name, as in temp=20.1",
    componentid: 'compId',
    componentuid: 'compId',
    compuid: 'compId',
    templateid: 'compTmplId',
    templateuid: 'compTmplId',
    tmplid: 'compTmplId',
    componentname: 'compName',
    sd: 'time',
    ed: 'time',
    sdtime: 'time',
    apikey: 'api_key',
    ...Object.fromEntries(
      'limit start format disposition cycleid statid stat fdata retfdata retunit retstreamid retcompid retintvlsd'
        .split(' ')
        .map((word) => [word, '']),
    ),
  }),
)

const refuseNew = (streamId: string): string | undefined => {
  const meant = otherWords.get(streamId.toLowerCase())
  if (meant === undefined) return undefined
  const advice = meant === '' ? 'this call has no such parameter' : `use ${meant}`
  return `'${streamId}' is a word of this API and not made a stream: ${advice}`
}

const plainComponent = (id: string): BatchComponent => ({
  ref: identifier('compId', id),
  name: undefined,
  templateId: undefined,
})

const refuseRepeated = (query: Query): void => {
  let seen: Set<string> | undefined
  for (const { key } of query.pairs) {
    const name = once.get(key)
    if (name === undefined) continue
    if (seen?.has(key)) throw badRequest(`${name} is given more than once`)
    seen = (seen ?? new Set()).add(key)
  }
}

const once = new Map(['time', 'timeEl', 'freq', 'delim'].map((name) => [name.toLowerCase(), name]))

const delimiterFrom = (query: Query): string => {
  const delimiter = query.get('delim')
  if (delimiter === undefined) return ','
  if (delimiter === '' || Array.from(delimiter).length > 8) throw badRequest('delim must have 1 to 8 characters')
  return delimiter
}

/** rsid, each once. */
export const requestedStreams = (query: Query): readonly string[] =>
  query.get('rsid') === undefined ? [] : [...new Set(query.all('rsid').map((id) => identifier('rsid', id)))]

/** The parameters that both forms of the PUT have. */
export type PutOptions = {
  readonly creation: Creation
  readonly fillsGaps: boolean
  readonly derivation: Derivation
}

export const optionsFromQuery = (query: Query): PutOptions =>
  hasAny(query, optionNames) ? readOptions(query) : defaultOptions

const optionNames: ReadonlySet<string> = new Set('dtid dsid folder autofillgapswithnulls dermaxs dertout'.split(' '))
const urlOptionNames: ReadonlySet<string> = new Set([
  ...optionNames,
  ...'comptmplid compname timeel freq delim rsid'.split(' '),
])

const defaultOptions: PutOptions = {
  creation: { folderPath: rootFolder, streamTemplate: undefined },
  fillsGaps: true,
  derivation: noDerivation,
}

const readOptions = (query: Query): PutOptions => ({
  creation: creationFromQuery(query),
  fillsGaps: flag(query.get('autofillgapswithnulls') ?? 'true'),
  derivation: { mostStreams: upTo(query, 'derMaxS', 20), timeoutMs: upTo(query, 'derTout', 15_000) },
})

/** Absent: 0. Without a value: the most. Above the most: cut to it. */
const upTo = (query: Query, name: string, most: number): number => {
  const text = query.get(name.toLowerCase())
  if (text === undefined) return 0
  return text === '' ? most : Math.min(most, integerFrom(name, text, 0))
}
