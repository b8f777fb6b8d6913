// The runs of imports over HTTP (docs/imports.md#runs-over-http): start one, list them, cancel one; and the trial.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Access } from '../access/guard.ts'
import { sharedNow } from '../base/clock.ts'
import type { Call, Route } from '../base/http/call.ts'
import { badRequest, conflict, notFound } from '../base/errors.ts'
import { listReply } from '../base/http/list-reply.ts'
import { readPage } from '../base/http/page.ts'
import { refuseUnknown } from '../base/http/params.ts'
import { untilGone } from '../base/http/reading.ts'
import type { Reply } from '../base/http/reply.ts'
import { jsonReply } from '../base/http/reply.ts'
import type { Caller, Method } from '../core/caller.ts'
import { demand } from '../core/caller.ts'
import { findConnector } from '../core/connector.ts'
import type { ImportConnector } from '../core/connector.ts'
import { cancelRun, findRun, listRuns } from '../core/import/import-run.ts'
import type { ImportRun } from '../core/import/import-run.ts'
import { importDescriptions as about } from './descriptions.ts'
import type { Runs } from './runs.ts'
import { tryImport } from './trial.ts'
import type { Workbench } from './workbench.ts'

/** A caller that does not wait for the end waits for the beginning, but not for runs before it. */
const beginWithinMs = 1000
/** A server notices within a second, and gives its external statement another second. */
const cancelWithinMs = 10_000

export const importRoutes = (bench: Workbench, runs: Runs, { guard }: Access): readonly Route[] => {
  const { sql, clock } = bench.world

  const find = async (caller: Caller, call: Call, method: Method): Promise<ImportConnector> => {
    const uid = call.params['uid']!
    demand(caller, `${method} connector`, uid)
    const connector = await findConnector(sql, caller.organizationKey, uid)
    if (connector === undefined) throw notFound('connector', uid)
    if (connector.type !== 'import') throw badRequest('this connector is no import')
    return connector
  }
  const showAt = (nowMs: number, { startMs, endMs, ...run }: ImportRun) => ({
    uid: run.uid,
    state: stateOf(run, startMs, endMs),
    place: run.place,
    start: startMs,
    end: endMs,
    fetched: run.fetched,
    inserted: run.inserted,
    skipped: run.skipped,
    error: run.error,
    truncated: run.truncated,
    scheduled: run.scheduled,
    elapsed: startMs === null ? 0 : (endMs ?? nowMs) - startMs,
  })
  const now = () => sharedNow(clock, sql)

  const start = async (caller: Caller, call: Call): Promise<Reply> => {
    refuseUnknown(call.query, ['wait'])
    const waits = call.query.get('wait') !== 'false'
    const connector = await find(caller, call, 'POST')
    if (!connector.enabled) throw conflict('this import is switched off')
    const { key: connectorKey, uid: connectorUid, connectionUid } = connector
    const { tenantUid } = caller
    const { uid, claimed, ended } = await runs.start({ connectorKey, connectorUid, connectionUid, tenantUid })
    if (waits) {
      const run = await untilGone(call, ended)
      return jsonReply({ success: run.error === null, message: run.error ?? '', run: showAt(await now(), run) })
    }
    await Promise.race([claimed, sleep(beginWithinMs, undefined, { ref: false })])
    return jsonReply({ success: true, message: '', run: showAt(await now(), await findAgain(connectorKey, uid)) })
  }
  const list = async (caller: Caller, call: Call): Promise<Reply> => {
    const page = readPage(call.query, {})
    const { key } = await find(caller, call, 'GET')
    const nowMs = await now()
    const show = (run: ImportRun) => showAt(nowMs, run)
    return listReply(call, sql, about.list.rows, (listing) => listRuns(listing, key, page), show)
  }
  const cancel = async (caller: Caller, call: Call): Promise<Reply> => {
    const { key } = await find(caller, call, 'POST')
    const uid = call.params['run']!
    await cancelRun(sql, key, uid, await now())
    runs.cancel(uid)
    // The run gives up its work first, here or in another server.
    const endsMs = performance.now() + cancelWithinMs
    let run = await findAgain(key, uid)
    for (; run.endMs === null && performance.now() < endsMs; run = await findAgain(key, uid)) await sleep(50)
    return jsonReply({ success: true, message: '', run: showAt(await now(), run) })
  }
  const findAgain = async (connectorKey: number, uid: string): Promise<ImportRun> => {
    const run = await findRun(sql, connectorKey, uid)
    if (run === undefined) throw notFound('run', uid)
    return run
  }

  const path = '/api/connector/:uid/run'
  return [
    {
      method: 'POST',
      path: '/api/connector/import_test',
      handle: guard(tryImport(bench)),
      description: about.test,
    },
    { method: 'POST', path, handle: guard(start), description: about.start },
    { method: 'GET', path, handle: guard(list), description: about.list },
    { method: 'DELETE', path: `${path}/:run`, handle: guard(cancel), description: about.cancel },
  ]
}

const stateOf = ({ error }: Pick<ImportRun, 'error'>, startMs: number | null, endMs: number | null): string => {
  if (endMs === null) return startMs === null ? 'waiting' : 'running'
  return error === null ? 'succeeded' : 'failed'
}
