// Waiting for a database that another program starts (decisions 0): tried for a minute, with a word every few
// seconds. A database that answers with a refusal is not waited for: that will not mend itself.
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { pgTarget } from './database-url.ts'
import { sqlCode } from './sql.ts'
import { StartError } from './start-error.ts'

const patienceMs = 60_000
const tryEveryMs = 1000
const tellEveryMs = 5000

export const waitForDatabase = async (url: string, progress: (line: string) => void): Promise<void> => {
  const startedMs = Date.now()
  let toldMs = 0
  for (;;) {
    const reason = await whyNot(url)
    if (reason === undefined) return
    const waitedMs = Date.now() - startedMs
    if (waitedMs > patienceMs) throw new StartError(`The database of DATABASE_URL cannot be reached: ${reason}.`)
    if (waitedMs - toldMs >= tellEveryMs || toldMs === 0) {
      progress(`waiting for the database (${Math.round(waitedMs / 1000)} of ${patienceMs / 1000} s): ${reason}`)
      toldMs = waitedMs || 1
    }
    await pause(tryEveryMs)
  }
}

/** Why the database cannot be used yet; undefined when it can. */
const whyNot = async (url: string): Promise<string | undefined> => {
  const client = new Client({ ...pgTarget(url), connectionTimeoutMillis: 3000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return undefined
  } catch (error) {
    const code = sqlCode(error)
    const { message } = error as Error
    // 28: wrong user or password. 3D: no such database. Anything of class 57P03: it is starting or stopping.
    if (code !== undefined && /^(28|3D)/.test(code))
      throw new StartError(`The database of DATABASE_URL refuses us: ${message}.`, error)
    return message || code || 'no answer'
  } finally {
    await client.end().catch(() => {})
  }
}
