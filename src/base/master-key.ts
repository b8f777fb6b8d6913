// The master key where no variable names it: a file in DATA_DIR, readable by its owner alone.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { StartError } from './start-error.ts'

export const masterKeyPath = (dataDir: string): string => join(dataDir, 'master.key')

/** MASTER_KEY, or the one that is kept; undefined where there is none. */
export const findMasterKey = async ({
  masterKey,
  dataDir,
}: Pick<Config, 'masterKey' | 'dataDir'>): Promise<string | undefined> => {
  if (masterKey !== undefined) return masterKey
  try {
    return (await readFile(masterKeyPath(dataDir), 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    // After a restore by root it is root's.
    throw new StartError(
      `The master key cannot be read from ${masterKeyPath(dataDir)}: ${(error as Error).message}.`,
      error,
    )
  }
}

/** Keeps a key where none is kept yet; one that is there stays. */
export const keepMasterKey = async (dataDir: string, masterKey: string): Promise<void> => {
  try {
    await writeFile(masterKeyPath(dataDir), `${masterKey}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
