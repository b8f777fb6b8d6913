// Uploads with rsid read their answer after the commit: in spite of every failure of that reading, a refusal means that
// nothing is stored.
import assert from 'node:assert/strict'
import { transaction } from '../../src/base/database/sql.ts'
import { openManager } from '../support/manage.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

describe('an upload with rsid', function () {
  this.timeout(120_000)
  let service: TestService
  before(async () => {
    service = await openTestService({ readTimeoutMs: 60_000 })
    const manage = await openManager(service)
    await manage.make('component', { id: 'C', stream: [{ id: 'a' }, { id: 'p', kind: 'point' }] })
    assert.equal((await service.put('/api/feed?compId=C&a=1&p=2&time=1000')).status, 200)
  })
  after(() => service.close())

  const isStored = async (timeMs: number) => {
    const rows = await service.sql`select from sample where time = ${timeMs}::timestamptz`
    return rows.length > 0
  }
  const waitingFor = async (table: string) => {
    const rows = await service.sql<{ pid: number }[]>`
      select pid from pg_locks where not granted and relation = ${table}::regclass`
    return rows.map(({ pid }) => pid)
  }

  const whileLocked = (table: string, work: () => Promise<void>) =>
    transaction(service.sql, async (sql) => {
      await sql.unsafe(`lock table ${table} in access exclusive mode`)
      await work()
    })

  it('has its place to read in before it stores anything', async () => {
    // More than all places together: its own turn is behind them.
    let readings: readonly Promise<unknown>[] = []
    let upload: ReturnType<TestService['put']> | undefined
    // Statistics need the table of cycles; uploads to what is known do not, nor does the reading of last values.
    await whileLocked('cycle', async () => {
      readings = Array.from({ length: 30 }, () => service.get('/api/comp/C/cycle/day/stat/max/feed'))
      await eventually(async () => (await waitingFor('cycle')).length > 2)
      upload = service.put('/api/feed?compId=C&a=2&time=2000&rsid=a')
      // Those behind it are answered meanwhile.
      for (const timeMs of [3000, 3001, 3002])
        assert.equal((await service.put(`/api/feed?compId=C&a=3&time=${timeMs}`)).status, 200)
      assert.equal(await isStored(2000), false)
    })
    const { status, text } = await upload!
    assert.ok(status === 200 ? text === '{"a":3}' : status === 503, text)
    assert.equal(await isStored(2000), status === 200)
    await Promise.all(readings)
  })

  it('is answered with 200 and no values when these cannot be read after it is stored', async () => {
    await whileLocked('point_sample', async () => {
      let isAnswered = false
      const upload = service.put('/api/feed?compId=C&a=5&time=5000&rsid=p&rsid=new').finally(() => (isAnswered = true))
      await eventually(async () => {
        for (const pid of await waitingFor('point_sample')) await service.sql`select pg_cancel_backend(${pid})`
        return isAnswered
      })
      const { status, json } = await upload
      const missing = [{ itemType: 'stream', itemId: 'new', componentId: 'C' }]
      assert.deepEqual([status, json], [200, { missing }])
      assert.equal(await isStored(5000), true)
    })
  })
})
