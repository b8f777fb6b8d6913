// The cost of a password: its hash is made outside of any transaction, and in the share of its caller.
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { readConfig } from '../../src/base/config.ts'
import { hashPassword, hashTurns, verifyPassword } from '../../src/base/secret.ts'
import { mostWaitingSignIns } from '../../src/base/http/limit.ts'
import { strangersAtHashing } from '../../src/oauth/login.ts'
import { addPerson } from '../support/http.ts'
import { testPassword } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

const here = 'stranger 127.0.0.1'

/** Takes all turns at hashing, so that every caller has to wait. */
const takeTurns = async () => {
  await eventually(async () => hashTurns.free() === 3)
  const taken = ['test 1', 'test 2', 'test 3'].map((holder) => hashTurns.open([holder]))
  for (const turn of taken) assert.ok(turn.take(1))
  return () => {
    for (const turn of taken) turn.give()
  }
}

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
    const giveTurns = await takeTurns()
    try {
      const leaving = new AbortController()
      const body = JSON.stringify({ email: 'nobody@example.org', password: 'wrong' })
      const left = Promise.allSettled(
        Array.from({ length: 10 }, () => service.request('POST', '/api/login', { body, signal: leaving.signal })),
      )
      await eventually(async () => hashTurns.waiting(here) === 10)
      // Leaving sooner after its request, a client has sent all that it wants to send, and waits.
      await pause(100)
      leaving.abort()
      await left
      await eventually(async () => hashTurns.waiting(here) === 0)
    } finally {
      giveTurns()
    }
    assert.deepEqual([hashTurns.free(), hashTurns.waiting()], [3, 0])
  })

  it('are refused at once when too many of one address wait', async () => {
    const giveTurns = await takeTurns()
    const statuses: number[] = []
    const body = JSON.stringify({ email: service.ownerEmail, password: 'wrong' })
    const asked = Array.from({ length: 60 }, async () =>
      statuses.push((await service.request('POST', '/api/login', { body })).status),
    )
    try {
      const refused = 60 - mostWaitingSignIns
      await eventually(async () => statuses.length === refused && hashTurns.waiting(here) === mostWaitingSignIns)
      assert.deepEqual(statuses, Array(refused).fill(503))
    } finally {
      giveTurns()
    }
    await Promise.all(asked)
    assert.deepEqual(statuses.slice(-mostWaitingSignIns), Array(mostWaitingSignIns).fill(401))
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

describe('passwords of people who sign in where they have done so before', () => {
  let service: TestService
  before(async () => {
    service = await openTestService({ rateLimits: readConfig({}).rateLimits })
  })
  after(() => service.close())

  /** Gives how many of the strangers' are checked before this is done. */
  const checkedBefore = async (addresses: readonly string[], work: () => Promise<void>) => {
    await eventually(async () => hashTurns.free() === 3)
    let checked = 0
    const strangers = addresses.map(async (address) => {
      await verifyPassword('wrong', undefined, strangersAtHashing(address))
      checked += 1
    })
    await work()
    const before = checked
    await Promise.all(strangers)
    return before
  }

  it('do not wait for strangers, however many addresses these have', async () => {
    const { user } = await addPerson(service, 'guest')
    const body = JSON.stringify({ email: user.email, password: testPassword })
    const signIn = async () => assert.equal((await service.request('POST', '/api/login', { body })).status, 200)
    await signIn()
    const addresses = Array.from({ length: 30 }, (_, n) => `2001:db8:${n + 1}::1`)
    const before = await checkedBefore(addresses, signIn)
    assert.ok(before < 10, `${before} of strangers before`)
  })

  it('do not wait for strangers where they are set by a link', async () => {
    const owner = await addPerson(service, 'owner')
    const { user } = await addPerson(service, 'guest')
    const { body: made } = await owner.call('POST', `/api/user/${user.uid}/reset_link`)
    const token = new URL((made as { reset_link: { url: string } }).reset_link.url).hash.slice(1)
    const [password, again] = ['another password', 'another password']
    const body = new URLSearchParams({ token, password, again })
    const addresses = Array.from({ length: 30 }, (_, n) => `2001:db8:${n + 1}::1`)
    const before = await checkedBefore(addresses, async () => {
      assert.equal((await service.request('POST', '/alt/reset', { body })).status, 200)
    })
    assert.ok(before < 10, `${before} of strangers before`)
  })

  it('wait at a new address for a site of strangers as for one of them', async () => {
    const addresses = Array.from({ length: 30 }, (_, n) => `2001:db8:1:${n + 1}::1`)
    const before = await checkedBefore(addresses, async () => {
      await verifyPassword('wrong', undefined, strangersAtHashing('203.0.113.1'))
    })
    assert.ok(before < 10, `${before} of the site before`)
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
