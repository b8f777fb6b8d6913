// Places of exports whose clients are slow (docs/transfer.md#export).
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { openShares } from '../../src/base/shares.ts'
import { enterExport, exportBytes } from '../../src/transfer/export-places.ts'

describe('transfer/export-places', () => {
  const times = { slowMs: 20, patienceMs: 60_000, lookEveryMs: 5 }
  const never = new AbortController().signal

  const openPlaces = (count = 2) => {
    const memory = openShares(count * exportBytes)
    const ended: string[] = []
    const enter = (tenant: string, own: Partial<typeof times> = {}) =>
      enterExport([`organization ${tenant}`, `api_key ${tenant}`], never, () => ended.push(tenant), {
        memory,
        times: { ...times, ...own },
      })
    return { memory, ended, enter }
  }
  async function* pieces(count: number) {
    for (let piece = 1; piece <= count; piece += 1) yield piece
  }

  it('gives the place of one whose client does not take the next piece to a newcomer, and ends it', async () => {
    const { memory, ended, enter } = openPlaces()
    const [one, two] = [await enter('one'), await enter('two')]
    await one.watch(pieces(3)).next()
    assert.deepEqual(ended, [])
    const three = await enter('three')
    assert.deepEqual([ended, memory.free()], [['one'], 0])
    one.leave()
    for (const place of [two, three]) place.leave()
    assert.equal(memory.free(), 2 * exportBytes)
  })

  it('takes one place, also where others are free that are beyond the share of its caller', async () => {
    const { memory, ended, enter } = openPlaces(16)
    const slow = await enter('one')
    const places = [slow]
    for (const tenant of [...Array(7).fill('one'), ...Array(4).fill('two')]) places.push(await enter(tenant))
    const waiting = enter('two')
    assert.deepEqual([memory.free(), memory.waiting()], [4 * exportBytes, 1])
    await slow.watch(pieces(3)).next()
    places.push(await waiting)
    assert.deepEqual([ended, memory.free()], [['one'], 4 * exportBytes])
    for (const place of places) place.leave()
    assert.equal(memory.free(), 16 * exportBytes)
  })

  it('gives it too where the last pieces are given, and the client has not read them', async () => {
    const { ended, enter } = openPlaces()
    const [one, two] = [await enter('one'), await enter('two')]
    for await (const _ of one.watch(pieces(3)));
    const three = await enter('three')
    assert.deepEqual(ended, ['one'])
    for (const place of [two, three]) place.leave()
  })

  it('ends nobody whose next piece is still to be made, however slow its client was before', async () => {
    const { memory, ended, enter } = openPlaces()
    const [one, two] = [await enter('one'), await enter('two')]
    let make = () => {}
    const made = new Promise<void>((resolve) => (make = resolve))
    const begun = one.watch(
      (async function* () {
        yield 1
        await made
        yield 2
      })(),
    )
    await begun.next()
    await pause(2 * times.slowMs)
    const next = begun.next()
    await two.watch(pieces(3)).next()
    const three = await enter('three')
    assert.deepEqual(ended, ['two'])
    make()
    assert.deepEqual(await next, { done: false, value: 2 })
    for (const place of [one, three]) place.leave()
    assert.equal(memory.free(), 2 * exportBytes)
  })

  it('refuses a newcomer in its time where nobody is slow', async () => {
    const { enter } = openPlaces()
    const places = [await enter('one'), await enter('two')]
    await assert.rejects(enter('three', { patienceMs: 20 }), /too many exports at once/)
    for (const place of places) place.leave()
    ;(await enter('three')).leave()
  })
})
