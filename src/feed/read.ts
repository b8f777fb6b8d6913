// GET feed and last_value (docs/feeds.md#read), and DELETE of samples (docs/feeds.md#delete). Statistics answer through
// the same parameters and the same presentation.
import type { Call } from '../base/http/call.ts'
import { badRequest, notFound } from '../base/errors.ts'
import { epoch } from '../base/http/params.ts'
import type { ReadingWorld } from '../base/http/reading.ts'
import type { ReplyPieces } from '../base/http/large-reply.ts'
import { whenItFits } from '../base/http/large-reply.ts'
import type { Reply } from '../base/http/reply.ts'
import { jsonReply } from '../base/http/reply.ts'
import { rowFormat } from '../base/http/row-format.ts'
import type { Pool, Sql, Transaction } from '../base/database/sql.ts'
import { snapshot } from '../base/database/sql.ts'
import { callerTransaction } from '../base/database/caller-transaction.ts'
import type { World } from '../base/world.ts'
import { writeAudit } from '../core/audit.ts'
import type { Caller, Permission } from '../core/caller.ts'
import { demand, holdersOf } from '../core/caller.ts'
import { openFarQuestions } from '../core/reading/far-questions.ts'
import type { FarQuestions } from '../core/reading/far-questions.ts'
import { readFeed, readInSnapshot } from '../core/reading/feed-read.ts'
import type { Feed, FeedQuestion, Judge } from '../core/reading/feed-read.ts'
import { inOwnGate } from '../core/sample/gate.ts'
import type { Gate, KnownMoment } from '../core/sample/gate.ts'
import { journalDeletions } from '../core/sample/journal.ts'
import { longTextBytes, withLongTexts } from '../core/reading/long-text.ts'
import { deleteSamples, sampleValue } from '../core/sample/sample.ts'
import type { Sample } from '../core/sample/sample.ts'
import { noteStreamChanges } from '../core/sample/seen.ts'
import { findForReading } from '../core/reading/stream-read.ts'
import type { ReadStream } from '../core/reading/stream-read.ts'
import { filesAmong } from './file-value.ts'
import { readQuery } from './read-query.ts'
import type { ReadQuery } from './read-query.ts'
import { itemsToRead, largeBytes, largeListReply, listReply } from './more.ts'
import type { Lines } from './more.ts'
import { presentSample } from './wire.ts'
import type { Show } from './wire.ts'

/** The stream of the path, if the caller has the right to its component. */
export const findStream = async (
  sql: Sql,
  caller: Caller,
  { params }: Call,
  permission: Permission,
): Promise<ReadStream> => {
  const { compId, streamId } = params as { compId: string; streamId: string }
  const found = await findForReading(sql, caller.organizationKey, compId, streamId)
  judge(caller, permission, params)(found?.component.uid, found?.stream !== undefined)
  return found!.stream!
}

/** Judges whether the caller may read the component, and whether it and the stream are there. */
export const judge =
  (caller: Caller, permission: Permission, { compId, streamId }: Call['params']): Judge =>
  (componentUid, hasStream) => {
    demand(caller, permission, componentUid)
    if (componentUid === undefined) throw notFound('component', compId!)
    if (!hasStream) throw notFound('stream', streamId!)
  }

type Handle = (caller: Caller, call: Call) => Promise<Reply>

export const getFeed = (world: ReadingWorld): Handle => handler(world, undefined)

export const getLastValue = (world: ReadingWorld): Handle => handler(world, 1)

const handler = ({ readSql, reading }: ReadingWorld, mostPerStream: number | undefined): Handle => {
  const farQuestions = openFarQuestions()
  return async (caller, call) => {
    const query = readQuery(call.query)
    const holders = holdersOf(caller, call.address)
    const question: FeedQuestion = {
      organizationKey: caller.organizationKey,
      componentId: call.params['compId']!,
      streamId: call.params['streamId'],
      window: query.window,
      limit: itemsToRead(query),
      mostPerStream: mostPerStream ?? itemsToRead(query),
      needsUnits: query.show.formatted || query.show.unit,
      after: query.after,
    }
    const judged = judge(caller, 'GET component/feed', call.params)
    return whenItFits(call, holders, (pieces) =>
      reading(readSql, holders, call, (sql) =>
        pieces
          ? snapshot(sql, (inside) => fill(pieces, inside, call, query, question, judged))
          : replyWith(sql, call, query, question, judged, farQuestions),
      ),
    )
  }
}

