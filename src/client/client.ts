// The client of a Coppice server, for browsers and Node (docs/client.md):
//
//   const client = createClient({ url: 'https://data.example.org', apiKey })
//   for await (const { time, data } of client.samples('Boiler', { stream: 'temp', sd, ed })) …
//
// `call` makes every call of the API, with the types of its description; everything else is a pleasantry on top of it.
import type { Entities, EntityName } from './entity.ts'
import { openEntities } from './entity.ts'
import type { LiveEvent, LiveOf, LiveOptions } from './live.ts'
import { readLive } from './live.ts'
import type { Given, GivenArguments, Manner, Operation, Query, ReplyOf } from './operation.ts'
import { eachOf, linkedPages } from './pages.ts'
import type { AnyGiven, ClientOptions } from './transport.ts'
import { openTransport, readContent } from './transport.ts'
import type { NewSample, Upload, UploadOptions } from './upload.ts'
import { openUpload } from './upload.ts'

export { csvLine } from './csv.ts'
export { CoppiceError } from './error.ts'
export type { Entities, EntityName, EntityOf } from './entity.ts'
export type { LiveEvent, LiveOf, LiveOptions } from './live.ts'
export type { BodyOf, Given, Manner, Operation, Query, QueryValue, RawBody, ReplyOf, Schemas } from './operation.ts'
export type { ClientOptions } from './transport.ts'
export type { NewSample, Upload, UploadOptions } from './upload.ts'

export type Sample = ReplyOf<'GET /api/comp/{compId}/feed'>[number]
export type Statistic = NonNullable<
  Given<'GET /api/comp/{compId}/cycle/{cycleId}/stat/{statId}/feed'>['path']
>['statId']
export type QueryResult = ReplyOf<'GET /api/gql'>

/** Of one stream, or without it of all streams of the component. */
type OfStream = { readonly stream?: string | undefined }
/** The window and the members that are shown (docs/feeds.md#read). */
type Shown = NonNullable<Given<'GET /api/comp/{compId}/feed'>['query']>
export type Reading = OfStream & Shown & Pick<Manner, 'signal'>
export type StatisticReading = Reading & { readonly cycle: string; readonly statistic: Statistic }

export type Client = {
  /** Makes a call, such as call('GET /api/component/{uid}', { path: { uid } }), and gives the content of its reply. */
  readonly call: <O extends Operation>(operation: O, ...given: GivenArguments<O>) => Promise<ReplyOf<O>>
  /** The same, but gives the reply itself: its headers, its bytes as they come. A refusal is thrown all the same. */
  readonly fetch: <O extends Operation>(operation: O, ...given: GivenArguments<O>) => Promise<Response>
  /** Stores samples, and is done when they are stored. Each without a time gets the server's. */
  readonly put: (samples: readonly NewSample[], query?: Query, manner?: Manner) => Promise<void>
  /** Collects samples, and sends them together. */
  readonly upload: (options?: UploadOptions) => Upload
  /** All samples of the window, latest first, however many there are. */
  readonly samples: (compId: string, reading?: Reading) => AsyncGenerator<Sample, void, undefined>
  readonly lastValues: (compId: string, reading?: Reading) => Promise<readonly Sample[]>
  /** A statistic of each interval of a cycle, latest first. */
  readonly statistics: (compId: string, reading: StatisticReading) => AsyncGenerator<Sample, void, undefined>
  /** The management API: client.entities('unit').make({ id: 'celsius', symbol: ' °C' }). */
  readonly entities: <Name extends EntityName>(name: Name) => Entities<Name>
  /** Runs a GS SQL script that reads, of any length; one that writes is refused. */
  readonly query: (script: string, options?: ScriptOptions) => Promise<QueryResult>
  /** Runs a GS SQL script that may write; it is never tried again. */
  readonly run: (script: string, options?: ScriptOptions) => Promise<QueryResult>
  /** Last values first, then every sample as it is stored, without an end. */
  readonly live: (of: readonly LiveOf[], options?: LiveOptions) => AsyncGenerator<LiveEvent<Sample>, void, undefined>
}

type ScriptOptions = Manner & { readonly timeZone?: string | undefined }

/** Longer scripts do not fit into an address, and go by POST, which is told to refuse those that write. */
const longestInAddress = 16_000

export const createClient = (options: ClientOptions): Client => {
  const transport = openTransport(options)
  const call = (operation: string, given: AnyGiven = {}) => transport.send(operation, given, readContent)
  const pages = (operation: string, path: AnyGiven['path'], { stream, signal, ...query }: Reading) =>
    linkedPages<Sample>(transport, operation, { path: { ...path, streamId: stream }, query, signal })
  const ofStream = ({ stream }: OfStream) =>
    stream === undefined ? '/api/comp/{compId}' : '/api/comp/{compId}/stream/{streamId}'
  return {
    call: (operation, ...[given]) => call(operation, given) as never,
    fetch: (operation, ...[given]) => transport.send(operation, given ?? {}, (reply) => Promise.resolve(reply)),
    put: async (samples, query = {}, manner = {}) => {
      await call('PUT /api/feed', { ...manner, query, body: samples })
    },
    upload: (uploading = {}) =>
      openUpload(
        (body, query, signal) => call('PUT /api/feed', { query, body, isRepeatable: true, signal }),
        uploading,
      ),
    samples: (compId, reading = {}) => eachOf(pages(`GET ${ofStream(reading)}/feed`, { compId }, reading)),
    lastValues: async (compId, reading = {}) => {
      const all: Sample[] = []
      for await (const page of pages(`GET ${ofStream(reading)}/last_value`, { compId }, reading)) all.push(...page)
      return all
    },
    statistics: (compId, { cycle, statistic, ...reading }) =>
      eachOf(
        pages(
          `GET ${ofStream(reading)}/cycle/{cycleId}/stat/{statId}/feed`,
          { compId, cycleId: cycle, statId: statistic },
          reading,
        ),
      ),
    entities: (name) => openEntities(transport, name),
    query: async (script, { timeZone, ...manner } = {}) => {
      if (encodeURIComponent(script).length <= longestInAddress)
        return (await call('GET /api/gql', { ...manner, query: { s: script, tz: timeZone } })) as QueryResult
      const body = { s: script, reads: true, ...(timeZone === undefined ? {} : { tz: timeZone }) }
      return (await call('POST /api/gql', { isRepeatable: true, ...manner, body })) as QueryResult
    },
    run: async (script, { timeZone, ...manner } = {}) => {
      const body = { s: script, ...(timeZone === undefined ? {} : { tz: timeZone }) }
      return (await call('POST /api/gql', { ...manner, body })) as QueryResult
    },
    live: (of, live = {}) => readLive<Sample>(transport, of, live),
  }
}

/** Signs in with a password; the session is for `createClient`. */
export const signIn = (
  { email, password }: { readonly email: string; readonly password: string },
  options: Pick<ClientOptions, 'url' | 'fetch'>,
): Promise<ReplyOf<'POST /api/login'>> =>
  createClient(options).call('POST /api/login', { body: { email, password }, retries: 0 })
