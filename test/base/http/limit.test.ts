import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RateLimits } from '../../../src/base/config.ts'
import { Fault, unauthorized } from '../../../src/base/errors.ts'
import type { Limiter } from '../../../src/base/http/limit.ts'
import { mostPerOwner, openLimiter } from '../../../src/base/http/limit.ts'
import type { Port } from '../../../src/base/http/limit-ledger.ts'
import { parseQuery } from '../../../src/base/http/query-string.ts'
import { lenderFrom, openLedger } from '../../../src/base/http/limit-ledger.ts'

const handClock = (startMs = 1_700_000_000_000) => {
  let nowMs = startMs
  return {
    now: () => nowMs,
    pass: (ms: number) => {
      nowMs += ms
    },
  }
}

const limitsOf = (count: number, seconds: number): RateLimits => {
  const limit = { count, seconds }
  return { feed: limit, property: limit, file: limit, login: limit }
}

const passes = (limiter: Limiter, owner = 'api_key 1', rest = '10.0.0.1 '): Promise<boolean> =>
  passing(() => limiter.take('feed', owner, rest))

/** Whether the call was let through; anything but a 429 fails the test. */
const passing = async (take: () => Promise<void> | undefined): Promise<boolean> => {
  try {
    await take()
    return true
  } catch (error) {
    assert.ok(error instanceof Fault && error.status === 429, String(error))
    return false
  }
}

const countPasses = async (calls: number, call: (index: number) => Promise<boolean>): Promise<number> => {
  let passed = 0
  for (let index = 0; index < calls; index += 1) if (await call(index)) passed += 1
  return passed
}

const fail = async (): Promise<never> => {
  throw unauthorized('wrong')
}

/** The status of a sign-in with the right or a wrong password. */
const signIn = (limiter: Limiter, address: string, email: string, isRight: boolean): Promise<number> =>
  limiter.signIn(address, email, isRight ? async () => 200 : fail).catch((error: Fault) => error.status)

