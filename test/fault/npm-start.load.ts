// `npm start` under a supervisor, which knows npm alone: every end of npm ends the server and its database, so that the
// next start finds nothing in its way. npm hands signals to the shell that runs a script, and the shell to nobody.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { newDirectory } from '../support/directory.ts'
import { waitForBuild } from '../support/server-process.ts'
import { root } from '../support/tree.ts'

describe('npm start', function () {
  let directory: string
  let tree: string
  before(async () => {
    directory = await newDirectory('npm')
    await waitForBuild()
    // It builds, so it has a tree of its own: other tests run what is built in ours. All of it is built already, and the
    // compiler a program that takes as long as it is told to: it would read the whole source for nothing.
    tree = await newDirectory('npm-tree')
    await cp(join(root, 'package.json'), join(tree, 'package.json'))
    await cp(join(root, 'dist'), join(tree, 'dist'), { recursive: true, preserveTimestamps: true })
    for (const name of ['src', 'db', 'grammar', '.cache']) await symlink(join(root, name), join(tree, name))
    await mkdir(join(tree, 'node_modules/.bin'), { recursive: true })
    for (const name of await readdir(join(root, 'node_modules')))
      if (!name.startsWith('.')) await symlink(join(root, 'node_modules', name), join(tree, 'node_modules', name))
    await compile('')
  })
  const compile = (command: string) =>
    writeFile(join(tree, 'node_modules/.bin/tsc'), `#!/bin/sh\n${command}\n`, { mode: 0o755 })
  after(() => rm(directory, { recursive: true, force: true }))

  const start = () => {
    const npm = spawn('npm', ['start'], {
      cwd: tree,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', DATA_DIR: directory },
      stdio: ['ignore', 'pipe', 'ignore'],
      // A group of its own: a signal to npm reaches npm alone.
      detached: true,
    })
    const lines = createInterface({ input: npm.stdout })
    const seen: string[] = []
    lines.on('line', (line) => seen.push(line))
    return {
      npm,
      seen,
      said: (word: RegExp) =>
        new Promise<void>((resolve, reject) => {
          lines.on('line', (line) => word.test(line) && resolve())
          lines.once('close', () => reject(new Error(seen.join('\n'))))
        }),
      // All that npm has started share its output: the end of that is the end of the last of them.
      ended: once(lines, 'close'),
    }
  }
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }

  // Both on the same directory, so that the second is also a start after the first.
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    it(`ends the server and its database when npm gets ${signal}`, async () => {
      const { npm, said } = start()
      await said(/listening on/)
      const server = Number(await readFile(join(directory, 'coppice.lock'), 'utf8'))
      const postmaster = Number.parseInt(await readFile(join(directory, 'postgres/data/postmaster.pid'), 'utf8'), 10)
      assert.deepEqual([server, postmaster].map(isAlive), [true, true])
      const exit = once(npm, 'exit')
      npm.kill(signal)
      await exit
      assert.deepEqual([server, postmaster].map(isAlive), [false, false])
    })

  it('starts no server when npm gets SIGTERM while it builds', async () => {
    await rm(directory, { recursive: true, force: true })
    await compile('sleep 1')
    const { npm, seen, said, ended } = start()
    await said(/prestart/)
    npm.kill('SIGTERM')
    await ended
    assert.deepEqual(
      seen.filter((line) => line.includes('listening on')),
      [],
    )
    assert.deepEqual(await readdir(directory).catch(() => []), [])
  })
})
