// coppice demo against a server: a fleet that is there once, however often it is asked for, and that goes without a trace.
import assert from 'node:assert/strict'
import { openDerivation } from '../support/derive.ts'
import { typeCommand } from '../support/host-command.ts'
import { addPerson } from '../support/http.ts'
import { addSession } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

describe('coppice demo', function () {
  this.timeout(300_000)
  let service: TestService
  let environment: Readonly<Record<string, string>>
  const nowMs = Date.now()
  before(async () => {
    service = await openTestService()
    const { user } = await addPerson(service, 'admin')
    environment = { COPPICE_URL: service.url, COPPICE_SESSION: await addSession(service.sql, user) }
  })
  after(() => service.close())

  const count = async () => {
    const [row] = await service.sql<[{ count: number }]>`select count(*) from sample`
    return row.count
  }
  const demo = (...args: readonly string[]) =>
    typeCommand(['demo', '--size', 'small', ...args], environment, { now: () => nowMs })

  it('makes components, samples, derived streams and files', async () => {
    const { code, err } = await demo()
    assert.equal(code, 0, err)
    assert.match(err, /^4 components below \/Components\/Demo, [\d,]+ samples and \d+ files? added$/m)
    assert.ok((await count()) > 40_000, String(await count()))
    await openDerivation(service)()
    const last = async (path: string) =>
      (
        (await service.get(`/api/comp/${path}/last_value?retUnit&retFData`)).json as { data: unknown; fData: string }[]
      )[0]!
    assert.match((await last('demo-weather-hamburg/stream/dewpoint')).fData, /^-?\d+\.\d °C$/)
    const { data: energy } = await last('demo-meter-office/stream/energy')
    const { data: power } = await last('demo-meter-office/stream/power')
    assert.equal(energy, Number(power) / 4)
    assert.equal(typeof (await last('demo-machine-press-3/stream/alarm')).data, 'boolean')
  })

  it('makes a dashboard whose streams are all there', async () => {
    const streams = await service.sql<{ isThere: boolean }[]>`
      select exists (
        select from stream
        join component on component.key = component_key
        where component.uid = named ->> 'componentUid' and stream.id = named ->> 'streamId') as "isThere"
      from dashboard, jsonb_path_query(tiles, '$[*].stream[*]') as named`
    assert.ok(streams.length > 10, String(streams.length))
    assert.ok(streams.every(({ isThere }) => isThere))
  })

  it('adds nothing twice', async () => {
    const before = await count()
    const { code, err } = await demo()
    assert.equal(code, 0, err)
    assert.match(err, /^4 components below \/Components\/Demo, 0 samples and 0 files added$/m)
    assert.equal(await count(), before)
    assert.equal((await service.sql`select from dashboard`).length, 1)
  })

  it('adds what has come since', async () => {
    const later = await typeCommand(['demo', '--size', 'small'], environment, { now: () => nowMs + 3_600_000 })
    assert.equal(later.code, 0, later.err)
    const [, added] = /, ([\d,]+) samples/.exec(later.err)!
    assert.ok(Number(added) > 10 && Number(added) < 200, added)
  })

  it('takes everything of it away, and nothing else', async () => {
    await service.put('/api/feed?compId=Mine&x=1')
    await service.sql`insert into dashboard (organization_key, name, tiles) values (1, 'Demo fleet', '[]')`
    const { code, err } = await demo('--remove')
    assert.equal(code, 0, err)
    assert.match(err, /^4 components of the demo are removed$/m)
    const left = async (table: string) =>
      (await service.sql.unsafe(`select id from ${table}`)).map((row) => row['id'] as string)
    assert.deepEqual(await left('component'), ['Mine'])
    assert.deepEqual(await left('unit'), [])
    assert.equal((await service.sql`select from dashboard`).length, 1)
    const folders = await service.sql<{ path: string }[]>`select path from folder`
    assert.deepEqual(
      folders.map(({ path }) => path),
      ['/Components'],
    )
  })

  it('refuses a size that there is none of', async () => {
    const { code, err } = await typeCommand(['demo', '--size', 'huge'], environment)
    assert.equal(code, 2)
    assert.match(err, /--size must be one of small, medium, large/)
  })
})