describe('rate limits', () => {
  it('refuse the call after the last with Retry-After, RateLimit and RateLimit-Policy', async () => {
    const clock = handClock()
    const limiter = openLimiter(limitsOf(3, 60), clock)
    assert.equal(await countPasses(3, () => passes(limiter)), 3)
    clock.pass(20_500)
    assert.throws(
      () => limiter.take('feed', 'api_key 1', '10.0.0.1 '),
      (error: Fault) => {
        assert.equal(error.code, 'too_many_requests')
        assert.deepEqual(error.headers, {
          'Retry-After': '40',
          RateLimit: '"feed";r=0;t=40',
          'RateLimit-Policy': '"feed";q=3;w=60',
        })
        return true
      },
    )
  })

  it('begin anew when the window that began with the first call is over', async () => {
    const clock = handClock()
    const limiter = openLimiter(limitsOf(2, 60), clock)
    assert.equal(await countPasses(5, () => passes(limiter)), 2)
    clock.pass(59_999)
    assert.equal(await passes(limiter), false)
    clock.pass(1)
    assert.equal(await countPasses(5, () => passes(limiter)), 2)
  })

  it('are not stuck when the clock is set back', async () => {
    const clock = handClock()
    const limiter = openLimiter(limitsOf(1, 60), clock)
    assert.equal(await passes(limiter), true)
    clock.pass(-3_600_000)
    assert.equal(await passes(limiter), true)
  })

  it('count kinds, credentials, addresses, components and X-Forwarded-For texts apart', async () => {
    const limiter = openLimiter(limitsOf(1, 60), handClock())
    const limited = limiter.limited('feed', async () => ({ status: 200, headers: {}, body: '' }))
    const call = async (actor: string, address: string, serial?: string, query = '', params = {}) => {
      const headers = serial === undefined ? {} : { 'x-forwarded-for': serial }
      return limited({ actor, tenantUid: 'T' }, { address, headers, query: parseQuery(query), params } as never)
    }
    await call('api_key 1', '10.0.0.1')
    await call('api_key 2', '10.0.0.1')
    await call('api_key 1', '10.0.0.2')
    await call('api_key 1', '10.0.0.1', 'serial-1')
    await call('api_key 1', '10.0.0.1', 'serial-2')
    await assert.rejects(call('api_key 1', '10.0.0.1', 'serial-2'), { code: 'too_many_requests' })
    // A gateway with one key serves a fleet: the URL form names the component in the query, others in the path.
    await call('api_key 1', '10.0.0.1', undefined, 'COMPID=a&temp=1')
    await call('api_key 1', '10.0.0.1', undefined, 'compId=b&temp=1')
    await call('api_key 1', '10.0.0.1', undefined, '', { compId: 'c' })
    await assert.rejects(call('api_key 1', '10.0.0.1', undefined, 'compId=a&temp=2'), { code: 'too_many_requests' })
    await assert.rejects(call('api_key 1', '10.0.0.1', undefined, '', { compId: 'c' }), { code: 'too_many_requests' })
    await limiter.take('file', 'api_key 1', '10.0.0.1 ')
  })

  it('distinguish long texts that begin the same', async () => {
    const limiter = openLimiter(limitsOf(1, 60), handClock())
    const long = 'x'.repeat(5000)
    assert.equal(await passes(limiter, 'api_key 1', `${long}1`), true)
    assert.equal(await passes(limiter, 'api_key 1', `${long}2`), true)
    assert.equal(await passes(limiter, 'api_key 1', `${long}1`), false)
  })

  it('put calls beyond 50,000 buckets of one credential into one, and leave other credentials alone', async () => {
    const clock = handClock()
    const limiter = openLimiter(limitsOf(1, 60), clock)
    const spread = (index: number) => passes(limiter, 'api_key 1', `10.0.0.1 ${index}`)
    assert.equal(await countPasses(mostPerOwner + 1000, spread), mostPerOwner + 1)
    assert.equal(await passes(limiter, 'api_key 2', '10.0.0.1 0'), true)
    clock.pass(60_000)
    assert.equal(await passes(limiter, 'api_key 1', '10.0.0.1 new'), true)
    assert.equal(await passes(limiter, 'api_key 1', '10.0.0.1 newer'), true)
  })

  it('leave room for the buckets of other organizations, however many one organization fills', async () => {
    const limiter = openLimiter(limitsOf(1, 60), handClock())
    const take = (organization: string, key: number, device: number) =>
      passing(() => limiter.take('feed', `api_key ${organization}${key}`, `10.0.0.1 ${device}`, organization))
    for (let key = 0; key < 10; key += 1)
      for (let device = 0; device < mostPerOwner / 2; device += 1) await take('greedy', key, device)
    assert.equal(await countPasses(1000, (device) => take('modest', 0, device)), 1000)
  })

  it('hold for every device of a fleet apart, where others fill the room for buckets', async () => {
    const limiter = openLimiter(limitsOf(600, 60), handClock())
    const take = (tenant: string, key: number, device: number) =>
      passing(async () => limiter.take('feed', `api_key ${tenant} ${key}`, `10.0.0.1 ${device}`, tenant))
    for (let key = 0; key < 4; key += 1)
      for (let device = 0; device < mostPerOwner; device += 1) await take('greedy', key, device)
    for (const tenant of ['first', 'second'])
      assert.equal(await countPasses(30_000, (device) => take(tenant, 0, device)), 30_000, tenant)
  })

  it('leave room for the buckets of other tenants, however many organizations one tenant has', async () => {
    const limiter = openLimiter(limitsOf(1, 60), handClock())
    const limited = limiter.limited('feed', async () => ({ status: 200, headers: {}, body: '' }))
    const call = (tenantUid: string, organizationUid: string, device: number) =>
      passing(async () => {
        const caller = { actor: `api_key ${organizationUid}`, organizationUid, tenantUid }
        const headers = { 'x-forwarded-for': `serial-${device}` }
        await limited(caller, { address: '10.0.0.1', headers, query: parseQuery(''), params: {} } as never)
      })
    for (let organization = 0; organization < 12; organization += 1)
      for (let device = 0; await call('greedy', `greedy ${organization}`, device);) device += 1
    assert.equal(await countPasses(1000, (device) => call('modest', 'modest', device)), 1000)
  })

  it('are all off with off', async () => {
    const limiter = openLimiter('off', handClock())
    assert.equal(await countPasses(2000, () => passes(limiter)), 2000)
    for (let index = 0; index < 100; index += 1) assert.equal(await signIn(limiter, '10.0.0.1', 'a', false), 401)
    for (let index = 0; index < 100; index += 1)
      await assert.rejects(
        limiter.clientRequest('10.0.0.1', 'c', fail, () => true),
        { code: 'unauthorized' },
      )
  })
})

