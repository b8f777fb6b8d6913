// GET /api/export (docs/transfer.md#export): samples or statistics of any span, or the catalogue, as a stream of portions. The first
// portion is read before the reply begins, so that a refusal is one; an error behind it cuts the reply off, and its
// client sees that it is not whole.
import { Readable } from 'node:stream'
import type { Call } from '../base/http/call.ts'
import { Fault, notFound } from '../base/errors.ts'
import type { ReadingWorld } from '../base/http/reading.ts'
import { untilGone } from '../base/http/reading.ts'
import type { Reply } from '../base/http/reply.ts'
import { keepUntilSent } from '../base/http/reply.ts'
import type { Caller } from '../core/caller.ts'
import { holdersOf } from '../core/caller.ts'
import type { ComponentScope } from '../core/catalogue.ts'
import { cycleNotFound, findCycle } from '../core/cycle.ts'
import { findStatistic, statistics } from '../core/statistic/statistic.ts'
import { openCsv, openNdjson, openTexts } from './encode.ts'
import type { Encoder } from './encode.ts'
import { findCatalogueScope, findScope, readExportQuery } from './export-query.ts'
import type { ExportQuery } from './export-query.ts'
import { enterExport } from './export-places.ts'
import { openParquet } from './parquet.ts'
import { openStreamWalk, readPortions, untilWhole } from './portions.ts'
import type { Walk } from './portions.ts'
import { sampleSource, statisticSource } from './source.ts'

/** The lines of the catalogue (catalog/catalogue.ts). */
export type CatalogueLines = (caller: Caller, scope: ComponentScope, add: (line: string) => void) => Walk

export const getExport =
  (world: ReadingWorld, catalogueLines: CatalogueLines) =>
  async (caller: Caller, call: Call): Promise<Reply> => {
    const query = readExportQuery(call)
    const end = () => {
      world.log.warn(
        { organization: caller.organizationUid },
        'an export was cut off: its client was slow, and others had no place',
      )
      // The reply may be in its buffers already, and nothing else would end it.
      call.socket.destroy()
    }
    const place = await untilGone(call, (signal) => enterExport(holdersOf(caller, call.address), signal, end))
    return keepUntilSent(place.leave, async () => {
      if (query.what === 'catalogue') {
        const scope = await findCatalogueScope(world.readSql, caller, query)
        const texts = openTexts()
        const walk = untilWhole(catalogueLines(caller, scope, texts.add), scope)
        return streamReply(world, query, texts, place.watch(readPortions(world, caller, call, walk, texts)))
      }
      const encoder = openEncoder(query)
      return streamReply(world, query, encoder, place.watch(await openBytes(world, caller, call, query, encoder)))
    })
  }

const openEncoder = ({ what, format }: ExportQuery): Encoder => {
  const hasStarts = what === 'statistics'
  switch (format) {
    case 'csv':
      return openCsv(hasStarts)
    case 'ndjson':
      return openNdjson(hasStarts)
    case 'parquet':
      return openParquet(hasStarts)
  }
}

const openBytes = async (
  world: ReadingWorld,
  caller: Caller,
  call: Call,
  query: ExportQuery,
  encoder: Encoder,
): Promise<AsyncGenerator<Buffer>> => {
  const { readSql } = world
  const scope = await findScope(readSql, caller, query)
  if (query.what === 'samples') {
    const samples = sampleSource(query.window)
    return readPortions(
      world,
      caller,
      call,
      untilWhole(openStreamWalk(caller, scope, samples, encoder), scope),
      encoder,
    )
  }
  const cycle = await findCycle(readSql, caller.organizationKey, query.cycleId!)
  if (cycle === undefined) throw await cycleNotFound(readSql, caller.organizationKey, query.cycleId!)
  const statistic = findStatistic(query.statId!)
  if (statistic === undefined) throw notFound('statistic', query.statId!, statistics)
  const source = statisticSource(query.window, cycle, statistic)
  return readPortions(world, caller, call, untilWhole(openStreamWalk(caller, scope, source, encoder), scope), encoder)
}

const streamReply = async (
  { log }: ReadingWorld,
  { what }: ExportQuery,
  { contentType, ending }: Pick<Encoder, 'contentType' | 'ending'>,
  bytes: AsyncGenerator<Buffer>,
): Promise<Reply> => {
  const first = await bytes.next()
  const all = async function* () {
    try {
      if (!first.done) yield first.value
      yield* bytes
    } catch (error) {
      const isGone = error instanceof Fault && error.status === 400
      if (!isGone) log.warn({ err: error }, 'an export was cut off')
      throw error
    }
  }
  return {
    status: 200,
    headers: { 'Content-Type': contentType, 'Content-Disposition': `attachment; filename="${what}.${ending}"` },
    body: Readable.from(all(), { objectMode: false, highWaterMark: 1 }),
  }
}
