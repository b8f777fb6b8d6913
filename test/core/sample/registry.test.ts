import assert from 'node:assert/strict'
import { transaction } from '../../../src/base/database/sql.ts'
import { insertComponent } from '../../../src/core/component.ts'
import { allOfOrganization, everything, latestSerial, openGate } from '../../../src/core/sample/gate.ts'
import type { Organization } from '../../../src/core/organization.ts'
import { deleteOrganization, findOrganizationByKey, updateOrganization } from '../../../src/core/organization.ts'
import { streamByRef } from '../../../src/core/sample/registered.ts'
import { Registry } from '../../../src/core/sample/registry.ts'
import { archiveSome } from '../../../src/core/upkeep/retention.ts'
import { WrittenTimes } from '../../../src/core/sample/written-times.ts'
import type { TestDatabase } from '../../support/database.ts'
import { openTestDatabase } from '../../support/database.ts'
import { addOrganization, addUser } from '../../support/people.ts'

describe('core/registry', () => {
  let database: TestDatabase
  let ours: Organization
  let theirs: Organization
  let registry: Registry
  beforeEach(async () => {
    database = await openTestDatabase()
    const owner = await addUser(database.sql, 'owner@example.org')
    ours = await addOrganization(database.sql, 'Ours', owner)
    theirs = await addOrganization(database.sql, 'Theirs', owner)
    registry = new Registry({ serial: await latestSerial(database.sql) })
    for (const { key } of [ours, theirs]) {
      const ids = ['a', 'b', 'c']
      for (const id of ids)
        await transaction(database.sql, (sql) =>
          insertComponent(sql, key, { id, name: id, folderPath: '/Components', timeZone: 'UTC', templateKey: null }),
        )
      await registry.load(database.sql, key, ids)
    }
    assert.equal(registry.size, 6)
  })
  afterEach(() => database.drop())

  /** Applies the changes that the gate reports to a writer in its next transaction. */
  const applyChanges = async () =>
    registry.applyChanges(
      await transaction(database.sql, (sql) => openGate(sql, registry.moment.serial, registry.moment.history)),
    )
  const known = ({ key }: Organization) => ['a', 'b', 'c'].filter((id) => registry.get(key, id)).length

  it('finds streams that calls have made by their IDs, be they few or many', () => {
    const component = registry.get(ours.key, 'a')!
    const ids = Array.from({ length: 12 }, (_, n) => (n === 3 ? null : `s${n}`))
    ids.forEach((id, n) => {
      const stream = { key: n + 1, uid: `uid${n}`, id, kind: 'random', valueType: 'DOUBLE', position: n + 1 } as const
      const others = {
        calendar: undefined,
        isDerived: false,
        isSource: false,
        archived: [],
        written: new WrittenTimes(),
      }
      registry.learn({ ...component, streams: [{ ...stream, ...others }] })
      const learned = ids.slice(0, n + 1)
      assert.deepEqual(
        learned.map((each) => each && streamByRef(component, each)?.id),
        learned,
      )
      assert.equal(streamByRef(component, `s${n + 1}`), undefined)
      assert.equal(streamByRef(component, { position: n + 1 })?.uid, `uid${n}`)
    })
  })

  it('keeps its memory of others when an organization changes its retentionDays', async () => {
    await transaction(database.sql, (sql) => updateOrganization(sql, ours, { ...ours, retentionDays: 30 }))
    await applyChanges()
    assert.deepEqual([known(ours), known(theirs), registry.size], [0, 3, 3])
    // The job that moves the moment up to which samples are kept changes it, too.
    await registry.load(database.sql, ours.key, ['a'])
    await archiveSome(database.sql, Date.now(), () => {})
    await applyChanges()
    assert.deepEqual([known(ours), known(theirs)], [0, 3])
    await registry.load(database.sql, ours.key, ['a'])
    const changed = (await findOrganizationByKey(database.sql, ours.key))!
    await transaction(database.sql, (sql) => updateOrganization(sql, changed, { ...changed, retentionDays: null }))
    await applyChanges()
    assert.deepEqual([known(ours), known(theirs)], [0, 3])
  })

  it('keeps its memory of others when an organization is deleted, and all of it when one is renamed', async () => {
    await transaction(database.sql, (sql) => updateOrganization(sql, ours, { ...ours, name: 'Renamed' }))
    await applyChanges()
    assert.deepEqual([known(ours), known(theirs)], [3, 3])
    await transaction(database.sql, (sql) => deleteOrganization(sql, ours))
    await applyChanges()
    assert.deepEqual([known(ours), known(theirs), registry.size], [0, 3, 3])
  })

  it('forgets a component by all its names, and everything when the gate says so', async () => {
    const { uid, key } = registry.get(ours.key, 'a')!
    await registry.load(database.sql, ours.key, [{ uid }])
    registry.forget(key)
    assert.deepEqual([registry.get(ours.key, { uid }), known(ours)], [undefined, 2])
    registry.forget(allOfOrganization(ours.key))
    assert.deepEqual([known(ours), known(theirs)], [0, 3])
    registry.forget(everything)
    assert.equal(registry.size, 0)
  })
})
