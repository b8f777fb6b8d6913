// coppice restore: a backup into an empty database, embedded or not (docs/operations.md#backup).
import { findMasterKey, keepMasterKey } from '../../base/master-key.ts'
import { checkBackup, otherKey } from '../../core/backup/check.ts'
import { restoreBackup } from '../../core/backup/restore.ts'
import { makeDirectory } from '../../embedded/place.ts'
import type { Command } from '../command.ts'
import { exit } from '../command.ts'
import { UsageError } from '../given.ts'
import { grouped, openProgress } from '../progress.ts'
import { hostConfig, quietLog, withDatabase } from './host.ts'
import { readPassphrase } from './passphrase.ts'

export const runRestore: Command['run'] = async (context, given) => {
  const [path, ...more] = given.positionals
  if (path === undefined || more.length > 0) throw new UsageError('name one file, the backup')
  const config = hostConfig(context)
  const passphrase = () => readPassphrase(context, given, false)
  const checked = await checkBackup({ path, passphrase, masterKey: await findMasterKey(config) })
  const total = checked.sums.tables.reduce((sum, { bytes }) => sum + bytes, 0)
  const bar = openProgress(context, 'bytes', total)
  await withDatabase(
    context,
    config,
    async (databaseUrl) => {
      const keep = async () => {
        if (config.masterKey !== undefined) return
        await makeDirectory(config.dataDir)
        await keepMasterKey(config.dataDir, checked.masterKey)
        // A server that starts meanwhile has made one, and with that nobody could open what is restored.
        if ((await findMasterKey(config)) !== checked.masterKey) throw otherKey()
      }
      const progress = ({ bytes, table }: { readonly bytes: number; readonly table: string }) => bar.set(bytes, table)
      await restoreBackup({ checked, databaseUrl, log: quietLog, progress, beforeCommit: keep })
    },
    { mayMake: true },
  ).finally(bar.end)
  const rows = checked.sums.tables.reduce((sum, each) => sum + each.rows, 0)
  const made = new Date(checked.head.madeAtMs).toISOString()
  await context.err(
    `restored ${grouped(rows)} rows of ${made}, made by Coppice ${checked.head.version}. Start the server.\n`,
  )
  return exit.done
}
