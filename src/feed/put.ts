// PUT /feed (docs/feeds.md#upload-in-the-url): the body decides the form, one write path stores it, and the answer
// comes after the commit. It knows no Koa, because the lean path serves it without.
import { readBody } from '../base/http/body.ts'
import type { Call } from '../base/http/call.ts'
import { badRequest, tooLarge } from '../base/errors.ts'
import type { ReadingWorld } from '../base/http/reading.ts'
import type { Reply } from '../base/http/reply.ts'
import { emptyReply, jsonReply } from '../base/http/reply.ts'
import { snapshot } from '../base/database/sql.ts'
import type { SampleBatch } from '../core/sample/batch.ts'
import { holdersOf } from '../core/caller.ts'
import type { Caller } from '../core/caller.ts'
import type { Ingestion } from '../core/sample/ingest.ts'
import type { Ingested } from '../core/sample/store.ts'
import { holdChunks } from '../core/sample/chunk.ts'
import { longTextBytes, withLongTexts } from '../core/sample/long-text.ts'
import { readSamples, readSamplesIn } from '../core/sample/sample-read.ts'
import { sampleValue } from '../core/sample/sample.ts'
import type { Sample } from '../core/sample/sample.ts'
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
  const { batch, release } = await readBatch(call, uploadMs)
  try {
    if (batch === undefined) return await putUrl(world, ingestion, caller, call, uploadMs)
    refuseRsid(call)
    await ingestion.ingest(caller, batch)
    return emptyReply
  } finally {
    release()
  }
}

type ReadBatch = { readonly batch: SampleBatch | undefined; readonly release: () => void }

const readBatch = async (call: Call, uploadMs: number): Promise<ReadBatch> => {
  const { bytes, drop, release } = await readBody(call, mostBodyBytes)
  try {
    const batch = batchFromJson(bytes, call.query, uploadMs)
    drop()
    return { batch, release }
  } catch (error) {
    release()
    throw error
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
    : ingestion
        .ingest(caller, batch, 'GET')
        .then((ingested) => lastValues(world, caller, call, ingested, batch.wantedStreamIds))
        .then((values) => jsonReply(values))
}

/** rsid belongs to the URL form, which names one component. */
const refuseRsid = (call: Call) => {
  if (requestedStreams(call.query).length > 0) throw badRequest('rsid needs the URL form, without a body')
}

/** Small devices ask for these. */
const mostLongBytes = 4 * 1024 * 1024

/** On the database that is written to: a standby may not know yet what the call has stored. */
const lastValues = async (
  { sql: pool, reading }: ReadingWorld,
  caller: Caller,
  call: Call,
  { components, missingStreamIds }: Ingested,
  streamIds: readonly string[],
): Promise<unknown> => {
  const [component] = components
  const streams = streamIds.map((id) => component!.streamsById.get(id)!)
  const byKey = new Map(streams.map((stream) => [stream.key, stream]))
  const window = { startMs: undefined, endMs: undefined }
  const samples = await reading(pool, holdersOf(caller, call.address), undefined, async (sql) => {
    const found = await readSamples(sql, streams, window, streams.length, 1)
    const longBytes = longTextBytes(found)
    if (longBytes === 0) return found
    if (longBytes > mostLongBytes)
      throw tooLarge(`the samples are stored, but the values of rsid are larger than ${mostLongBytes} bytes`)
    return snapshot(sql, async (inside) => {
      await holdChunks(inside)
      const again = await readSamplesIn(inside, streams, window, streams.length, 1)
      const whole: Sample[] = []
      for await (const some of withLongTexts(inside, again, byKey)) whole.push(...some)
      return whole
    })
  })
  const files = filesAmong(component!.id ?? '', { streams: byKey, samples, files: new Map() })
  const latest = new Map(samples.map((sample) => [sample.streamKey, sample]))
  const reply = new Map<string, unknown>()
  streamIds.forEach((id, index) => {
    const stream = streams[index]!
    const sample = latest.get(stream.key)
    const value = sample === undefined ? null : (files.get(sample)?.path ?? sampleValue(stream.valueType, sample))
    reply.set(id, value)
  })
  if (missingStreamIds.length > 0) {
    const missing = missingStreamIds.map((itemId) => ({ itemType: 'stream', itemId, componentId: component!.id }))
    reply.set('missing', missing)
  }
  return Object.fromEntries(reply)
}
