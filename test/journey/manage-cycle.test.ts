// Cycles in the management API (docs/statistics.md#cycles), rule by rule.
import assert from 'node:assert/strict'
import type { Manager } from '../support/manage.ts'
import { done, openManager, refusal } from '../support/manage.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

describe('managing cycles', () => {
  let service: TestService
  let manage: Manager
  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
  })
  after(() => service.close())

  const put = (uid: string, input: unknown) => manage.ask('PUT', `/api/cycle/${uid}`, input)

  describe('with a wrong request', () => {
    const table: readonly [input: unknown, message: string][] = [
      [{ size: 1, unit: 'hour' }, 'a cycle must have a name or an id'],
      [{ id: 'c', unit: 'hour' }, 'a cycle needs size, unit: size is missing'],
      [{ id: 'c', size: 1 }, 'a cycle needs size, unit: unit is missing'],
      [{}, 'a cycle needs size, unit: size, unit are missing'],
      [{ id: 'c', size: 10_001, unit: 'year' }, 'a cycle may have 10,000 years at most'],
      [{ id: 'c', size: 1_000_000, unit: 'month' }, 'a cycle may have 10,000 years at most'],
      [{ id: 'c', size: 0, unit: 'hour' }, 'size must be a whole number from 1 to 1000000'],
      [{ id: 'c', size: 1.5, unit: 'hour' }, 'size must be a whole number from 1 to 1000000'],
      [{ id: 'c', size: 1, unit: 'hours' }, 'unit must be one of second, minute, hour, day, week, month, year'],
      [
        { id: 'c', size: 1, unit: 'day', reference: '2026-02-30T00:00:00' },
        'reference must be a local time such as 2001-01-01T00:00:00',
      ],
      [
        { id: 'c', size: 1, unit: 'day', reference: '2026-01-01T00:00:00Z' },
        'reference must be a local time such as 2001-01-01T00:00:00',
      ],
      [
        { id: 'c', size: 1, unit: 'day', reference: '0000-01-01T00:00:00' },
        'reference must be a local time such as 2001-01-01T00:00:00',
      ],
      [
        { id: 'c', size: 1, unit: 'day', reference: '2026-01-01T00:00:00.5' },
        'reference must be a local time such as 2001-01-01T00:00:00',
      ],
      [{ id: 'c', size: 1, unit: 'day', reference: 1_700_000_000_000 }, 'reference must be a string'],
      [{ id: 'c', size: 1, unit: 'day', timeZone: 'Mars' }, "timeZone 'Mars' is not a time zone"],
    ]
    for (const [input, message] of table)
      it(`refuses ${JSON.stringify(input)}: ${message}`, async () => {
        assert.deepEqual(await manage.ask('POST', '/api/cycle', input), refusal(400, 'bad_request', message))
      })

    it('refuses an ID that is taken, that of a stock cycle too', async () => {
      assert.deepEqual(
        await manage.ask('POST', '/api/cycle', { id: 'day', size: 2, unit: 'day' }),
        refusal(409, 'conflict', "there is a cycle with the id 'day'"),
      )
      const { uid } = await manage.make('cycle', { id: 'mine', size: 2, unit: 'day' })
      assert.deepEqual(await put(uid, { id: 'hour' }), refusal(409, 'conflict', "there is a cycle with the id 'hour'"))
    })

    it('refuses to change or delete a stock cycle', async () => {
      const [day] = await manage.list('cycle', 'text=day')
      const stays = refusal(409, 'conflict', "cycle 'day' belongs to every organization and stays as it is")
      assert.deepEqual(await put(day!.uid, { name: 'Tag' }), stays)
      assert.deepEqual(await manage.ask('DELETE', `/api/cycle/${day!.uid}`), stays)
    })

    it('refuses a stale version', async () => {
      const { uid } = await manage.make('cycle', { id: 'aging', size: 1, unit: 'day' })
      assert.equal((await put(uid, { name: 'x', version: 1 })).status, 200)
      assert.deepEqual(
        await put(uid, { name: 'y', version: 1 }),
        refusal(409, 'stale_version', 'this cycle was changed by somebody else since you read it'),
      )
    })
  })

  it('makes a cycle, referenced to 2001 and in no zone unless one is given', async () => {
    const { uid } = await manage.make('cycle', { id: 'shift', size: 8, unit: 'hour' })
    const shift = {
      uid,
      id: 'shift',
      name: 'shift',
      size: 8,
      unit: 'hour',
      reference: '2001-01-01T00:00:00',
      timeZone: null,
      isStock: false,
      version: 1,
    }
    assert.deepEqual(await manage.ask('GET', `/api/cycle/${uid}`), { status: 200, body: { ...done, cycle: shift } })
    assert.deepEqual(
      await put(uid, { name: 'Shift', reference: '2026-01-01T06:00', timeZone: 'europe/berlin', unit: 'day', size: 1 }),
      {
        status: 200,
        body: {
          ...done,
          cycle: {
            ...shift,
            name: 'Shift',
            size: 1,
            unit: 'day',
            reference: '2026-01-01T06:00:00',
            timeZone: 'Europe/Berlin',
            version: 2,
          },
        },
      },
    )
    assert.deepEqual(await put(uid, { ...shift, version: 2 }), {
      status: 200,
      body: { ...done, cycle: { ...shift, version: 3 } },
    })
    assert.deepEqual(await manage.ask('DELETE', `/api/cycle/${uid}`), { status: 200, body: done })
  })

  it('takes no cycle of more than 68 years as the base of a stream', async () => {
    const { uid } = await manage.make('cycle', { id: 'century', size: 68, unit: 'year' })
    const tooLong = refusal(400, 'bad_request', 'a base cycle may have 68 years at most')
    const stream = { id: 's', name: 's', kind: 'interval', valueType: 'DOUBLE', baseCycleId: 'century' }
    const component = await manage.make('component', { id: 'long', name: 'long', stream: [stream] })
    assert.equal((await put(uid, { size: 69 })).status, 409)
    assert.equal((await manage.ask('DELETE', `/api/component/${component.uid}`)).status, 200)
    assert.equal((await put(uid, { size: 69 })).status, 200)
    assert.deepEqual(
      await manage.ask('POST', '/api/component', { id: 'long', name: 'long', stream: [stream] }),
      tooLong,
    )
    assert.deepEqual(
      await put(uid, { size: 10_001 }),
      refusal(400, 'bad_request', 'a cycle may have 10,000 years at most'),
    )
  })

  it('keeps a cycle as it is while interval streams are cut by it', async () => {
    const cycle = await manage.make('cycle', { id: 'base', size: 10, unit: 'minute' })
    const { uid } = await manage.make('component', {
      id: 'cut',
      stream: [{ id: 's', kind: 'interval', baseCycleId: 'base' }],
    })
    const renameOnly = refusal(409, 'conflict', "cycle 'base' is the base of interval streams: it can only be renamed")
    for (const change of [
      { size: 5 },
      { unit: 'hour' },
      { reference: '2001-01-01T00:05:00' },
      { timeZone: 'UTC' },
      { id: null },
    ])
      assert.deepEqual(await put(cycle.uid, change), renameOnly)
    assert.deepEqual(
      await manage.ask('DELETE', `/api/cycle/${cycle.uid}`),
      refusal(409, 'conflict', "cycle 'base' is the base of interval streams"),
    )
    assert.equal((await put(cycle.uid, { id: 'renamed', name: 'Renamed', size: 10 })).status, 200)
    assert.equal((await manage.one('component', uid)).stream[0]!.baseCycleId, 'renamed')
    assert.equal((await manage.ask('DELETE', `/api/component/${uid}`)).status, 200)
    assert.equal((await manage.ask('DELETE', `/api/cycle/${cycle.uid}`)).status, 200)
  })

  it('keeps a cycle that variables name', async () => {
    const { uid } = await manage.make('cycle', { id: 'named', size: 2, unit: 'hour' })
    await manage.make('component', {
      id: 'namer',
      stream: [
        { id: 'a' },
        { id: 's', expression: 'x', variables: [{ name: 'x', streamId: 'a', cycleId: 'named', statistic: 'sum' }] },
      ],
    })
    const used = refusal(409, 'conflict', "cycle 'named' is a variable of stream 's' of 'namer'")
    assert.deepEqual(await manage.ask('DELETE', `/api/cycle/${uid}`), used)
    assert.deepEqual(await put(uid, { id: 'other' }), used)
  })

  it('lists the stock cycles from the shortest, then its own by name', async () => {
    await manage.make('cycle', { id: 'zz', name: 'A late one', size: 2, unit: 'year' })
    const ids = (await manage.list('cycle', 'text=h')).map(({ id }) => id)
    assert.deepEqual(ids.slice(0, 2), ['hour', 'month'])
    assert.deepEqual(
      (await manage.list('cycle', 'text=LATE')).map(({ id }) => id),
      ['zz'],
    )
  })
})
