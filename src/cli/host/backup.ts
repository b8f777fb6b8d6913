// coppice backup: everything in one file, while the server runs or not (docs/operations.md#backup).
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findMasterKey, masterKeyPath } from '../../base/master-key.ts'
import { openPool } from '../../base/database/pool.ts'
import { noteBackup } from '../../core/installation.ts'
import { writeBackup } from '../../core/backup/write.ts'
import type { Backup } from '../../core/backup/write.ts'
import type { Command } from '../command.ts'
import { exit } from '../command.ts'
import type { Context } from '../context.ts'
import { isGiven } from '../given.ts'
import { grouped, openProgress } from '../progress.ts'
import { writeWhole } from '../whole-file.ts'
import { HostError, hostConfig, withDatabase } from './host.ts'
import { readPassphrase } from './passphrase.ts'

export const runBackup: Command['run'] = async (context, given) => {
  const config = hostConfig(context)
  const masterKey = await findMasterKey(config)
  if (masterKey === undefined)
    throw new HostError(
      `There is no master key: set MASTER_KEY as the server has it, or DATA_DIR to where ${masterKeyPath(config.dataDir)} should be.`,
    )
  const isWithout = isGiven(given, 'without-master-key')
  const passphrase = isWithout ? undefined : await readPassphrase(context, given, true)
  const name = given.positionals[0]
  const path = name === '-' ? undefined : await pathOf(context, name)
  const bar = openProgress(context, 'bytes')
  const made = await withDatabase(context, config, async (databaseUrl) => {
    const nowMs = context.now()
    const make = (output: (bytes: Buffer) => Promise<unknown>): Promise<Backup> =>
      writeBackup({
        databaseUrl,
        masterKey,
        passphrase,
        nowMs,
        output,
        progress: ({ bytes, table }) => bar.set(bytes, table),
        signal: context.signal,
      })
    const done =
      path === undefined ? await make(context.out) : await writeWhole(path, make, { partial: '.partial', mode: 0o600 })
    // Not before the file is on the disk under its name.
    await note(databaseUrl, nowMs)
    return done
  }).finally(bar.end)
  const rows = grouped(made.rows)
  const size = `${grouped(Math.ceil(made.bytes / 1000))} kB`
  await context.err(`${path ?? 'a backup'}: ${size}, ${rows} rows in ${made.tables.length} tables\n`)
  if (isWithout)
    await context.err(
      'WARNING: this backup has NO MASTER KEY. Without the key it cannot be restored: no API key would be known and no\n' +
        `secret could be read. Keep a copy of ${config.masterKey === undefined ? masterKeyPath(config.dataDir) : 'MASTER_KEY'} in another place.\n`,
    )
  return exit.done
}

/** For `coppice doctor`. A database of an older version has no place for it. */
const note = async (databaseUrl: string, atMs: number): Promise<void> => {
  const sql = openPool(databaseUrl, { connections: 1, name: 'coppice backup' })
  try {
    await noteBackup(sql, atMs).catch(() => {})
  } finally {
    await sql.end({ timeout: 1 })
  }
}

const pathOf = async ({ now }: Context, name: string | undefined): Promise<string> => {
  const own = `coppice-${new Date(now()).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z.tar`
  const found = name === undefined ? undefined : await stat(name).catch(() => undefined)
  const path = name === undefined ? own : found?.isDirectory() ? join(name, own) : name
  if (await stat(path).catch(() => undefined)) throw new HostError(`${path} is there already: name another file.`)
  return path
}
