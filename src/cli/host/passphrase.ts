// The passphrase of a backup: from a file, from the environment, or typed. It is never an argument, which every user of
// the machine can read.
import { readFile } from 'node:fs/promises'
import { leastPassphrase } from '../../core/backup/sealed-key.ts'
import type { Context } from '../context.ts'
import type { Given } from '../given.ts'
import { textOf, UsageError } from '../given.ts'

/** `isNew`: it is typed twice, and must not be short. */
export const readPassphrase = async (context: Context, given: Given, isNew: boolean): Promise<string> => {
  const found = await findPassphrase(context, given, isNew)
  if (isNew && found.length < leastPassphrase)
    throw new UsageError(`the passphrase must have at least ${leastPassphrase} characters`)
  return found
}

const findPassphrase = async (context: Context, given: Given, isNew: boolean): Promise<string> => {
  const path = textOf(given, 'passphrase-file')
  if (path !== undefined) return (await readFile(path, 'utf8')).split(/\r?\n/)[0]!
  const set = context.environment['COPPICE_PASSPHRASE']
  if (set) return set
  if (!context.isInputTerminal)
    throw new UsageError(
      isNew
        ? 'a backup holds the master key, under a passphrase: name one by --passphrase-file or COPPICE_PASSPHRASE, or leave the key out by --without-master-key'
        : 'the passphrase of the backup is needed: --passphrase-file or COPPICE_PASSPHRASE',
    )
  const typed = await context.ask('Passphrase of the backup: ', true)
  if (isNew && typed !== (await context.ask('The same again: ', true)))
    throw new UsageError('the two passphrases differ')
  return typed
}
