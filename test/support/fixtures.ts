// Loaded by mocha before any test: fetches PostgreSQL where that was never done, outside any test's time limit, opens
// the directory of the run, and takes down the server of openTestDatabase().
import { closeTestServer, prepareTestServer } from './database.ts'
import { runDirectory } from './directory.ts'

const patienceMs = 10_000

export const mochaGlobalSetup = async () => {
  await runDirectory()
  await prepareTestServer()
}

export const mochaGlobalTeardown = async () => {
  await closeTestServer()
  // A test that leaves something open would keep the process alive for ever.
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().filter((name) => name !== 'Timeout')
    process.stderr.write(`still open ${patienceMs / 1000} s after the last test: ${open.join(', ')}\n`)
    process.exit(1)
  }, patienceMs).unref()
}
