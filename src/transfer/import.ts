// POST /api/import (docs/transfer.md#import): history of any length, as CSV or NDJSON, and catalogues. The body is read no faster than its
// rows are stored, and never held; a call that ends early leaves all batches before stored, and the next one goes on
// there.
import type { Call } from '../base/http/call.ts'
import { bodyChunks } from '../base/http/body-stream.ts'
import { busy, conflict, Fault, tooLarge } from '../base/errors.ts'
import { untilGone } from '../base/http/reading.ts'
import type { Reply } from '../base/http/reply.ts'
import { jsonReply } from '../base/http/reply.ts'
import { faultFromSql } from '../base/database/sql.ts'
import { callerTransaction } from '../base/database/caller-transaction.ts'
import { openShares } from '../base/shares.ts'
import { openBreath } from '../base/slices.ts'
import type { World } from '../base/world.ts'
import { randomToken } from '../base/secret.ts'
import type { Caller } from '../core/caller.ts'
import { demand, holdersOf } from '../core/caller.ts'
import { demandHeld, holdImport, saveReach } from '../core/history-import.ts'
import type { HistoryImport, ImportReach } from '../core/history-import.ts'
import type { Ingestion } from '../core/sample/ingest.ts'
import { openBatches } from './batches.ts'
import type { Batches, RowStore } from './batches.ts'
import { openChecksum, openKnownPart } from './checksum.ts'
import { readImportQuery } from './import-query.ts'
import type { ImportQuery } from './import-query.ts'
import { openCatalogueReader, openSampleReader } from './read-body.ts'
import type { BodyReader } from './read-body.ts'
import { showImport } from './show-import.ts'
import { openCatalogueStore } from './store-catalogue.ts'
import type { RestoreLines } from './store-catalogue.ts'
import { openSampleStore } from './store-rows.ts'

const mebibyte = 1024 * 1024
/** The memory of an import: a record, a batch that is stored, one that gathers, and the values made of both. */
const importBytes = 12 * mebibyte
const patienceMs = 10_000
/** Eight at once, of which a caller alone has four (docs/transfer.md#limits). */
const memory = openShares(8 * importBytes)

/** For tests. */
export const importMemory = { free: memory.free }

const saveEveryMs = 1000
/** Lines of one letter, each of which is refused by an error, take many times as long as others: 500 at once, at most. */
const bytesAtOnce = 1024
/** A batch is stored by several statements, each of which would wait for as long: the database then has nothing to do. */
const breathMs = 1

/** Makes the lines of a catalogue (catalog/restore.ts); `charge` takes memory for what it keeps, until the call ends. */
export type OpenRestore = (caller: Caller, call: Call, charge: (bytes: number) => void) => RestoreLines

export const postImport =
  (world: World, ingestion: Ingestion, openRestore: OpenRestore) =>
  async (caller: Caller, call: Call): Promise<Reply> => {
    const query = readImportQuery(call)
    if (query.what === 'catalogue') demand(caller, 'POST component')
    else demandSome(caller)
    const holders = holdersOf(caller, call.address)
    const holding = memory.open(holders)
    if (!(await untilGone(call, (signal) => holding.wait(importBytes, patienceMs, signal))))
      throw busy('too many imports at once')
    try {
      const holder = randomToken()
      const begun = await callerTransaction(world.sql, holders, (sql) =>
        holdImport(sql, caller, query.id, holder, world.clock.now()),
      )
      const goOn = async () => {
        await call.judgeAgain?.()
        await demandHeld(world.sql, begun.key, holder)
      }
      if (query.what === 'catalogue') {
        const charge = (bytes: number) => {
          if (!holding.take(bytes)) throw busy('too many imports at once')
        }
        const store = openCatalogueStore(openRestore(caller, call, charge))
        // It is sent whole again: an entity that is there stays.
        const anew = { ...begun, ...nowhere }
        return await importBody(world, call, query, anew, holder, judged(store, goOn), (batches) =>
          openCatalogueReader(anew, batches),
        )
      }
      const store = openSampleStore(ingestion, caller, () => world.clock.now(), goOn)
      return await importBody(world, call, query, begun, holder, judged(store, goOn), (batches) =>
        openSampleReader(query, begun, batches),
      )
    } finally {
      holding.give()
    }
  }

/** A caller that may write no component at all need not send anything. */
const demandSome = (caller: Caller): void => {
  const named = caller.key?.named.get('component') ?? []
  if (!named.some((uid) => caller.may('PUT component/feed', uid))) demand(caller, 'PUT component/feed')
}

