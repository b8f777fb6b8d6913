// The server as a program that somebody starts with arguments.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { newDirectory } from './support/directory.ts'
import { waitForBuild } from './support/server-process.ts'

describe('the server as a program', function () {
  before(waitForBuild)

  /** With variables by which a start would fail, so that a server which ignores its arguments ends at once. */
  const start = async (...args: readonly string[]) => {
    const dataDir = join(await newDirectory('arguments'), 'data')
    const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: 'none' }
    const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/main.js', ...args], { env, encoding: 'utf8' })
    assert.ok(!existsSync(dataDir))
    return { status, stdout, stderr }
  }

  it('says how it is used, and where its documentation is, when it is asked to', async () => {
    for (const word of ['--help', '-h', 'help']) {
      const { status, stdout, stderr } = await start(word)
      assert.deepEqual([status, stderr], [0, ''])
      assert.match(stdout, /^usage: node dist\/main\.js/m)
      assert.match(stdout, /docs\/README\.md/)
    }
  })

  it('refuses other arguments, and names the first', async () => {
    for (const args of [['--port', '9000'], ['--version'], ['--help', 'all'], ['']]) {
      const { status, stdout, stderr } = await start(...args)
      assert.deepEqual([status, stdout], [2, ''])
      assert.ok(stderr.startsWith(`A server takes no arguments, such as '${args[0]}'.\n`), stderr)
    }
  })
})
