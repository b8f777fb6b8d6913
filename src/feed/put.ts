// PUT /feed (docs/feeds.md#upload-in-the-url): the body decides the form, one write path stores it, and the answer
// comes after the commit. It knows no Koa, because the lean path serves it without.
import { readBody } from '../base/http/body.ts'
import type { Call } from '../base/http/call.ts'
import { badRequest, tooLarge } from '../base/errors.ts'
import type { ReadingWorld, ReadInPlace } from '../base/http/reading.ts'
import { holdersOfCall } from '../base/http/room.ts'
import type { Reply } from '../base/http/reply.ts'
import { emptyReply, jsonReply } from '../base/http/reply.ts'
import type { Pool } from '../base/database/sql.ts'
import { snapshot } from '../base/database/sql.ts'
import type { SampleBatch } from '../core/sample/batch.ts'
import { holdersOf } from '../core/caller.ts'
import type { Caller } from '../core/caller.ts'
import type { Ingestion } from '../core/sample/ingest.ts'
import type { Ingested } from '../core/sample/store.ts'
import { holdChunks } from '../core/sample/chunk.ts'
import { longTextBytes, withLongTexts } from '../core/reading/long-text.ts'
import { streamByRef } from '../core/sample/registered.ts'
import type { RegisteredStream } from '../core/sample/registered.ts'
import { readLatestWhole, readSamples, readSamplesIn } from '../core/reading/sample-read.ts'
import { sampleValue } from '../core/sample/sample.ts'
import type { Sample } from '../core/sample/sample.ts'
import { mostTextLength } from '../core/sample/value.ts'
import { filesAmong } from './file-value.ts'
import { batchFromJson } from './put-json.ts'
import { batchFromUrl, requestedStreams } from './put-url.ts'

const mostBodyBytes = 64 * 1024 * 1024

export const putFeed =
  (world: ReadingWorld, ingestion: Ingestion) =>
  (caller: Caller, call: Call): Promise<Reply> => {
    const uploadMs = world.clock.now()
    return call.body
      ? putBody(world, ingestion, caller, call, uploadMs)
      : putUrl(world, ingestion, caller, call, uploadMs)
  }

const putBody = async (
  world: ReadingWorld,
  ingestion: Ingestion,
  caller: Caller,
  call: Call,
  uploadMs: number,
): Promise<Reply> => {
  const reading = readBody(call, mostBodyBytes)
  const { bytes, drop, release } = reading instanceof Promise ? await reading : reading
  try {
    const read = batchFromJson(bytes, call.query, uploadMs, { holders: holdersOfCall(call), drop })
    const batch = read instanceof Promise ? await read : read
    drop()
    if (batch === undefined) return await putUrl(world, ingestion, caller, call, uploadMs)
    refuseRsid(call)
    await ingestion.ingest(caller, batch)
    return emptyReply
  } finally {
    release()
  }
}

const putUrl = (
  world: ReadingWorld,
  ingestion: Ingestion,
  caller: Caller,
  call: Call,
  uploadMs: number,
): Promise<Reply> => {
  const batch = batchFromUrl(call.query, uploadMs)
  return batch.wantedStreamIds.length === 0
    ? ingestion.ingest(caller, batch).then(() => emptyReply)
    : putAndRead(world, ingestion, caller, call, batch)
}

/** The most bytes of last values in a reply: small devices ask for them. */
const mostTextBytes = 4 * 1024 * 1024

/** The texts of so many streams cannot be larger together: UTF-8 has three bytes for a character at most. */
const mostSafeTexts = Math.floor(mostTextBytes / (3 * mostTextLength))

/**
 * Samples are committed with those of many other uploads, and the values then read. More texts than are safe are read
 * before the commit, so that a call whose reply would be too large stores nothing; and a place to read in is there
 * before it, so that no call is refused whose samples are stored.
 */
const putAndRead = (
  world: ReadingWorld,
  ingestion: Ingestion,
  caller: Caller,
  call: Call,
  batch: SampleBatch,
): Promise<Reply> =>
  world.reading.withPlace(holdersOf(caller, call.address), (read) =>
    putAndReadIn(read, world, ingestion, caller, batch),
  )