/** Makes the reply, or gives the bytes of a large one. */
const replyWith = async (
  sql: Pool,
  call: Call,
  query: ReadQuery,
  question: FeedQuestion,
  judged: Judge,
  farQuestions: FarQuestions,
): Promise<Reply | number> => {
  const feed = await readFeed(sql, question, judged, farQuestions)
  const longBytes = longTextBytes(feed.samples)
  if (longBytes > 0) return largeBytes(query, longBytes, feed.samples.length)
  const format = rowFormat(call)
  const lines = format === 'json' ? undefined : await linesIn(sql, format, question, feed)
  return listReply(
    call,
    query,
    feed.samples,
    showIn(feed, query, question),
    placeIn(feed),
    isLastValue(question),
    lines,
  )
}

/** The component's zone is asked for only where lines have a use for it. */
const linesIn = async (
  sql: Sql,
  format: Lines['format'],
  { organizationKey, componentId }: FeedQuestion,
  { streams, samples }: Feed,
): Promise<Lines> => {
  const found = await findForReading(sql, organizationKey, componentId, undefined)
  const hasFiles = samples.some(({ streamKey }) => streams.get(streamKey)!.valueType === 'FILE')
  return { format, timeZone: found?.component.timeZone ?? 'UTC', hasFiles }
}

const fill = async (
  pieces: ReplyPieces,
  sql: Transaction,
  call: Call,
  query: ReadQuery,
  question: FeedQuestion,
  judged: Judge,
): Promise<Reply | number> => {
  const feed = await readInSnapshot(sql, question, judged)
  const withTexts = (samples: readonly Sample[]) => withLongTexts(sql, samples, feed.streams)
  const show = showIn(feed, query, question)
  const format = rowFormat(call)
  const lines = format === 'json' ? undefined : await linesIn(sql, format, question, feed)
  const isLast = isLastValue(question)
  return largeListReply(pieces, call, query, feed.samples, withTexts, show, placeIn(feed), isLast, lines)
}

const isLastValue = ({ mostPerStream, limit }: FeedQuestion) => mostPerStream < limit

const placeIn =
  ({ streams }: Feed) =>
  ({ streamKey, timeMs }: Sample) => ({ position: streams.get(streamKey)!.position, timeMs })

const showIn = (feed: Feed, { show }: ReadQuery, { componentId }: FeedQuestion) => showSamples(componentId, feed, show)

/** How samples of a component look, here and in live feeds. */
export const showSamples = (componentId: string, feed: Feed, show: Show) => {
  const files = filesAmong(componentId, feed)
  return (sample: Sample) => {
    const stream = feed.streams.get(sample.streamKey)!
    const file = files.get(sample)
    const shown = {
      streamId: stream.id,
      startMs: sample.timeMs - (sample.span ?? 0) * 1000,
      timeMs: sample.timeMs,
      value: file ? file.path : sampleValue(stream.valueType, sample),
      ...(file ? { more: file.more } : {}),
      valueType: stream.valueType,
      unit: stream.unit ?? undefined,
    }
    return presentSample(componentId, shown, show)
  }
}

export const deleteFeed =
  (world: World) =>
  async (caller: Caller, call: Call): Promise<Reply> => {
    const sd = call.query.get('sd')
    const ed = call.query.get('ed')
    if (sd === undefined || ed === undefined) throw badRequest('sd and ed are both needed, in epoch milliseconds')
    const window = { startMs: epoch('sd', sd), endMs: epoch('ed', ed) }
    if (window.startMs > window.endMs) throw badRequest('sd is after ed')
    const remove = async (sql: Transaction, enter: (known: KnownMoment) => Promise<Gate>) => {
      await call.judgeAgain?.()
      // Changes meanwhile do not matter: nothing here is remembered.
      const { claimedUntilMs, heard } = await enter({ serial: Number.MAX_SAFE_INTEGER })
      const stream = await findStream(sql, caller, call, 'DELETE component/feed')
      const gone = await deleteSamples(sql, stream, window, claimedUntilMs)
      // Archived statistics were never sent as samples, and are counted by themselves.
      const counts = { deleted: gone.deleted, ...(gone.archived > 0 ? { archivedQuarters: gone.archived } : {}) }
      const detail = { from: window.startMs, to: window.endMs, ...counts }
      if (gone.deleted > 0 || gone.archived > 0) await writeAudit(sql, caller, 'feed.delete', stream.uid, detail)
      if (gone.deleted > 0) await noteStreamChanges(sql, caller.organizationKey, [stream.key])
      if (gone.deleted > 0 && heard.has(caller.organizationKey))
        await journalDeletions(sql, caller.organizationKey, stream, [[window.startMs, window.endMs]])
      return counts
    }
    const begin = <T>(work: (sql: Transaction) => Promise<T>) =>
      callerTransaction(world.sql, holdersOf(caller, call.address), work)
    const deleted = await inOwnGate(begin, caller.organizationKey, remove)
    return jsonReply({ success: true, message: '', ...deleted })
  }
