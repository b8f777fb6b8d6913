// The walk of an export through streams, on a database whose readings fail in the middle, as those of a standby may.
import assert from 'node:assert/strict'
import { snapshot } from '../../src/base/database/sql.ts'
import type { Caller } from '../../src/core/caller.ts'
import { openStreamWalk } from '../../src/transfer/portions.ts'
import { sampleSource } from '../../src/transfer/source.ts'
import type { Source } from '../../src/transfer/source.ts'
import type { Sample } from '../../src/core/sample/sample.ts'
import { openRandom } from '../support/random.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

describe('the walk of an export', () => {
  let service: TestService
  before(async () => {
    service = await openTestService()
    const samples = ['a', 'b', 'c'].flatMap((streamId) =>
      Array.from({ length: 100 }, (_, time) => ({ compId: 'Plant', streamId, data: time, time })),
    )
    assert.equal((await service.put('/api/feed', JSON.stringify(samples))).status, 200)
  })
  after(() => service.close())

  it('goes on behind its last row when a reading fails, and gives every row once', async () => {
    const [organization] = await service.sql<[{ key: number }]>`select key from organization`
    const { integer } = openRandom(3)
    const source: Source<Sample> = {
      ...sampleSource({ startMs: undefined, endMs: undefined }),
      most: 64,
      withTexts: async function* (_sql, items) {
        for (const item of items) {
          if (integer(20) === 0) throw new Error('lost')
          yield [item]
        }
        if (integer(5) === 0) throw new Error('lost')
      },
    }
    const rows: string[] = []
    const encoder = {
      contentType: '',
      ending: '',
      add: ({ id }: { readonly id: string | null }, { timeMs }: { readonly timeMs: number }) =>
        void rows.push(`${id} ${timeMs}`),
      size: () => 0,
      take: () => Buffer.alloc(0),
      end: () => Buffer.alloc(0),
    }
    const scope = {
      organizationKey: organization.key,
      folderPath: undefined,
      isNamed: false,
      componentUids: undefined,
      streamIds: undefined,
    }
    const caller = { may: () => true } as unknown as Caller
    const walk = openStreamWalk(caller, scope, source, encoder)
    let losses = 0
    for (let isOver = false; !isOver;)
      isOver = await snapshot(service.sql, walk).catch((error: Error) => {
        assert.equal(error.message, 'lost')
        losses += 1
        return false
      })
    assert.ok(losses > 5)
    assert.deepEqual(
      rows,
      ['a', 'b', 'c'].flatMap((id) => Array.from({ length: 100 }, (_, time) => `${id} ${time}`)),
    )
  })
})
