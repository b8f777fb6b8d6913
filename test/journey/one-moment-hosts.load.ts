// A reply shows one moment (docs/replies.md) where several processes answer, and where readings go to a standby, which
// follows the primary. The game: test/support/one-moment.ts.
import assert from 'node:assert/strict'
import { openTwoHosts, ownerPassword } from '../fault/two-hosts.ts'
import { openTestDatabase } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import { integers, numbered, openReadings, play } from '../support/one-moment.ts'
import type { Readings } from '../support/one-moment.ts'
import { serverApiKey, startServer } from '../support/server-process.ts'

const hourMs = 3_600_000
const ids = numbered(12)
/** The latest first. */
const timesMs = [0, 1, 2].map((minute) => Math.floor(Date.now() / hourMs) * hourMs - minute * 60_000 - hourMs)

const readersOf = ({ dataOf, exported, json }: Readings) => ({
  lastValue: () => dataOf('/api/comp/Hosts/last_value'),
  feed: () => dataOf('/api/comp/Hosts/feed'),
  window: () => dataOf(`/api/comp/Hosts/feed?sd=${timesMs[2]}&ed=${timesMs[0]! + 1}`),
  average: integers(() => dataOf('/api/comp/Hosts/cycle/day/stat/avg/feed')),
  chart: async () => {
    const { items } = await json<{ items: unknown[][] }>('/api/comp/Hosts/stream/s3/chart?points=1')
    return items.flatMap((item) => item.slice(2))
  },
  exported: () => exported('compId=Hosts'),
})

describe('a reply', function () {
  it('shows all of an upload or nothing where several WORKERS answer', async () => {
    const database = await openTestDatabase()
    const server = await startServer({
      WORKERS: '2',
      DATA_DIR: await newDirectory('one-moment'),
      DATABASE_URL: database.url,
    })
    try {
      const readings = openReadings(server.url, `api_key=${serverApiKey}`)
      await play({
        upload: readings.uploadAll('Hosts', ids, timesMs),
        half: readings.uploadHalf('Hosts', ids, timesMs),
        readers: readersOf(readings),
      })
    } finally {
      await server.end('SIGTERM')
      await database.drop()
    }
  })

  it('shows all of an upload or nothing at a standby, in GS SQL, too', async () => {
    const { first, standby, service } = await openTwoHosts('one-moment', 'key-of-one-moment', 'at the standby')
    try {
      const owner = { email: service.world.config.ownerEmail, password: ownerPassword }
      const signedIn = await fetch(`${service.url}/api/login`, { method: 'POST', body: JSON.stringify(owner) })
      const { sessionUid } = (await signedIn.json()) as { sessionUid: string }
      const readings = openReadings(service.url, `session=${sessionUid}`)
      await readings.queried('SELECT 1')
      await play({
        upload: readings.uploadAll('Hosts', ids, timesMs),
        half: readings.uploadHalf('Hosts', ids, timesMs),
        readers: {
          ...readersOf(readings),
          gsql: () => readings.queried("SELECT lastValue FROM Stream WHERE cid = 'Hosts'"),
          gsqlSamples: () => readings.queried("SELECT sample(Range(last=3)) FROM Stream WHERE cid = 'Hosts'"),
        },
      })
      const metrics = await readings.text('/metrics')
      assert.match(metrics, /^coppice_routed_readings\{to="standby"\} [1-9]/m)
    } finally {
      await service.close()
      await Promise.all([first.stop(), standby.stop()])
    }
  })
})
