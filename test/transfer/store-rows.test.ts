// Rows of an import on their way into the store, behind a write path that is busy as long as the test says.
import assert from 'node:assert/strict'
import { busy, conflict, forbidden } from '../../src/base/errors.ts'
import { openSampleStore } from '../../src/transfer/store-rows.ts'
import { callerOf } from '../support/caller.ts'

describe('transfer/store-rows', () => {
  for (const ended of [forbidden('the rights of this credential were changed'), conflict('another call goes on')])
    it(`ends where the call may not go on, and refuses no row for that: ${ended.code}`, async () => {
      const ingestion = { ingest: () => Promise.reject(busy('somebody else is at it')) }
      const goOn = () => Promise.reject(ended)
      const rows = openSampleStore(ingestion, callerOf({ key: 1, uid: 'o' }), () => 0, goOn).open()
      rows.add({ componentId: 'a', streamId: 's', timeMs: 0, value: '1' }, 2)
      const refused: string[] = []
      await assert.rejects(
        rows.store((line, reason) => void refused.push(`${line} ${reason}`)),
        ended,
      )
      assert.deepEqual(refused, [])
    })
})