/** Two ends of a channel that delivers in order, later, like the one between processes. */
const channel = (): readonly [Port, Port] => {
  const receivers: ((message: unknown) => void)[][] = [[], []]
  const port = (own: number): Port => ({
    send: (message) => {
      const copy: unknown = JSON.parse(JSON.stringify(message))
      setImmediate(() => receivers[1 - own]!.forEach((receive) => receive(copy)))
    },
    onMessage: (receive) => receivers[own]!.push(receive),
  })
  return [port(0), port(1)]
}

const openWorkers = (limits: RateLimits, count: number, clock = handClock()) => {
  const ledger = openLedger(limits, clock, count)
  const workers = Array.from({ length: count }, () => {
    const [primaryEnd, workerEnd] = channel()
    return {
      limiter: openLimiter(limits, clock, { lender: lenderFrom(workerEnd, count) }),
      end: ledger.connect(primaryEnd),
    }
  })
  return { workers, clock }
}

describe('rate limits of several workers', () => {
  for (const [count, processes] of [
    [1, 2],
    [7, 3],
    [20, 2],
    [600, 4],
    [601, 5],
  ] as const)
    it(`let exactly ${count} calls pass, spread over ${processes} processes`, async () => {
      const { workers } = openWorkers(limitsOf(count, 60), processes)
      assert.equal(await countPasses(count * 2 + 50, (index) => passes(workers[index % processes]!.limiter)), count)
    })

  it('let exactly as many pass when all calls come to one process', async () => {
    const { workers } = openWorkers(limitsOf(100, 60), 4)
    assert.equal(await countPasses(150, () => passes(workers[2]!.limiter)), 100)
  })

  it('let exactly as many pass when they all come at once', async () => {
    const { workers } = openWorkers(limitsOf(100, 60), 3)
    const calls = Array.from({ length: 500 }, (_, index) => passes(workers[(index * 7) % 3]!.limiter))
    const passed = (await Promise.all(calls)).filter(Boolean)
    assert.equal(passed.length, 100)
  })

  it('let exactly as many pass in the next window', async () => {
    const { workers, clock } = openWorkers(limitsOf(100, 60), 3)
    await countPasses(150, (index) => passes(workers[index % 3]!.limiter))
    clock.pass(60_000)
    assert.equal(await countPasses(150, (index) => passes(workers[(index * index) % 3]!.limiter)), 100)
  })

  it('ask nobody while a device stays below a quarter of the limit', async () => {
    let messages = 0
    const lender = { processes: 2, borrow: () => (messages += 1), onRecall: () => {} }
    const limiter = openLimiter(limitsOf(600, 60), handClock(), { lender })
    assert.equal(await countPasses(74, () => passes(limiter)), 74)
    assert.equal(messages, 0)
    await passes(limiter)
    assert.equal(messages, 1)
  })

  it('do not wait for a worker that has ended', async () => {
    const { workers } = openWorkers(limitsOf(40, 60), 2)
    workers[1]!.end()
    // Its share of ten is lost with it.
    assert.equal(await countPasses(60, () => passes(workers[0]!.limiter)), 30)
    await nextTurn()
  })
})
