// The external rows of a run, into the tables of its script; those of the last run stay where they are, if that is all the same.
import type { Pool } from '../base/database/sql.ts'
import type { Caller } from '../core/caller.ts'
import type { ImportResult } from '../core/import/import-result.ts'
import type { ImportOrder, ImportRun } from '../core/import/import-run.ts'
import { openResult } from '../gsql/ingest/imported.ts'
import type { CompiledScript } from '../gsql/script.ts'
import type { ExternalRows, FetchOptions, KeptRows } from '../outbound/fetch.ts'
import type { LastResult, Look } from './unchanged.ts'
import type { Workbench } from './workbench.ts'

export type Watched = { readonly get: () => ImportRun; readonly watch: (change: Partial<ImportRun>) => void }

type Fetched = {
  /** The rows as a text, where the script wants that. */
  readonly text: string | null
  /** By which the next run is compared with this one, where that can be. */
  readonly print?: Pick<ImportResult, 'basis' | 'blocks' | 'fetched'> | undefined
  /** The samples, where they were gathered and are in none of the tables: to be ended. */
  readonly kept?: KeptRows | undefined
}

type Compared = LastResult & {
  /** Begun once rows come: the external database has taken its snapshot by then. */
  readonly look: Look | undefined
  readonly isStored: (known: ImportResult) => Promise<boolean>
}

/** The external rows into the script's tables, unless they are those of the last run and all that they make is stored. */
export const fetchInto = async (
  bench: Workbench,
  own: Pool,
  script: CompiledScript,
  caller: Caller,
  order: ImportOrder,
  options: FetchOptions,
  run: Watched,
  compared: Compared | undefined,
): Promise<Fetched> => {
  const { connectionUid, externalSql } = order
  const count = (rows: number) => {
    run.watch({ fetched: run.get().fetched + rows })
    options.signal.throwIfAborted()
  }
  const namesOf = (columns: ExternalRows['columns']) => columns.map(({ name }) => name)
  if (script.imported!.readsText) {
    const { columns, batches, truncated } = await bench.fetch(caller, connectionUid, externalSql, options)
    const result = openResult(own, script, namesOf(columns))
    for await (const rows of batches) {
      await result.add(rows)
      count(rows.length)
    }
    run.watch({ truncated: truncated() })
    return { text: await result.end() }
  }
  const known = compared?.known
  const comparison = compared && {
    blocks: known?.blocks,
    onHeld: (rows: number) => {
      run.watch({ fetched: rows })
      if (rows > 0) compared.look?.begin()
    },
  }
  const fetching = bench.fetchEncoded(caller, connectionUid, externalSql, options, script, comparison)
  const { columns, batches, truncated, same, print, kept } = await fetching.catch(async (error: unknown) => {
    await compared?.look?.stop()
    throw error
  })
  if (same && known) {
    let isNeeded = false
    try {
      isNeeded = compared.basisOf(same.basis) !== known.basis || !(await compared.isStored(known))
    } finally {
      if (!isNeeded) same.drop()
    }
    if (!isNeeded) return { text: null }
    same.release()
  }
  await compared?.look?.stop()
  run.watch({ fetched: 0 })
  const result = openResult(own, script, namesOf(columns))
  for await (const { rows, encoded } of batches) {
    await result.addEncoded(encoded)
    count(rows)
  }
  run.watch({ truncated: truncated() })
  const found = print()
  return {
    text: await result.end().catch((error: unknown) => {
      kept()?.end()
      throw error
    }),
    kept: kept(),
    print: compared && found && { basis: compared.basisOf(found.basis), blocks: found.blocks, fetched: found.rows },
  }
}