const nowhere: ImportReach = { columns: null, bytes: 0, checksum: 0, lines: 0, stored: 0, refused: 0, refusals: [] }

const importBody = async <Row>(
  { sql, clock }: World,
  call: Call,
  query: ImportQuery,
  begun: HistoryImport,
  holder: string,
  store: RowStore<Row>,
  openReader: (batches: Batches<Row>) => BodyReader,
): Promise<Reply> => {
  let reach: ImportReach = begun
  let savedAt = performance.now()
  const save = async (isEnded: boolean) => {
    savedAt = performance.now()
    await saveReach(sql, begun.key, holder, reach, clock.now(), isEnded)
  }
  const batches = openBatches(begun, store, async (reached) => {
    reach = { ...reached, columns: reader.columns() }
    if (performance.now() - savedAt > saveEveryMs) await save(false)
  })
  const reader = openReader(batches)
  const checksum = openChecksum(begun)
  const breathe = openBreath(() => {}, breathMs)
  try {
    for await (const chunk of fromOffset(inflatedWithin(call), query, begun)) {
      for (let from = 0; from < chunk.length; from += bytesAtOnce) {
        const bytes = chunk.subarray(from, from + bytesAtOnce)
        withoutStacks(() => reader.add(bytes))
        batches.setChecksum(checksum.add(bytes, batches.endByte()))
        const pause = batches.flushIfFull() ?? breathe()
        if (pause) await pause
      }
    }
    reader.end()
    batches.setChecksum(checksum.add(Buffer.alloc(0), batches.endByte()))
    await batches.finish()
    await save(true)
    return jsonReply({ success: true, message: '', import: showImport({ ...begun, ...reach, endedMs: clock.now() }) })
  } catch (error) {
    await batches.settle()
    // One that is done stays so where a body is refused before anything of it is stored.
    if (reach === begun) throw withReach(error, begun)
    await save(false).catch(() => {})
    throw withReach(error, { ...begun, ...reach, endedMs: null })
  }
}

/** Every line may be refused by an error, of which nobody sees the stack; to note it is most of what an error costs. */
const withoutStacks = (work: () => void): void => {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** A body may take hours, and its caller be signed out meanwhile, or go on with it by another call. */
const judged = <Row>({ most, open }: RowStore<Row>, goOn: () => Promise<void>): RowStore<Row> => ({
  most,
  open: () => {
    const { add, count, store } = open()
    return {
      add,
      count,
      store: async (refuse) => {
        await goOn()
        await store(refuse)
      },
    }
  },
})

/** The refusal names how far the import is stored, so that the client can go on. */
const withReach = (error: unknown, reached: HistoryImport): unknown => {
  const fault = faultFromSql(error)
  if (!(fault instanceof Fault)) return error
  const { code, message, headers, detail, cause } = fault
  return new Fault(code, message, { headers, detail, cause, members: { import: showImport(reached) } })
}

/** The part of the body that is not stored yet. */
const fromOffset = async function* (
  chunks: AsyncIterable<Buffer>,
  { offset }: ImportQuery,
  { id, bytes, checksum }: HistoryImport,
): AsyncGenerator<Buffer> {
  if (offset !== undefined && offset > bytes)
    throw conflict(`the import '${id}' is stored up to byte ${bytes}: go on from there`)
  const known = openKnownPart(bytes - (offset ?? 0))
  const demandSame = (isSame: boolean) => {
    if (!isSame) throw conflict(`the import '${id}' has stored ${bytes} bytes of another body: choose another importId`)
  }
  /** A part of a body is taken for what its client says it is, but for one from the beginning on. */
  const isSame = () => (offset ?? 0) > 0 || checksum === null || known.checksum() === checksum
  for await (const chunk of chunks) {
    const rest = known.skip(chunk)
    if (rest.length === 0) continue
    demandSame(isSame())
    yield rest
  }
  demandSame(known.isWhole() ? isSame() : offset !== undefined)
}

/** Real rows shrink to a tenth or a thirtieth; a body made to inflate shrinks to a thousandth. */
const mostInflation = 200
const freeBytes = 16 * mebibyte

const inflatedWithin = async function* ({ body, headers, socket }: Call): AsyncGenerator<Buffer> {
  const isPlain = headers['content-encoding'] === undefined
  const before = socket.bytesRead
  let inflated = 0
  for await (const chunk of bodyChunks(body)) {
    inflated += chunk.length
    if (!isPlain && inflated > freeBytes + mostInflation * (socket.bytesRead - before))
      throw tooLarge(`the body inflates to more than ${mostInflation} times its size`)
    yield chunk
  }
}
