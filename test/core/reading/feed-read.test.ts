import assert from 'node:assert/strict'
import { openFarQuestions } from '../../../src/core/reading/far-questions.ts'
import type { FeedQuestion } from '../../../src/core/reading/feed-read.ts'
import { readFeed } from '../../../src/core/reading/feed-read.ts'
import type { TestService } from '../../support/service.ts'
import { openTestService } from '../../support/service.ts'

describe('core/reading/feed-read', () => {
  let service: TestService
  let question: FeedQuestion
  before(async () => {
    service = await openTestService()
    await service.put(`/api/feed?compId=Old&a=1&time=${Date.UTC(2015, 0, 1)}`)
    const [{ key }] = await service.sql<[{ key: number }]>`
      select key from organization where uid = ${service.organizationUid}`
    const window = { startMs: undefined, endMs: undefined }
    const of = { organizationKey: key, componentId: 'Old', streamId: 'a', window }
    question = { ...of, limit: 1000, mostPerStream: 1, needsUnits: false, after: undefined }
  })
  after(() => service.close())

  it('asks for the last weeks alone only while that is likely to do', async () => {
    const farQuestions = openFarQuestions()
    let asked: string[] = []
    const pool = new Proxy(service.sql, {
      get: (target, property) => {
        if (property === 'unsafe') asked.push('weeks')
        if (property === 'begin') asked.push('snapshot')
        return Reflect.get(target, property) as unknown
      },
    })
    const read = async () => {
      asked = []
      const { samples } = await readFeed(pool, question, () => {}, farQuestions)
      return [samples.map(({ num }) => num), asked]
    }
    assert.deepEqual(await read(), [[1], ['weeks', 'snapshot']])
    assert.deepEqual(await read(), [[1], ['snapshot']])
    await service.put('/api/feed?compId=Old&a=2')
    assert.deepEqual(await read(), [[2], ['snapshot']])
    assert.deepEqual(await read(), [[2], ['weeks']])
  })

  it('remembers so many questions, and forgets the oldest first', () => {
    const farQuestions = openFarQuestions()
    const nth = (n: number): FeedQuestion => ({ ...question, componentId: `c${n}` })
    for (let n = 0; n <= 4000; n += 1) farQuestions.note(nth(n), true)
    assert.deepEqual(
      [0, 1, 4000].map((n) => farQuestions.has(nth(n))),
      [false, true, true],
    )
    const long = { ...question, componentId: 'x'.repeat(512) }
    farQuestions.note(long, true)
    assert.equal(farQuestions.has(long), false)
  })
})
