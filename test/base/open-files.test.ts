import assert from 'node:assert/strict'
import { mostOpenFiles, partWithFiles } from '../../src/base/open-files.ts'

describe('base/open-files', () => {
  it('reads the limit of the system, and knows none where there is none', () => {
    const limits = (files: string) => () =>
      `Limit                     Soft Limit           Hard Limit           Units\nMax open files            ${files}                20000                files\n`
    assert.equal(mostOpenFiles(limits('1024')), 1024)
    assert.equal(mostOpenFiles(limits('unlimited')), Number.POSITIVE_INFINITY)
    const missing = () => {
      throw new Error('ENOENT')
    }
    assert.equal(mostOpenFiles(missing), Number.POSITIVE_INFINITY)
  })

  it('takes no more connections than there are files, beside those of the database and of the program', () => {
    for (const files of [1024, 4096, 20_000, 38_000]) {
      const part = partWithFiles(38_000, 44, files)
      assert.ok(part < 1)
      assert.ok(part * 38_000 + 44 + 280 < files, String(files))
      assert.ok(part * 38_000 > files / 2, String(files))
    }
    assert.equal(partWithFiles(38_000, 44, 40_000), 1)
    assert.equal(partWithFiles(38_000, 44, Number.POSITIVE_INFINITY), 1)
  })

  it('takes some connections where there are hardly any files', () => {
    assert.ok(partWithFiles(22_000, 44, 256) * 22_000 > 60)
  })
})
