// Files of the database of an earlier moment that are put back while a server goes on (a snapshot of a disk, say): the cluster and its
// timeline are the same, and keys that the server remembers are other things'.
import assert from 'node:assert/strict'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '../../src/base/config.ts'
import { openSecrets } from '../../src/base/secret.ts'
import { bootstrap } from '../../src/core/bootstrap.ts'
import type { Service } from '../../src/service.ts'
import { openService } from '../../src/service.ts'
import { quietLog } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import type { OwnDatabase } from '../support/own-database.ts'
import { openOwnDatabase } from '../support/own-database.ts'
import { addApiKey } from '../support/people.ts'
import { hashCheaply, sharedWith, testMasterKey } from '../support/service.ts'
import { run } from '../../src/embedded/program.ts'
import { eventually } from '../support/within.ts'

const apiKey = 'key-of-the-put-back'

describe('a database whose files of an earlier moment are put back', function () {
  this.timeout(120_000)
  let dir: string
  let database: OwnDatabase
  const services: Service[] = []
  const openOne = async (): Promise<Service> => {
    const config = readConfig({ PORT: '0', RATE_LIMITS: 'off', ORG_TIME_ZONE: 'UTC', FEED_API_KEY: apiKey })
    const common = { masterKey: testMasterKey, clock: { now: () => Date.now() }, log: quietLog, ...sharedWith(config) }
    const service = await openService({ config, databaseUrl: database.url, ...common })
    services.push(service)
    return service
  }
  before(async () => {
    dir = join(await newDirectory('put-back'), 'postgres')
    database = await openOwnDatabase(dir)
    await database.start()
  })
  after(async () => {
    for (const service of services) await service.close()
    await database?.stop()
  })

  const put = async ({ url }: Service, id: string, value: number) =>
    (await fetch(`${url}/api/feed?compId=${id}&x=${value}&api_key=${apiKey}`, { method: 'PUT' })).status

  it('gives no sample of one component to another, and knows no key that is not there', async () => {
    const staying = await openOne()
    const { organizationUid } = (await bootstrap(staying.world, openSecrets(testMasterKey), hashCheaply))!
    assert.equal(await put(staying, 'A', 1), 200)
    const [data, kept] = [join(dir, 'data'), join(dir, 'kept')]
    await database.stop()
    await run('cp', ['-a', data, kept])
    await database.start()
    await eventually(async () => (await put(staying, 'B', 2)) === 200)
    // It remembers B.
    for (const value of [3, 4]) assert.equal(await put(staying, 'B', value), 200)
    const { secret } = await addApiKey(staying.world.sql, organizationUid, [
      { resource: 'component/*/feed', methods: ['GET'] },
    ])
    const status = async () => (await fetch(`${staying.url}/api/comp/A/feed?api_key=${secret}`)).status
    assert.equal(await status(), 200)
    await database.stop()
    await rm(data, { recursive: true })
    await rename(kept, data)
    await database.start()
    const other = await openOne()
    await eventually(async () => (await put(other, 'C', 3)) === 200)
    await eventually(async () => (await put(staying, 'B', 4)) === 200)
    const stored = await other.world.sql`
      select component.id, num from sample join stream on stream.key = stream_key join component on component.key = component_key
      order by 1, 2`
    assert.deepEqual(
      stored.map(({ id, num }) => `${id} ${num}`),
      ['A 1', 'B 4', 'C 3'],
    )
    await eventually(async () => (await status()) === 401)
  })
})
