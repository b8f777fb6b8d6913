// 200 means committed (docs/replies.md): an acknowledged sample survives kill -9 of the server and of its database, at
// any moment, with many uploads under way.
import assert from 'node:assert/strict'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { testInstallation } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import type { Random } from '../support/random.ts'
import { withSeed } from '../support/random.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { serverApiKey, startServer } from '../support/server-process.ts'
import { shortOrLong } from '../support/soak.ts'
import { eventually } from '../support/within.ts'

const rounds = shortOrLong(1, 50)

describe('an acknowledged sample', function () {
  this.timeout(shortOrLong(240_000, 3_600_000))
  let directory: string
  let server: ServerProcess | undefined
  before(async () => {
    await testInstallation()
    directory = await newDirectory('durability')
  })
  after(async () => {
    await server?.end('SIGTERM')
    await rm(directory, { recursive: true, force: true })
  })

  const postmasterPid = async () =>
    Number((await readFile(join(directory, 'postgres', 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])

  /** Kills both, in either order, a few milliseconds apart or at once. */
  const killBoth = async ({ integer }: Random) => {
    const pid = await postmasterPid()
    const gapMs = integer(3) * 20
    if (integer(2) === 0) {
      process.kill(pid, 'SIGKILL')
      await pause(gapMs)
      await server!.end('SIGKILL')
    } else {
      const ended = server!.end('SIGKILL')
      await pause(gapMs)
      // It may have gone with the server by itself.
      try {
        process.kill(pid, 'SIGKILL')
      } catch {}
      await ended
    }
  }

  /** Whether the call was answered with 200; a killed server answers nothing. */
  const put = async (query: string, body?: unknown): Promise<boolean> => {
    try {
      const reply = await fetch(`${server!.url}/api/feed?api_key=${serverApiKey}&${query}`, {
        method: 'PUT',
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      await reply.arrayBuffer()
      return reply.status === 200
    } catch {
      return false
    }
  }
  const read = async (path: string): Promise<readonly { time: number; data: number }[]> => {
    const reply = await fetch(`${server!.url}/api/comp/${path}&api_key=${serverApiKey}`)
    assert.equal(reply.status, 200, path)
    return (await reply.json()) as { time: number; data: number }[]
  }
  const readAll = async (compId: string, streamId: string, most: number) => {
    const values = new Map<number, number>()
    for (let from = 0; from <= most; from += 1000)
      for (const { time, data } of await read(`${compId}/stream/${streamId}/feed?sd=${from}&ed=${from + 1000}`))
        values.set(time, data)
    return values
  }

  it('survives kill -9 of the server and the database, again and again', () =>
    withSeed(async (random) => {
      /** Acknowledged: times of appends by component, the last overwriting value, and components that were made. */
      const appended = new Map<string, number[]>()
      const made: string[] = []
      let overwritten = 0
      let next = 0

      for (let round = 0; round < rounds; round += 1) {
        server = await startServer({ DATA_DIR: directory })
        const state = { isOver: false }
        const loop = async (step: () => Promise<void>) => {
          while (!state.isOver) await step()
        }
        const append = (compId: string) => async () => {
          next += 1
          const n = next
          if (await put(`compId=${compId}&a=${n}&time=${n}`)) appended.set(compId, [...(appended.get(compId) ?? []), n])
        }
        const appendMany = async () => {
          const times = Array.from({ length: 20 }, () => (next += 1))
          const body = times.map((time) => ({ compId: 'array', streamId: 'a', data: time, time }))
          if (await put('', body)) appended.set('array', [...(appended.get('array') ?? []), ...times])
        }
        const overwrite = async () => {
          const value = overwritten + 1
          if (await put(`compId=over&a=${value}&time=5`)) overwritten = value
        }
        const create = async () => {
          next += 1
          const id = `made-${next}`
          if (await put(`compId=${id}&x=1&y=2&time=7`)) made.push(id)
        }
        const running = Promise.all(
          [append('c0'), append('c1'), append('c2'), append('c3'), appendMany, overwrite, create].map(loop),
        )
        await eventually(async () => made.length > 0 && overwritten > 0 && appended.size === 5)
        await pause(500 + random.integer(1000))
        await killBoth(random)
        state.isOver = true
        await running
      }

      server = await startServer({ DATA_DIR: directory })
      for (const [compId, times] of appended) {
        const stored = await readAll(compId, 'a', next)
        const lost = times.filter((time) => stored.get(time) !== time)
        assert.deepEqual(lost, [], `${compId}: ${lost.length} of ${times.length} acknowledged samples are lost`)
      }
      const [over] = await read('over/stream/a/feed?')
      assert.ok(over!.data >= overwritten, `${over!.data} is older than the acknowledged ${overwritten}`)
      for (const id of made)
        assert.deepEqual(
          (await read(`${id}/feed?`)).map(({ time, data }) => [time, data]),
          [
            [7, 1],
            [7, 2],
          ],
        )
    }))
})
