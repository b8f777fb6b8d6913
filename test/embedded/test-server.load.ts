// The tests' own server (test/support/database.ts) must not outlive its run, or machines fill up with them.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readlink, stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { testInstallation } from '../support/database.ts'

const databaseModule = new URL('../support/database.ts', import.meta.url).href

describe('the server of the tests', function () {
  it('is ended when the run is killed, with all that the run started, and its directory removed', async () => {
    await testInstallation()
    const script = `
      delete process.env.TEST_DATABASE_URL
      delete process.env.COPPICE_TEST_RUN
      const { spawn } = await import('node:child_process')
      const { openTestDatabase } = await import(${JSON.stringify(databaseModule)})
      const { sql } = await openTestDatabase()
      const [row] = await sql\`select pg_backend_pid() as pid\`
      console.log(row.pid, spawn('sleep', ['600']).pid)`
    const run = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script])
    const [text] = (await Promise.race([once(run.stdout, 'data'), once(run, 'exit')])) as [Buffer]
    const [backend, child] = text.toString().trim().split(' ')
    const dir = (await readlink(`/proc/${backend}/cwd`)).replace(/\/server-\w+\/postgres\/data$/, '')
    assert.match(dir, /\/coppice-test-\w+$/)
    run.kill('SIGKILL')
    for (const path of [dir, `/proc/${backend}`, `/proc/${child}`])
      while (await stat(path).catch(() => undefined)) await pause(50)
  })
})
