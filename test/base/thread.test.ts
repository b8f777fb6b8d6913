// Threads of a program that runs from source, in a small tree of its own: the build stands for the source only while it
// is newer.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { newDirectory } from '../support/directory.ts'
import { root } from '../support/tree.ts'

describe('base/thread', () => {
  const files = {
    'package.json': '{ "type": "module" }',
    'src/main.ts': `
      import { startThread } from './base/thread.ts'
      startThread(new URL('thread.ts', import.meta.url), {}).on('message', (name: string) => console.log(name))`,
    'src/thread.ts': "import { parentPort } from 'node:worker_threads'\nparentPort!.postMessage('source' as string)",
    'dist/thread.js': "import { parentPort } from 'node:worker_threads'\nparentPort.postMessage('built')",
    'dist/.tsbuildinfo': '',
  }
  const changedAt = new Date('2026-01-02')
  let tree: string
  before(async () => {
    tree = await newDirectory('thread')
    for (const name of ['src/base', 'dist']) await mkdir(join(tree, name), { recursive: true })
    await cp(join(root, 'src/base/thread.ts'), join(tree, 'src/base/thread.ts'))
    await symlink(join(root, 'node_modules'), join(tree, 'node_modules'))
    for (const [name, text] of Object.entries(files)) await writeFile(join(tree, name), text)
    for (const name of ['src/base/thread.ts', 'src/main.ts', 'src/thread.ts'])
      await utimes(join(tree, name), changedAt, changedAt)
  })

  for (const [builtAt, chosen] of [
    ['2026-01-03', 'built'],
    ['2026-01-01', 'source'],
  ] as const)
    it(`takes the ${chosen} file, when the source was changed on 2026-01-02 and the build is of ${builtAt}`, async () => {
      await utimes(join(tree, 'dist/.tsbuildinfo'), new Date(builtAt), new Date(builtAt))
      const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', 'src/main.ts'], { cwd: tree })
      assert.equal(stdout, `${chosen}\n`)
    })
})
