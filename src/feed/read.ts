// GET feed and last_value (4.3), and DELETE of samples (decisions 11). Statistics answer through the same
// parameters and the same presentation.
import type { Call } from '../base/call.ts'
import { badRequest, notFound } from '../base/errors.ts'
import { epoch } from '../base/params.ts'
import { reading } from '../base/reading.ts'
import type { Reply } from '../base/reply.ts'
import { jsonReply } from '../base/reply.ts'
import type { Pool, Sql } from '../base/sql.ts'
import { transaction } from '../base/sql.ts'
import type { World } from '../base/world.ts'
import { writeAudit } from '../core/audit.ts'
import type { Caller, Permission } from '../core/caller.ts'
import { demand } from '../core/caller.ts'
import { openGate } from '../core/gate.ts'
import type { RegisteredComponent, RegisteredStream } from '../core/registry.ts'
import { readComponents } from '../core/registry.ts'
import { readSamples } from '../core/sample-read.ts'
import { deleteSamples, sampleValue } from '../core/sample.ts'
import { noteStreamChanges } from '../core/seen.ts'
import { unitsOf } from '../core/unit.ts'
import { filesAmong } from './file.ts'
import { readQuery } from './get.ts'
import { presentSample } from './wire.ts'

type Found = { readonly component: RegisteredComponent; readonly streams: readonly RegisteredStream[] }

/** The component of the path and those of its streams that the call is about. */
export const findStreams = async (sql: Sql, caller: Caller, call: Call, permission: Permission): Promise<Found> => {
  const { compId, streamId } = call.params
  const component = (await readComponents(sql, caller.organizationKey, [compId!])).get(compId!)
  demand(caller, permission, component?.uid)
  if (component === undefined) throw notFound('component', compId!)
  if (streamId === undefined) return { component, streams: component.streams }
  const stream = component.streamsById.get(streamId)
  if (stream === undefined) throw notFound('stream', streamId)
  return { component, streams: [stream] }
}

export const getFeed = (world: World) => (caller: Caller, call: Call) =>
  reading(world, call, (sql) => replyWith(sql, caller, call))

export const getLastValue = (world: World) => (caller: Caller, call: Call) =>
  reading(world, call, (sql) => replyWith(sql, caller, call, 1))

const replyWith = async (sql: Pool, caller: Caller, call: Call, mostPerStream?: number): Promise<Reply> => {
  const query = readQuery(call.query)
  const { component, streams } = await findStreams(sql, caller, call, 'GET component/feed')
  const samples = await readSamples(sql, streams, query.window, query.limit, mostPerStream)
  const needsUnits = query.show.formatted || query.show.unit
  const units = needsUnits
    ? await unitsOf(
        sql,
        streams.map(({ key }) => key),
      )
    : new Map()
  const files = await filesAmong(sql, component, streams, samples)
  const byKey = new Map(streams.map((stream) => [stream.key, stream]))
  return jsonReply(
    samples.map((sample) => {
      const stream = byKey.get(sample.streamKey)!
      const file = files.get(sample)
      const shown = {
        streamId: stream.id,
        startMs: sample.timeMs - (sample.span ?? 0) * 1000,
        timeMs: sample.timeMs,
        value: file ? file.path : sampleValue(stream.valueType, sample),
        ...(file ? { more: file.more } : {}),
        valueType: stream.valueType,
        unit: units.get(stream.key),
      }
      return presentSample(component.id ?? '', shown, query.show)
    }),
  )
}

export const deleteFeed =
  (world: World) =>
  async (caller: Caller, call: Call): Promise<Reply> => {
    const sd = call.query.get('sd')
    const ed = call.query.get('ed')
    if (sd === undefined || ed === undefined) throw badRequest('sd and ed are both needed')
    const window = { startMs: epoch('sd', sd), endMs: epoch('ed', ed) }
    if (window.startMs > window.endMs) throw badRequest('sd is after ed')
    const deleted = await transaction(world.sql, async (sql) => {
      // What has changed meanwhile does not matter: nothing here is remembered.
      const { claimedUntilMs } = await openGate(sql, Number.MAX_SAFE_INTEGER)
      const { streams } = await findStreams(sql, caller, call, 'DELETE component/feed')
      const gone = await deleteSamples(sql, streams[0]!, window, claimedUntilMs)
      // Statistics of samples that were kept no longer are nothing that was sent, and count in the log only.
      const quarters = gone.archived > 0 ? { archivedQuarters: gone.archived } : {}
      const detail = { from: window.startMs, to: window.endMs, deleted: gone.deleted, ...quarters }
      if (gone.deleted > 0 || gone.archived > 0) await writeAudit(sql, caller, 'feed.delete', streams[0]!.uid, detail)
      if (gone.deleted > 0) await noteStreamChanges(sql, caller.organizationKey, [streams[0]!.key])
      return gone.deleted
    })
    return jsonReply({ success: true, message: '', deleted })
  }
