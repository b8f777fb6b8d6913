// The cost of a password: its hash is made outside of any transaction, and in the share of its caller.
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { hashPassword, hashTurns, verifyPassword } from '../../src/base/secret.ts'
import { mostWaitingSignIns } from '../../src/oauth/login.ts'
import { addPerson } from '../support/http.ts'
import { testPassword } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

describe('passwords', () => {
  let service: TestService
  before(async () => {
    service = await openTestService()
  })
  after(() => service.close())

  it('are hashed while nothing is held in the database', async () => {
    const { user, call } = await addPerson(service, 'guest')
    const changes = Array.from({ length: 6 }, (_, index) =>
      call('PUT', `/api/user/${user.uid}`, { password: `a new password ${index}`, currentPassword: testPassword }),
    )
    await eventually(async () => hashTurns.waiting() >= 3)
    // Connections that sit in a transaction and ask nothing are those that wait for something outside.
    const waiting = await service.sql`
      select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`
    assert.equal(waiting.length, 0)
    await Promise.all(changes)
  })

  it('are checked no more when their clients have gone away', async () => {
    await eventually(async () => hashTurns.free() === 3)
    const others = Array.from({ length: 12 }, (_, index) => hashPassword('password', [`user ${index % 4}`]))
    const leaving = new AbortController()
    const body = JSON.stringify({ email: 'nobody@example.org', password: 'wrong' })
    const left = Promise.allSettled(
      Array.from({ length: 10 }, () => service.request('POST', '/api/login', { body, signal: leaving.signal })),
    )
    const ofAddress = () => hashTurns.waiting('address 127.0.0.1')
    await eventually(async () => ofAddress() >= 8)
    // Leaving sooner after its request, a client has sent all that it wants to send, and waits.
    await pause(100)
    leaving.abort()
    await left
    const otherTurns = hashTurns.waiting() - ofAddress()
    await eventually(async () => ofAddress() === 0)
    assert.ok(hashTurns.waiting() > 0 && hashTurns.waiting() <= otherTurns)
    await Promise.all(others)
  })

  it('are refused at once when too many of one address wait', async () => {
    await eventually(async () => hashTurns.free() === 3)
    const body = JSON.stringify({ email: 'nobody@example.org', password: 'wrong' })
    const replies = await Promise.all(Array.from({ length: 60 }, () => service.request('POST', '/api/login', { body })))
    const count = (status: number) => replies.filter((reply) => reply.status === status).length
    assert.equal(count(401) + count(503), 60)
    assert.ok(count(503) >= 60 - mostWaitingSignIns - 3 - 10, `${count(503)}`)
    assert.ok(count(401) >= mostWaitingSignIns, `${count(401)}`)
  })

  it('leave a turn for another caller, however many one sends', async () => {
    await eventually(async () => hashTurns.free() === 3)
    const many = Array.from({ length: 6 }, (_, index) =>
      hashPassword(`password ${index}`, ['organization 1', 'user 1']),
    )
    assert.deepEqual([hashTurns.free(), hashTurns.waiting()], [1, 4])
    const one = verifyPassword('password', undefined, ['address 10.0.0.1'])
    assert.deepEqual([hashTurns.free(), hashTurns.waiting()], [0, 4])
    await Promise.all([...many, one])
    assert.deepEqual([hashTurns.free(), hashTurns.waiting()], [3, 0])
  })
})

describe('guesses of the current password', () => {
  const limit = { count: 3, seconds: 60 }
  let service: TestService
  before(async () => {
    service = await openTestService({ rateLimits: { feed: limit, property: limit, file: limit, login: limit } })
  })
  after(() => service.close())

  it('are limited as sign-ins are, and counted with them, from a person who found a session open', async () => {
    const { user, call } = await addPerson(service, 'member')
    const change = async (currentPassword: string) => {
      const input = { password: 'a password of mine', currentPassword }
      return (await call('PUT', `/api/user/${user.uid}`, input)).status
    }
    const login = async (password: string) => {
      const body = JSON.stringify({ email: user.email, password })
      return (await service.request('POST', '/api/login', { body })).status
    }
    assert.deepEqual(
      [await change('wrong one'), await login('wrong two'), await change('wrong three')],
      [403, 401, 403],
    )
    assert.deepEqual([await change(testPassword), await login(testPassword)], [429, 429])
    assert.equal((await call('PUT', `/api/user/${user.uid}`, { firstName: 'Ada' })).status, 200)
  })
})
