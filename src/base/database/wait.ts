// Waiting for a database that another program starts (docs/operations.md#running-it): tried for a minute, with a log
// line every few seconds. A database that answers with a refusal is not waited for: a refusal does not mend itself.
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { primaryTarget, refuseStandby } from './primary.ts'
import { tooManyConnectionsAdvice } from '../errors.ts'
import { StartError } from '../start-error.ts'

const patienceMs = 60_000
const tryEveryMs = 1000
const logEveryMs = 5000

export const waitForDatabase = async (url: string, progress: (line: string) => void): Promise<void> => {
  const startedMs = Date.now()
  let loggedMs = 0
  for (;;) {
    const reason = await findObstacle(url)
    if (reason === undefined) return
    const waitedMs = Date.now() - startedMs
    if (waitedMs > patienceMs) throw new StartError(`The database of DATABASE_URL cannot be reached: ${reason}.`)
    if (waitedMs - loggedMs >= logEveryMs || loggedMs === 0) {
      progress(`waiting for the database (${Math.round(waitedMs / 1000)} of ${patienceMs / 1000} s): ${reason}`)
      loggedMs = waitedMs || 1
    }
    await pause(tryEveryMs)
  }
}

/** The reason why the database cannot be used yet; undefined when it can. */
const findObstacle = async (url: string): Promise<string | undefined> => {
  const client = new Client({ ...primaryTarget(url), connectionTimeoutMillis: 3000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await refuseStandby(client)
    return undefined
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    const reason =
      code === '53300'
        ? tooManyConnectionsAdvice
        : /password must be a string/.test(message)
          ? 'it wants a password'
          : message || code || 'no answer'
    if (!mayMendItself(code, message))
      throw new StartError(`The database of DATABASE_URL refuses us: ${reason}.`, error)
    return reason
  } finally {
    await client.end().catch(() => {})
  }
}

/** The network's own errors, a server that starts, stops or is full, and silence; all other errors need a person. */
export const mayMendItself = (code: string | undefined, message: string): boolean =>
  code === undefined
    ? /timeout|terminated/.test(message)
    : /^(E[A-Z0-9]+|EAI_[A-Z]+|57...|53...|08...|25006|CONNECT_TIMEOUT|CONNECTION_[A-Z]+)$/.test(code)