const putAndReadIn = async (
  read: ReadInPlace,
  world: ReadingWorld,
  ingestion: Ingestion,
  caller: Caller,
  batch: SampleBatch,
): Promise<Reply> => {
  const ids = batch.wantedStreamIds
  if (ids.length <= mostSafeTexts) {
    const ingested = await ingestion.ingest(caller, batch, 'GET')
    return valuesReply(ingested, ids, await lastSamples(read, world, ingested, ids))
  }
  const { ingested, seen } = await ingestion.ingestAndLook(caller, batch, 'GET', async (sql, made) => {
    const streams = wantedStreams(made, ids)
    if (streams.filter(({ valueType }) => valueType === 'STRING').length <= mostSafeTexts) return undefined
    const samples = await readLatestWhole(sql, streams, mostTextBytes)
    if (samples === undefined)
      throw tooLarge(`the values of rsid are larger than ${mostTextBytes} bytes, ask for fewer`)
    return samples
  })
  return valuesReply(ingested, ids, seen ?? (await lastSamples(read, world, ingested, ids)))
}

/** rsid belongs to the URL form, which names one component. */
const refuseRsid = (call: Call) => {
  if (requestedStreams(call.query).length > 0) throw badRequest('rsid needs the URL form, without a body')
}

const wantedStreams = ({ components }: Ingested, ids: readonly string[]): readonly RegisteredStream[] =>
  ids.map((id) => streamByRef(components[0]!, id)!)

/** Undefined where they cannot be read: the samples are stored, and their sender need not send them again. */
const lastSamples = async (
  read: ReadInPlace,
  { sql, log }: ReadingWorld,
  ingested: Ingested,
  ids: readonly string[],
): Promise<readonly Sample[] | undefined> => {
  try {
    return await readLast(read, sql, wantedStreams(ingested, ids))
  } catch (error) {
    log.warn({ err: error }, 'samples were stored, and the values of rsid could not be read')
    return undefined
  }
}

/** Reads the database that is written to: a standby may lack the call's own samples yet. */
const readLast = (read: ReadInPlace, pool: Pool, streams: readonly RegisteredStream[]): Promise<readonly Sample[]> => {
  const window = { startMs: undefined, endMs: undefined }
  return read(pool, async (sql) => {
    const found = await readSamples(sql, streams, window, streams.length, 1)
    if (longTextBytes(found) === 0) return found
    return snapshot(sql, async (inside) => {
      await holdChunks(inside)
      const again = await readSamplesIn(inside, streams, window, streams.length, 1)
      const byKey = new Map(streams.map((stream) => [stream.key, stream]))
      const whole: Sample[] = []
      for await (const some of withLongTexts(inside, again, byKey)) whole.push(...some)
      return whole
    })
  })
}

/** Without samples, the reply has no values. */
const valuesReply = (ingested: Ingested, ids: readonly string[], samples: readonly Sample[] | undefined): Reply => {
  const [component] = ingested.components
  const reply = new Map(samples ? valuesOf(ingested, ids, samples) : [])
  const { missingStreamIds } = ingested
  if (missingStreamIds.length > 0) {
    const missing = missingStreamIds.map((itemId) => ({ itemType: 'stream', itemId, componentId: component!.id }))
    reply.set('missing', missing)
  }
  return jsonReply(Object.fromEntries(reply))
}

const valuesOf = (
  ingested: Ingested,
  ids: readonly string[],
  samples: readonly Sample[],
): readonly (readonly [id: string, value: unknown])[] => {
  const [component] = ingested.components
  const streams = wantedStreams(ingested, ids)
  const byKey = new Map(streams.map((stream) => [stream.key, stream]))
  const files = filesAmong(component!.id ?? '', { streams: byKey, samples, files: new Map() })
  const latest = new Map(samples.map((sample) => [sample.streamKey, sample]))
  return ids.map((id, index) => {
    const stream = streams[index]!
    const sample = latest.get(stream.key)
    return [id, sample === undefined ? null : (files.get(sample)?.path ?? sampleValue(stream.valueType, sample))]
  })
}
