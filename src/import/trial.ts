// POST /api/connector/import_test (docs/imports.md#trial): an Ingest SQL on the first rows of an External SQL, run as the
// caller, storing nothing.
import { onOwnConnection } from '../base/database/pool.ts'
import { transaction } from '../base/database/sql.ts'
import type { Call } from '../base/http/call.ts'
import { forbidden } from '../base/errors.ts'
import { readInput } from '../base/http/input.ts'
import { needed, readMembers } from '../base/http/members.ts'
import { untilGone } from '../base/http/reading.ts'
import type { Reply } from '../base/http/reply.ts'
import { jsonReply } from '../base/http/reply.ts'
import { openShares } from '../base/shares.ts'
import { busy } from '../base/errors.ts'
import type { Caller } from '../core/caller.ts'
import { demand, holdersOf } from '../core/caller.ts'
import { findOrganizationByKey } from '../core/organization.ts'
import { effectsOf } from '../gsql/ingest/import-effects.ts'
import { makeTables, openResult, runImported } from '../gsql/ingest/imported.ts'
import { charactersOf } from '../gsql/memory.ts'
import { maxResultBytes } from '../gsql/run/run.ts'
import type { Value } from '../gsql/value.ts'
import type { DiskWatch } from './disk.ts'
import { cleanUp } from './workbench.ts'
import { triedMembers } from './descriptions.ts'
import type { Workbench } from './workbench.ts'

const triedRows = 20
const mostShown = 1000
/** Beside the last row that is shown. */
const mostShownCharacters = 1024 * 1024

export const tryImport = (bench: Workbench) => {
  const { world, pool } = bench
  const { config, clock } = world
  // Runs have their own places (runs.ts).
  const places = openShares(1)
  // Turns go round the organizations, and a trial fetches and runs within this time: each has its turn.
  const patienceMs = 2 * config.gsqlTimeoutMs + 5000
  return async (caller: Caller, call: Call): Promise<Reply> => {
    const input = readMembers('the body', await readInput(call), triedMembers)
    const { connectionUid, externalSql, ingestSql, ...given } = needed(
      'a trial',
      input,
      'connectionUid',
      'externalSql',
      'ingestSql',
    )
    const holders = holdersOf(caller, call.address)
    return untilGone(call, async (leaving) => {
      const tooMuch = new AbortController()
      const signal = AbortSignal.any([leaving, tooMuch.signal])
      const script = await bench.compile(ingestSql, holders, signal)
      if (caller.user === undefined) throw forbidden('GS SQL needs a session or an OAuth token')
      demand(caller, 'POST gql')
      demand(caller, 'GET connection', connectionUid)
      const place = places.open(holders)
      if (!(await place.wait(1, patienceMs, signal))) throw busy('another trial is under way, try again', 2)
      const memory = bench.openMemory(holders)
      try {
        const zone = given.timeZone ?? (await findOrganizationByKey(world.sql, caller.organizationKey))!.timeZone
        const timeoutMs = config.gsqlTimeoutMs
        const tried = await onOwnConnection(pool, signal, async (own) => {
          let disk: DiskWatch | undefined
          try {
            await makeTables(own, script)
            disk = await bench.watchDisk(own, holders, (reason) => tooMuch.abort(reason))
            const options = { maxRows: triedRows, timeZone: zone, timeoutMs, signal, holders }
            const { columns, batches } = await bench.fetch(caller, connectionUid, externalSql, options)
            const result = openResult(
              own,
              script,
              columns.map(({ name }) => name),
            )
            let fetched = 0
            for await (const rows of batches) {
              await result.add(rows)
              fetched += rows.length
            }
            const variables = { JDBC_RESULT: await result.end(), LAST_RUN_DATE: 0, CONNECTOR_ID: '' }
            const nowMs = clock.now()
            const context = await bench.contextFor(caller, { nowMs, zone, holders, memory, variables, signal })
            const limits = { timeoutMs, maxRows: config.gsqlMaxRows, maxBytes: maxResultBytes }
            const { fixed } = await runImported(own, limits, script, context)
            const rows: ShownRow[] = []
            let characters = 0
            await transaction(own, async (sql) => {
              for await (const { effect } of effectsOf(sql, script, fixed)) {
                if (effect.kind !== 'insert') continue
                for (const { cid, id, timeMs = nowMs, sample } of effect.rows) {
                  if (rows.length >= mostShown || characters >= mostShownCharacters) break
                  rows.push({ cid, id, time: timeMs, sample })
                  characters += charactersOf(cid) + charactersOf(id) + charactersOf(sample)
                }
              }
            })
            return { columns, fetched, rows }
          } finally {
            disk?.close()
            await cleanUp(own, async () => {})
          }
        }).catch((error: unknown) => {
          throw tooMuch.signal.aborted ? tooMuch.signal.reason : error
        })
        return jsonReply({ success: true, message: '', ...tried })
      } finally {
        memory.close()
        place.give()
      }
    })
  }
}

type ShownRow = { readonly cid: string; readonly id: string; readonly time: number; readonly sample: Value }
