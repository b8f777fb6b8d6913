import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lockDataDirectory } from '../../src/embedded/lock.ts'
import { newDirectory } from '../support/directory.ts'

const lockModule = new URL('../../src/embedded/lock.ts', import.meta.url).href

/** Another process that takes the lock and then waits to be killed. */
const lockElsewhere = async (dir: string) => {
  const script = `
    const { lockDataDirectory } = await import(${JSON.stringify(lockModule)})
    await lockDataDirectory(process.argv[1])
    console.log('locked')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, dir])
  await once(child.stdout, 'data')
  return child
}

describe('embedded/lock', () => {
  let dir: string

  beforeEach(async () => {
    dir = await newDirectory('lock')
  })
  afterEach(() => rm(dir, { recursive: true }))

  it('refuses a DATA_DIR that another process uses, and names the process', async () => {
    const other = await lockElsewhere(dir)
    const message = `${dir} is in use by another Coppice (process ${other.pid}).`
    await assert.rejects(lockDataDirectory(dir), { name: 'StartError', message })
    other.kill('SIGKILL')
    await once(other, 'exit')
  })

  it('refuses a DATA_DIR that is a file', async () => {
    await writeFile(join(dir, 'file'), '')
    await assert.rejects(lockDataDirectory(join(dir, 'file')), {
      name: 'StartError',
      message: /^DATA_DIR .*file cannot be used: /,
    })
  })

  it('is free again when its holder was killed, before anybody reaped it', async () => {
    const other = await lockElsewhere(dir)
    // The other's death is not looked at until we have the lock.
    other.kill('SIGKILL')
    const lock = await lockDataDirectory(dir)
    await lock.release()
  })

  it('is free again after release', async () => {
    await (await lockDataDirectory(dir)).release()
    const lock = await lockDataDirectory(dir)
    await lock.release()
  })

  it('makes a DATA_DIR that is missing, and lets other files in it alone', async () => {
    const missing = join(dir, 'a', 'b')
    await (await lockDataDirectory(missing)).release()
    await writeFile(join(missing, 'notes.txt'), 'mine')
    await (await lockDataDirectory(missing)).release()
    assert.deepEqual((await readdir(missing)).toSorted(), ['coppice.lock', 'notes.txt'])
  })
})
