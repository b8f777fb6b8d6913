import assert from 'node:assert/strict'
import { Fault } from '../../src/base/errors.ts'
import { transaction } from '../../src/base/database/sql.ts'
import { ensureFolder, folderPath, listFolders, moveFolder } from '../../src/core/folder.ts'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'
import { wholeListing } from '../support/listing.ts'

describe('core/folder', () => {
  describe('a path', () => {
    for (const wrong of [
      '',
      '/',
      'Components',
      '/components',
      '/ComponentsX',
      '/Other',
      '//Components',
      '/Components//a',
      '/Components/ /a',
      '/Components//',
      '/Components/a\nb',
      '/Components/a\0',
      `/Components/${'a'.repeat(512)}`,
    ])
      it(`refuses ${JSON.stringify(wrong.slice(0, 30))}, which is not /Components or below it`, () => {
        assert.throws(
          () => folderPath(wrong),
          (error) => error instanceof Fault && error.status === 400,
        )
      })
  })

  it('drops a trailing slash', () => {
    assert.equal(folderPath('/Components'), '/Components')
    assert.equal(folderPath('/Components/'), '/Components')
    assert.equal(folderPath('/Components/Plant/Nord 1/'), '/Components/Plant/Nord 1')
    assert.equal(folderPath('/Components/Größe/温度'), '/Components/Größe/温度')
  })

  describe('in the database', () => {
    let database: TestDatabase
    let organizationKey: number
    const everything = { start: 0, limit: 100, text: '' }
    const paths = async () =>
      (await wholeListing(database.sql, (sql) => listFolders(sql, organizationKey, everything))).rows.map(
        (folder) => folder.path,
      )

    before(async () => (database = await openTestDatabase()))
    after(() => database.drop())
    beforeEach(async () => {
      const [row] = await database.sql<[{ key: number }]>`insert into organization (name) values ('o') returning key`
      organizationKey = row.key
    })

    it('makes a folder once, with its parents', async () => {
      const keys = await transaction(database.sql, async (sql) => [
        await ensureFolder(sql, organizationKey, '/Components/a/b'),
        await ensureFolder(sql, organizationKey, '/Components/a/b'),
      ])
      assert.equal(keys[0], keys[1])
      assert.deepEqual(await paths(), ['/Components', '/Components/a', '/Components/a/b'])
    })

    it('makes it once when many ask at the same time', async () => {
      const keys = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          transaction(database.sql, (sql) => ensureFolder(sql, organizationKey, `/Components/a/${n % 2}`)),
        ),
      )
      assert.equal(new Set(keys).size, 2)
      assert.deepEqual(await paths(), ['/Components', '/Components/a', '/Components/a/0', '/Components/a/1'])
    })

    it('moves a folder with all below it, and nothing beside it', async () => {
      await transaction(database.sql, async (sql) => {
        for (const path of ['/Components/ä/b', '/Components/äb', '/Components/x_'])
          await ensureFolder(sql, organizationKey, path)
        await moveFolder(sql, organizationKey, '/Components/ä', '/Components/new/ö')
      })
      assert.deepEqual(await paths(), [
        '/Components',
        '/Components/new',
        '/Components/new/ö',
        '/Components/new/ö/b',
        '/Components/x_',
        '/Components/äb',
      ])
    })
  })
})
