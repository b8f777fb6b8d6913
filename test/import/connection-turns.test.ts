import assert from 'node:assert/strict'
import { openTurns } from '../../src/import/connection-turns.ts'
import { eventually } from '../support/within.ts'

describe('import/connection-turns', () => {
  it('runs one at a time of a key, in the order they came, and those of other keys beside it', async () => {
    const turns = openTurns()
    const events: string[] = []
    const ends = new Map<string, () => void>()
    const running = new Set<string>()
    const begin = (key: string, name: string) =>
      turns.schedule(key, async () => {
        events.push(name)
        assert.equal(running.has(key), false, `${name} has begun beside another of ${key}`)
        running.add(key)
        await new Promise<void>((end) => ends.set(name, end))
        running.delete(key)
        return name
      })
    const all = [begin('a', 'a1'), begin('a', 'a2'), begin('b', 'b1'), begin('a', 'a3')]
    const hasBegun = (name: string) => eventually(() => Promise.resolve(events.includes(name)))
    await hasBegun('b1')
    for (const name of ['a1', 'a2', 'a3']) {
      await hasBegun(name)
      ends.get(name)!()
    }
    ends.get('b1')!()
    assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'b1', 'a3'])
    assert.deepEqual(
      events.filter((name) => name !== 'b1'),
      ['a1', 'a2', 'a3'],
    )
  })

  it('goes on with the next when one fails', async () => {
    const turns = openTurns()
    const failing = turns.schedule('a', () => Promise.reject(new Error('no')))
    const next = turns.schedule('a', () => Promise.resolve('yes'))
    await assert.rejects(failing, /no/)
    assert.equal(await next, 'yes')
  })
})
