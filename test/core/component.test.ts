import assert from 'node:assert/strict'
import { transaction } from '../../src/base/database/sql.ts'
import { findComponent, insertComponent, listComponents, lockComponent } from '../../src/core/component.ts'
import type { NewComponent } from '../../src/core/component.ts'
import { insertStreams, randomStream, streamsOf } from '../../src/core/stream.ts'
import { componentFromTemplate, findTemplate, insertTemplate } from '../../src/core/template.ts'
import type { TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/database.ts'
import { wholeListing } from '../support/listing.ts'

const plain = (id: string | null, more: Partial<NewComponent> = {}): NewComponent => ({
  id,
  name: id ?? 'unnamed',
  folderPath: '/Components',
  timeZone: 'Europe/Berlin',
  templateKey: null,
  ...more,
})

describe('core/component, core/stream and core/template', () => {
  let database: TestDatabase
  let organizationKey: number

  before(async () => (database = await openTestDatabase()))
  after(() => database.drop())
  beforeEach(async () => {
    const [row] = await database.sql<[{ key: number }]>`insert into organization (name) values ('o') returning key`
    organizationKey = row.key
  })

  const insert = (component: NewComponent) =>
    transaction(database.sql, (sql) => insertComponent(sql, organizationKey, component))
  const list = (text: string, more: { id?: string; folderPath?: string } = {}, page = { start: 0, limit: 100 }) =>
    wholeListing(database.sql, (sql) =>
      listComponents(sql, organizationKey, { ...page, text }, { id: undefined, folderPath: undefined, ...more }),
    )
  const idsOf = async (listing: ReturnType<typeof list>) => (await listing).rows.map((component) => component.id)

  it('makes a component once when many want the same at once', async () => {
    const made = await Promise.all(Array.from({ length: 12 }, () => insert(plain('same'))))
    assert.equal(made.filter((component) => component !== undefined).length, 1)
    assert.equal((await list('')).totalCount, 1)
  })

  it('takes any number of components without an ID', async () => {
    await insert(plain(null))
    await insert(plain(null))
    assert.equal((await list('')).totalCount, 2)
  })

  it('keeps IDs of components and templates apart', async () => {
    await transaction(database.sql, (sql) =>
      insertTemplate(sql, organizationKey, { id: 'x', name: 'x', description: '', timeZone: null }),
    )
    assert.equal(await findComponent(database.sql, organizationKey, 'x'), undefined)
    const component = await insert(plain('x'))
    assert.deepEqual(await findComponent(database.sql, organizationKey, 'x'), component)
    assert.equal((await list('')).totalCount, 1)
  })

  it('gives streams one order without holes, however many calls append at the same time', async () => {
    const { key } = (await insert(plain('c')))!
    await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        transaction(database.sql, async (sql) => {
          await lockComponent(sql, key)
          await insertStreams(sql, key, [randomStream(`${n}a`, 'DOUBLE'), randomStream(`${n}b`, 'STRING')])
        }),
      ),
    )
    const streams = await streamsOf(database.sql, key)
    assert.deepEqual(
      streams.map((stream) => stream.position),
      Array.from({ length: 20 }, (_, n) => n + 1),
    )
    for (let at = 0; at < 20; at += 2)
      assert.equal(streams[at + 1]!.id, `${streams[at]!.id!.slice(0, -1)}b`, 'what one call appends stays together')
  })

  it('copies the streams of a template in order, and its zone and description', async () => {
    await transaction(database.sql, async (sql) => {
      const made = await insertTemplate(sql, organizationKey, {
        id: 't',
        name: 'T',
        description: 'of boilers',
        timeZone: 'Asia/Tokyo',
      })
      await insertStreams(sql, made!.key, [
        { ...randomStream('z', 'LONG'), name: 'Zed', description: 'last letter', kind: 'point' },
        { ...randomStream('a', 'DOUBLE'), expression: 'z + 1', variables: [{ name: 'z', streamId: 'z', offset: -1 }] },
      ])
    })
    const template = (await findTemplate(database.sql, organizationKey, 't'))!
    const { component, streams } = (await transaction(database.sql, (sql) =>
      componentFromTemplate(sql, organizationKey, template, plain('c')),
    ))!
    assert.equal(component.timeZone, 'Asia/Tokyo')
    assert.equal(component.description, 'of boilers')
    assert.equal(component.templateUid, template.uid)
    const told = (stream: (typeof streams)[0]) => ({ ...stream, key: 0, uid: '', componentKey: 0 })
    assert.deepEqual(streams.map(told), template.streams.map(told))
    assert.deepEqual([...(await streamsOf(database.sql, component.key))], streams)
  })

  it('says when a component that a template should make is there already', async () => {
    await insert(plain('c'))
    const made = await transaction(database.sql, async (sql) => {
      await insertTemplate(sql, organizationKey, { id: 't', name: 'T', description: '', timeZone: null })
      const template = (await findTemplate(sql, organizationKey, 't'))!
      return componentFromTemplate(sql, organizationKey, template, plain('c'))
    })
    assert.equal(made, undefined)
  })

  it('searches ID, name and description ignoring case, with wildcards taken literally', async () => {
    await insert(plain('a1', { name: 'Öl' }))
    await insert(plain('b_2', { name: 'x', description: '100% sure' }))
    await insert(plain('c3', { name: 'back\\slash' }))
    assert.deepEqual(await idsOf(list('A1')), ['a1'])
    assert.deepEqual(await idsOf(list('öL')), ['a1'])
    assert.deepEqual(await idsOf(list('0% S')), ['b_2'])
    assert.deepEqual(await idsOf(list('_')), ['b_2'])
    assert.deepEqual(await idsOf(list('%')), ['b_2'])
    assert.deepEqual(await idsOf(list('\\')), ['c3'])
    assert.deepEqual(await idsOf(list('nothing')), [])
  })

  it('gives a page of a list and the count of all', async () => {
    for (const id of ['d', 'B', 'a', 'C']) await insert(plain(id))
    const { rows, totalCount } = await list('', {}, { start: 1, limit: 2 })
    assert.deepEqual(
      rows.map((component) => component.id),
      ['B', 'C'],
    )
    assert.equal(totalCount, 4)
    const beyond = await list('', {}, { start: 4, limit: 2 })
    assert.deepEqual([beyond.rows.length, beyond.totalCount], [0, 4])
  })

  it('narrows a list to one ID, or to a folder and those below it', async () => {
    await insert(plain('a', { folderPath: '/Components/x' }))
    await insert(plain('b', { folderPath: '/Components/x/y' }))
    await insert(plain('c', { folderPath: '/Components/xy' }))
    assert.deepEqual(await idsOf(list('', { folderPath: '/Components/x' })), ['a', 'b'])
    assert.deepEqual(await idsOf(list('', { id: 'c' })), ['c'])
  })
})
