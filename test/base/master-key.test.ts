import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { findMasterKey, keepMasterKey, masterKeyPath } from '../../src/base/master-key.ts'
import { StartError } from '../../src/base/start-error.ts'
import { newDirectory } from '../support/directory.ts'

describe('base/master-key', () => {
  const find = (dataDir: string, masterKey?: string) => findMasterKey({ dataDir, masterKey })

  it('cannot be found where its file cannot be read, and says so by a sentence', async () => {
    const dataDir = await newDirectory('key')
    await mkdir(masterKeyPath(dataDir))
    await assert.rejects(find(dataDir), (error) => {
      assert.ok(error instanceof StartError)
      assert.match(error.message, /^The master key cannot be read from \S+master\.key: EISDIR.*\.$/)
      return true
    })
    assert.equal(await find(dataDir, 'given'), 'given')
  })

  it('is the one that is given, else the one that is kept, else none', async () => {
    const dataDir = await newDirectory('key')
    assert.equal(await find(dataDir), undefined)
    await keepMasterKey(dataDir, 'first')
    await keepMasterKey(dataDir, 'second')
    assert.equal(await find(dataDir), 'first')
    assert.equal(await find(dataDir, 'given'), 'given')
    await writeFile(masterKeyPath(dataDir), ' third \n')
    assert.equal(await find(dataDir), 'third')
  })
})
