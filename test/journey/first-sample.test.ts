// The first thing a newcomer does: upload a sample, read it back.
import assert from 'node:assert/strict'
import type { TestService } from '../support/service.ts'
import { openTestClock, openTestService } from '../support/service.ts'

describe('a first sample', () => {
  const clock = openTestClock(1_700_000_000_000)
  let service: TestService
  before(async () => {
    service = await openTestService({}, clock)
  })
  after(() => service.close())

  it('is stored by a PUT that is answered with an empty 200', async () => {
    const reply = await service.put('/api/feed?compId=Boiler&temp=20.1')
    assert.equal(reply.status, 200)
    assert.equal(reply.text, '')
    assert.equal(reply.headers.get('content-length'), '0')
  })

  it('is read back with the time of the upload', async () => {
    const reply = await service.get('/api/comp/Boiler/stream/temp/feed')
    assert.equal(reply.text, '[{"time":1700000000000,"data":20.1}]')
  })
})
