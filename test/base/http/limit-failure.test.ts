import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Fault } from '../../../src/base/errors.ts'
import { unauthorized } from '../../../src/base/errors.ts'
import type { Counts } from '../../../src/base/http/limit-failure.ts'
import { mostStrangers, openCounts, openFailures } from '../../../src/base/http/limit-failure.ts'
import { openLimiter } from '../../../src/base/http/limit.ts'

const handClock = (startMs = 1_700_000_000_000) => {
  let nowMs = startMs
  return {
    now: () => nowMs,
    pass: (ms: number) => {
      nowMs += ms
    },
  }
}
const open = (count: number, counts: Counts = openCounts(), clock = handClock(), processes = 1) => {
  const { attempt, know } = openFailures({ count, seconds: 60 }, clock, counts, () => processes)
  let guesses = 0
  const guess = async (isRight: boolean, ...buckets: readonly [string, ...string[]]): Promise<number> => {
    const work = async () => {
      guesses += 1
      await nextTurn()
      if (!isRight) throw unauthorized('wrong')
      return 200
    }
    return attempt(buckets, work).catch((error: Fault) => error.status)
  }
  return { guess, guesses: () => guesses, clock, attempt, know }
}

describe('a limit of failures', () => {
  it('does not count successes', async () => {
    const { guess } = open(3)
    for (let index = 0; index < 50; index += 1) assert.equal(await guess(true, 'address a'), 200)
    assert.equal(await guess(false, 'address a'), 401)
    assert.equal(await guess(true, 'address a'), 200)
  })

  it('refuses after the last failure, also what would be right, until the window is over', async () => {
    const { guess, clock, attempt } = open(2)
    assert.deepEqual([await guess(false, 'a'), await guess(false, 'a'), await guess(true, 'a')], [401, 401, 429])
    clock.pass(20_500)
    await assert.rejects(
      attempt(['a'], async () => 200),
      ({ code, headers }: Fault) => {
        assert.deepEqual(
          [code, headers],
          [
            'too_many_requests',
            { 'Retry-After': '40', RateLimit: '"login";r=0;t=40', 'RateLimit-Policy': '"login";q=2;w=60' },
          ],
        )
        return true
      },
    )
    clock.pass(39_500)
    assert.equal(await guess(true, 'a'), 200)
  })

  it('is not stuck when the clock is set back, neither by counts nor by failures that come then', async () => {
    const { guess, clock } = open(2)
    for (const bucket of ['full', 'half']) assert.equal(await guess(false, bucket), 401)
    assert.deepEqual([await guess(false, 'full'), await guess(true, 'full')], [401, 429])
    clock.pass(-86_400_000)
    for (const bucket of ['full', 'half']) {
      assert.deepEqual([await guess(true, bucket), await guess(false, bucket)], [200, 401], bucket)
      assert.deepEqual([await guess(false, bucket), await guess(true, bucket)], [401, 429], bucket)
      clock.pass(60_000)
      assert.equal(await guess(true, bucket), 200, bucket)
    }
  })

  it('lets no more guesses begin at once in all processes than may fail, and one each', async () => {
    for (const processes of [2, 3, 8, 20]) {
      const [counts, clock] = [openCounts(), handClock()]
      const each = Array.from({ length: processes }, () => open(10, counts, clock, processes))
      await Promise.all(each.flatMap(({ guess }) => Array.from({ length: 20 }, () => guess(false, 'address a'))))
      const guesses = each.reduce((sum, one) => sum + one.guesses(), 0)
      assert.ok(guesses >= 10 && guesses < 10 + processes, `${guesses} guesses in ${processes} processes`)
    }
  })

  it('counts each of the buckets of an attempt', async () => {
    const { guess } = open(2)
    assert.equal(await guess(false, 'address 1', 'e-mail a'), 401)
    assert.equal(await guess(false, 'address 2', 'e-mail a'), 401)
    assert.equal(await guess(false, 'address 3', 'e-mail a'), 429)
    assert.equal(await guess(false, 'address 1', 'e-mail b'), 401)
    assert.equal(await guess(false, 'address 1', 'e-mail c'), 429)
    assert.equal(await guess(true, 'address 2', 'e-mail c'), 200)
  })

  describe('for a guesser who has succeeded lately', () => {
    const openFamiliar = (counts?: Counts, clock?: ReturnType<typeof handClock>) => {
      const { attempt, know, clock: hand } = open(2, counts, clock)
      const guess = (isRight: boolean, address: string) =>
        attempt(
          [`address ${address}`, 'e-mail a'],
          async () => {
            if (!isRight) throw unauthorized('wrong')
            return 200
          },
          { familiar: `familiar ${address}` },
        ).catch((error: Fault) => error.status)
      /** Two of as many addresses, and then a stranger who is right. */
      const useUp = async (from: string) => [
        await guess(false, `${from} 1`),
        await guess(false, `${from} 2`),
        await guess(true, `${from} 3`),
      ]
      return { guess, useUp, know, clock: hand }
    }

    it('goes by their own failures alone, so that strangers do not lock them out', async () => {
      const { guess, useUp } = openFamiliar()
      assert.equal(await guess(true, 'home'), 200)
      assert.deepEqual(await useUp('stranger'), [401, 401, 429])
      assert.equal(await guess(false, 'home'), 401)
      assert.equal(await guess(true, 'home'), 200)
      assert.equal(await guess(false, 'home'), 401)
      assert.equal(await guess(true, 'home'), 429)
    })

    it('goes by their own failures alone where others of their address have used up its count', async () => {
      const { attempt, know } = open(2)
      await know('familiar home a')
      const guess = (isRight: boolean, email: string) =>
        attempt(
          ['address home', `e-mail ${email}`],
          async (isFamiliar) => {
            if (!isRight) throw unauthorized('wrong')
            return isFamiliar
          },
          { familiar: `familiar home ${email}` },
        ).catch((error: Fault) => error.status)
      assert.deepEqual([await guess(false, 'x'), await guess(false, 'y'), await guess(true, 'z')], [401, 401, 429])
      assert.equal(await guess(true, 'a'), true)
      assert.deepEqual([await guess(false, 'a'), await guess(false, 'a'), await guess(true, 'a')], [401, 401, 429])
    })

    it('lets them begin while others of their address wait', async () => {
      const { attempt, know } = open(1)
      await know('familiar home a')
      let finish = () => {}
      const finished = new Promise<void>((resolve) => {
        finish = resolve
      })
      const guess = (email: string, work: () => Promise<unknown>, mostWaiting = 2) =>
        attempt(['address home', `e-mail ${email}`], work, { familiar: `familiar home ${email}`, mostWaiting })
      const strangers: Promise<unknown>[] = []
      await new Promise<void>((begun) => {
        const work = () => {
          begun()
          return finished
        }
        strangers.push(guess('x', work))
      })
      strangers.push(...['y', 'z'].map((email) => guess(email, () => finished)))
      await assert.rejects(
        guess('more', async () => {}),
        { code: 'busy' },
      )
      assert.equal(await guess('a', async () => 200), 200)
      finish()
      await Promise.all(strangers)
    })

    it('has them wait for no more than two look-ups, however many others of their address come at once', async () => {
      let asked = 0
      const counts = openCounts()
      const read: Counts['read'] = async (...given) => {
        asked += 1
        await nextTurn()
        return counts.read(...given)
      }
      const { attempt, know } = open(1, { ...counts, read })
      await know('familiar home a')
      const guess = (email: string, work: () => Promise<number>) =>
        attempt(['address home', `e-mail ${email}`], work, { familiar: `familiar home ${email}` })
      const wrong = async () => {
        throw unauthorized('wrong')
      }
      await assert.rejects(guess('x', wrong), { status: 401 })
      await assert.rejects(guess('y', wrong), { status: 429 })
      asked = 0
      const others = Promise.allSettled(Array.from({ length: 500 }, (_, n) => guess(`other ${n}`, wrong)))
      assert.equal(await guess('a', async () => 200), 200)
      assert.ok(asked < 5, `${asked} look-ups`)
      for (const { status } of await others) assert.equal(status, 'rejected')
    })

    it('counts their failures for strangers, too', async () => {
      const { guess } = openFamiliar()
      assert.equal(await guess(true, 'home'), 200)
      assert.deepEqual([await guess(false, 'home'), await guess(false, 'home')], [401, 401])
      assert.equal(await guess(true, 'stranger'), 429)
    })

    it('lets them begin while as many guesses of strangers are under way as may fail', async () => {
      const { attempt, know } = open(1)
      await know('familiar home')
      let finish = () => {}
      const finished = new Promise<void>((resolve) => {
        finish = resolve
      })
      const stranger = attempt(['address stranger', 'e-mail a'], () => finished, { familiar: 'familiar stranger' })
      const buckets = ['address home', 'e-mail a'] as const
      assert.equal(await attempt(buckets, async () => 200, { familiar: 'familiar home' }), 200)
      finish()
      await stranger
    })

    it('holds for 30 days from the last success, on all servers', async () => {
      const [counts, clock] = [openCounts(), handClock()]
      const [one, other] = [openFamiliar(counts, clock), openFamiliar(counts, clock)]
      const dayMs = 86_400_000
      assert.equal(await one.guess(true, 'home'), 200)
      clock.pass(20 * dayMs)
      assert.equal(await other.guess(true, 'home'), 200)
      clock.pass(30 * dayMs - 1)
      assert.deepEqual(await one.useUp('stranger'), [401, 401, 429])
      assert.equal(await other.guess(false, 'home'), 401)
      clock.pass(1)
      assert.equal(await other.guess(true, 'home'), 429)
    })

    it('holds at once for one who was refused as a stranger and is known now', async () => {
      const { guess, useUp, know } = openFamiliar()
      assert.deepEqual(await useUp('stranger'), [401, 401, 429])
      assert.equal(await guess(true, 'home'), 429)
      await know('familiar home')
      assert.equal(await guess(true, 'home'), 200)
    })

    it('asks for no counts again for a stranger while the account’s own is used up', async () => {
      let asked = 0
      const counts = openCounts()
      const { guess, useUp } = openFamiliar({ ...counts, read: (...given) => ((asked += 1), counts.read(...given)) })
      await useUp('stranger')
      const before = asked
      for (let index = 0; index < 100; index += 1) assert.equal(await guess(true, 'stranger 3'), 429)
      assert.equal(asked, before)
    })
  })

  it('has nobody wait for an account that others of the same address wait for', async () => {
    const { attempt } = open(1)
    let finish = () => {}
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    const under = attempt(['address 1', 'e-mail busy'], () => finished)
    const waiting = attempt(['address 2', 'e-mail busy'], async () => 'second')
    await nextTurn()
    assert.equal(await attempt(['address 2', 'e-mail b'], async () => 200), 200)
    finish()
    await under
    assert.equal(await waiting, 'second')
  })

  it('lets no more guesses be made when they all come at once', async () => {
    const { guess, guesses } = open(10)
    const statuses = await Promise.all(Array.from({ length: 200 }, () => guess(false, 'address 1', 'e-mail a')))
    assert.equal(statuses.filter((status) => status === 401).length, 10)
    assert.equal(statuses.filter((status) => status === 429).length, 190)
    assert.equal(guesses(), 10)
  })

  it('lets everybody in who is right when they all come at once', async () => {
    const { guess } = open(10)
    const statuses = await Promise.all(
      Array.from({ length: 500 }, (_, index) => guess(true, 'address 1', `e-mail ${index}`)),
    )
    assert.deepEqual(new Set(statuses), new Set([200]))
  })

  it('refuses at once those of one address before whom as many wait as may, and no other address', async () => {
    const { attempt } = open(2)
    const order: string[] = []
    let finish = () => {}
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    const tell = (name: string, address: string) =>
      attempt([address], () => finished, { mostWaiting: 32 }).then(
        () => order.push(`${name} 200`),
        ({ status }: Fault) => order.push(`${name} ${status}`),
      )
    const many = Array.from({ length: 2 + 32 + 3 }, (_, n) => tell(`a${n + 1}`, 'a'))
    const other = tell('b', 'b')
    while (order.length < 3) await nextTurn()
    assert.ok(order.every((one) => one.startsWith('a') && one.endsWith(' 503')))
    finish()
    await Promise.all([...many, other])
    assert.equal(order.filter((one) => one.endsWith(' 503')).length, order.length - 1 - 32)
    assert.ok(order.includes('b 200'))
  })

  it('looks up all who wait together, whether they are familiar', async () => {
    let lookUps = 0
    const counts = openCounts()
    const read: Counts['read'] = (buckets, nowMs) => {
      if (buckets[0]!.startsWith('familiar')) lookUps += 1
      return counts.read(buckets, nowMs)
    }
    const { attempt } = open(10, { ...counts, read })
    const statuses = await Promise.all(
      Array.from({ length: 2000 }, (_, n) =>
        attempt(['address 1', `e-mail ${n}`], () => Promise.reject(unauthorized('wrong')), {
          familiar: `familiar ${n}`,
          mostWaiting: 32,
        }).catch((error: Fault) => error.status),
      ),
    )
    assert.equal(statuses.filter((status) => status === 401).length, 10)
    assert.ok(lookUps <= 5, String(lookUps))
  })

  it('tells all who wait when the look-up fails, and goes on', async () => {
    const counts = openCounts()
    let isAway = true
    const { attempt } = open(10, {
      ...counts,
      read: async (...given) => (isAway ? Promise.reject(new Error('away')) : counts.read(...given)),
    })
    const ask = (name: string) => attempt(['address 1', name], async () => 200, { familiar: `familiar ${name}` })
    const found = await Promise.allSettled(['a', 'b', 'c'].map(ask))
    assert.deepEqual(new Set(found.map(({ status }) => status)), new Set(['rejected']))
    isAway = false
    assert.equal(await ask('d'), 200)
  })

  it('has so many wait for the look-up, half of them of one address, and refuses more at once', async () => {
    let answer = () => {}
    const answered = new Promise<void>((resolve) => (answer = resolve))
    const { read, add, keep } = openCounts()
    const slow: Counts = {
      read: async (buckets, nowMs) => {
        await answered
        return read(buckets, nowMs)
      },
      add,
      keep,
    }
    const { attempt } = open(10, slow)
    let refused = 0
    const attempts = Array.from({ length: mostStrangers }, (_, n) =>
      attempt(['address a', `e-mail ${n}`], async () => 200, {
        familiar: `familiar ${n}`,
        holders: ['address a'],
      }).catch(({ status }: Fault) => void (refused += Number(status === 503))),
    )
    await nextTurn()
    assert.equal(refused, mostStrangers / 2)
    answer()
    await Promise.all(attempts)
  })

  it('has so many wait of all addresses that are not familiar, and those that are beside them', async () => {
    const { attempt, know } = open(10)
    await know('familiar known')
    const finishes: (() => void)[] = []
    const attempts = Array.from({ length: mostStrangers + 5 }, (_, n) =>
      attempt([`address ${n}`, `e-mail ${n}`], () => new Promise<void>((resolve) => finishes.push(resolve)), {
        familiar: `familiar ${n}`,
        holders: [`address ${n}`],
      }).then(
        () => 200,
        ({ status }: Fault) => status,
      ),
    )
    while (finishes.length < mostStrangers) await nextTurn()
    const known = { familiar: 'familiar known', holders: ['address k'] } as const
    assert.equal(await attempt(['address k', 'e-mail k'], async () => 200, known), 200)
    for (const finish of finishes) finish()
    const statuses = await Promise.all(attempts)
    assert.equal(statuses.filter((status) => status === 503).length, 5)
    assert.equal(await attempt(['address n', 'e-mail n'], async () => 200, { holders: ['address n'] }), 200)
  })

  it('is one for all servers on one database', async () => {
    const counts = openCounts()
    const clock = handClock()
    const [one, other] = [open(4, counts, clock), open(4, counts, clock)]
    for (const { guess } of [one, other, one, other]) assert.equal(await guess(false, 'a'), 401)
    assert.deepEqual([await one.guess(true, 'a'), await other.guess(true, 'a')], [429, 429])
  })

  it('asks for counts no more once a bucket is known to be used up', async () => {
    let asked = 0
    const counts = openCounts()
    const counting: Counts = { ...counts, read: (...given) => ((asked += 1), counts.read(...given)) }
    const { guess } = open(2, counting)
    await guess(false, 'a')
    await guess(false, 'a')
    await guess(false, 'a')
    const before = asked
    for (let index = 0; index < 100; index += 1) assert.equal(await guess(false, 'a'), 429)
    assert.equal(asked, before)
  })

  it('takes a /64 of IPv6 for one address when signing in, and an e-mail in any case', async () => {
    const limit = { count: 1, seconds: 60 }
    const limits = { feed: limit, property: limit, file: limit, login: limit }
    const open64 = () => {
      const limiter = openLimiter(limits, handClock())
      return (address: string, email: string) =>
        limiter
          .signIn(address, email, async () => {
            throw unauthorized('wrong')
          })
          .catch((error: Fault) => error.status)
    }
    const wrong = open64()
    assert.equal(await wrong('2001:db8:0:1::1', 'a@example.org'), 401)
    assert.equal(await wrong('2001:0DB8:0000:0001:2:3:4:5', 'b@example.org'), 429)
    assert.equal(await wrong('2001:db8:0:2::1', 'c@example.org'), 401)
    const again = open64()
    assert.equal(await again('10.0.0.1', 'a@example.org'), 401)
    assert.equal(await again('10.0.0.2', ' A@EXAMPLE.org'), 429)
  })

  it('leaves an e-mail to the address that signed it in, however strangers guess at it', async () => {
    const limit = { count: 2, seconds: 60 }
    const limiter = openLimiter({ feed: limit, property: limit, file: limit, login: limit }, handClock())
    const signIn = (address: string, email: string, isRight: boolean) =>
      limiter
        .signIn(address, email, async () => {
          if (!isRight) throw unauthorized('wrong')
          return 200
        })
        .catch((error: Fault) => error.status)
    assert.equal(await signIn('2001:db8:0:1::1', 'a@example.org', true), 200)
    assert.equal(await signIn('10.0.0.2', 'a@example.org', false), 401)
    assert.equal(await signIn('10.0.0.3', 'a@example.org', false), 401)
    assert.equal(await signIn('10.0.0.4', 'a@example.org', true), 429)
    assert.equal(await signIn('2001:db8:0:1::2', 'A@example.org', true), 200)
    // At home with one e-mail, an address is a stranger to all others.
    assert.equal(await signIn('10.0.0.2', 'b@example.org', false), 401)
    assert.equal(await signIn('10.0.0.3', 'b@example.org', false), 401)
    assert.equal(await signIn('2001:db8:0:1::2', 'b@example.org', true), 429)
  })

  it('counts clients by address and client, so that strangers keep no client from its tokens', async () => {
    const limit = { count: 1, seconds: 60 }
    const limiter = openLimiter({ feed: limit, property: limit, file: limit, login: limit }, handClock())
    const wrong = (address: string, clientId: string) =>
      limiter
        .clientRequest(
          address,
          clientId,
          async () => {
            throw unauthorized('wrong')
          },
          () => true,
        )
        .catch((error: Fault) => error.status)
    assert.equal(await wrong('10.0.0.1', 'watch'), 401)
    assert.equal(await wrong('10.0.0.1', 'watch'), 429)
    assert.equal(await wrong('10.0.0.1', 'other'), 401)
    assert.equal(await wrong('10.0.0.2', 'watch'), 401)
  })
})
