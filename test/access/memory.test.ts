import assert from 'node:assert/strict'
import { openMemory } from '../../src/access/memory.ts'
import type { AccessChanges } from '../../src/core/access-change.ts'

type Entry = {
  readonly tags: readonly string[]
  readonly text: string
  readonly bytes?: number
  readonly group?: string
  readonly rights?: string
}

const entry = (text: string, ...tags: string[]): Entry => ({ text, tags })

const changes = (horizon: string, tags: readonly string[], history = 'one'): AccessChanges => ({
  horizon,
  tags,
  areAll: true,
  history,
})

/** A reader of changes whose answers the test gives, one by one, when it likes. */
const openChanges = () => {
  const asked: {
    readonly since: string | undefined
    readonly answer: (changes: AccessChanges) => void
    readonly fail: (error: Error) => void
  }[] = []
  const read = (since: string | undefined) =>
    new Promise<AccessChanges>((answer, fail) => void asked.push({ since, answer, fail }))
  return { read, asked }
}

describe('the memory of credentials', () => {
  it('is not relied on before changes were read, and asks from there on', async () => {
    const { read, asked } = openChanges()
    const memory = openMemory<Entry>(read)
    const settling = memory.settle()
    assert.ok(settling)
    assert.equal(asked[0]!.since, undefined)
    asked[0]!.answer(changes('7', []))
    await settling
    assert.equal(memory.settle(), undefined)
    void memory.refresh()
    assert.equal(asked[1]!.since, '7')
  })

  it('forgets all of a kind, and no others', async () => {
    const { read, asked } = openChanges()
    const memory = openMemory<Entry>(read)
    const settling = memory.settle()
    asked[0]!.answer(changes('1', []))
    await settling
    for (const [name, ...tags] of [
      ['token', 'user 1', 'grant 1'],
      ['other token', 'user 2', 'grant 2'],
      ['session', 'user 1', 'session 1'],
    ] as const)
      await memory.find(name, async () => entry(name, ...tags))
    const refreshing = memory.refresh()
    asked[1]!.answer(changes('2', ['grant *']))
    await refreshing
    assert.deepEqual(
      ['token', 'other token', 'session'].map((name) => memory.get(name)?.text),
      [undefined, undefined, 'session'],
    )
  })

  it('keeps large entries up to a sum of bytes, and small ones beside them', async () => {
    const { read, asked } = openChanges()
    const memory = openMemory<Entry>(read)
    const settling = memory.settle()
    asked[0]!.answer(changes('1', []))
    await settling
    await memory.find('small', async () => entry('small'))
    const names = Array.from({ length: 200 }, (_, index) => `large ${index}`)
    for (const name of names)
      await memory.find(name, async () => ({ ...entry(name, `key ${name}`), bytes: 1024 * 1024 }))
    assert.deepEqual(
      names.filter((name) => memory.get(name) !== undefined),
      names.slice(-32),
    )
    const refreshing = memory.refresh()
    asked[1]!.answer(changes('2', ['key large 199']))
    await refreshing
    await memory.find('large 1', async () => ({ ...entry('again'), bytes: 1024 * 1024 }))
    assert.deepEqual(
      [memory.get('small')?.text, memory.get('large 168')?.text, memory.get('large 1')?.text],
      ['small', 'large 168', 'again'],
    )
  })

  it('has the large ones of a group that has most give way, and not those of others', async () => {
    const { read, asked } = openChanges()
    const memory = openMemory<Entry>(read)
    const settling = memory.settle()
    asked[0]!.answer(changes('1', []))
    await settling
    const find = (name: string, group: string, bytes: number) =>
      memory.find(name, async () => ({ ...entry(name), bytes, group }))
    await find('of a few rows', 'somebody', 2000)
    for (let n = 0; n < 100; n += 1) await find(`large ${n}`, 'greedy', 1024 * 1024)
    assert.equal(memory.get('of a few rows')?.text, 'of a few rows')
    assert.deepEqual([memory.get('large 68'), memory.get('large 69')?.text], [undefined, 'large 69'])
    for (let n = 0; n < 20; n += 1) await find(`other ${n}`, 'another', 1024 * 1024)
    assert.deepEqual(
      ['large 84', 'large 85', 'other 3', 'other 4', 'of a few rows'].map((name) => memory.get(name) !== undefined),
      [false, true, false, true, true],
    )
  })

  describe('of large entries that are held', () => {
    const mebibyte = 1024 * 1024
    const openHeld = async () => {
      const { read, asked } = openChanges()
      const memory = openMemory<Entry>(read)
      const settling = memory.settle()
      asked[0]!.answer(changes('1', []))
      await settling
      const find = async (name: string, rights = 'all') =>
        (await memory.find(name, async () => ({ ...entry(name, `key ${name}`), bytes: mebibyte, rights })))!
      const findOthers = async () => {
        for (let n = 0; n < 40; n += 1) await find(`other ${n}`)
      }
      const change = async (tag: string) => {
        const refreshing = memory.refresh()
        asked.at(-1)!.answer(changes('2', [tag]))
        await refreshing
      }
      return { memory, find, findOthers, change }
    }

    it('finds the same again while somebody has it, though it gave way', async () => {
      const { memory, find, findOthers } = await openHeld()
      const found = await find('a')
      await findOthers()
      assert.equal(memory.get('a'), undefined)
      assert.equal(await find('a'), found)
      assert.notEqual(await find('a', 'less'), found)
    })

    it("finds another where the secret is another key's by now, though its rights are the same", async () => {
      const { memory, find } = await openHeld()
      const found = await find('a')
      const look = async () => ({ ...found, tags: ['key b'] })
      assert.deepEqual((await memory.find('a', look))!.tags, ['key b'])
    })

    it('has each once, though others would have it give way, or it is looked up anew', async () => {
      const { memory, find, findOthers, change } = await openHeld()
      const held = await find('a')
      const letGo = memory.hold('a', held, true)!
      await findOthers()
      assert.equal(memory.get('a'), held)
      await change('key a')
      assert.equal(memory.get('a'), undefined)
      assert.equal(await find('a'), held)
      await findOthers()
      assert.equal(memory.get('a'), held)
      assert.notEqual(await find('a', 'less'), held)
      letGo()
    })

    it('has it give way again when it is let go', async () => {
      const { memory, find, findOthers } = await openHeld()
      const held = await find('a')
      const letGo = [memory.hold('a', held, true)!, memory.hold('a', held, true)!]
      letGo[0]!()
      letGo[0]!()
      await findOthers()
      assert.equal(memory.get('a'), held)
      letGo[1]!()
      await findOthers()
      assert.equal(memory.get('a'), undefined)
    })

    it('charges each once to those who hold it, and refuses what is too much', async () => {
      const { memory, find } = await openHeld()
      const entries: Entry[] = []
      for (let n = 0; n < 40; n += 1) entries.push(await find(`key ${n}`))
      const hold = (n: number, isLasting = true) => memory.hold(entries[n]!.text, entries[n]!, isLasting)
      const first = entries.map((_, n) => hold(n))
      const count = first.filter((letGo) => letGo !== undefined).length
      assert.ok(count > 10 && count < 20, `${count} of 20`)
      for (let times = 0; times < 100; times += 1) assert.ok(hold(0))
      assert.ok(memory.hold('small', entry('small'), true))
      assert.equal(hold(39), undefined)
      first[1]!()
      assert.ok(hold(39))
    })

    it('has room for calls that are soon over beside those that last, and for entries of some rows beside those of many', async () => {
      const { memory, find } = await openHeld()
      const entries: Entry[] = []
      for (let n = 0; n < 40; n += 1) entries.push(await find(`key ${n}`))
      const hold = (n: number, isLasting: boolean) => memory.hold(entries[n]!.text, entries[n]!, isLasting)
      for (let n = 0; n < 40; n += 1) hold(n, true)
      const brief = entries.map((_, n) => hold(n, false))
      const count = brief.filter((letGo) => letGo !== undefined).length
      assert.ok(count > 10 && count < 20, `${count} of 20`)
      const some = { ...entry('some'), bytes: 2000 }
      for (const isLasting of [true, false]) assert.ok(memory.hold('some', some, isLasting))
    })

    it('has it give way only when calls of both kinds have let it go', async () => {
      const { memory, find, findOthers } = await openHeld()
      const held = await find('a')
      const [lasting, brief] = [memory.hold('a', held, true)!, memory.hold('a', held, false)!]
      lasting()
      await findOthers()
      assert.equal(memory.get('a'), held)
      brief()
      await findOthers()
      assert.equal(memory.get('a'), undefined)
    })
  })

  it('fails those who wait when changes cannot be read, and asks again', async () => {
    const { read, asked } = openChanges()
    const memory = openMemory<Entry>(read)
    const settling = memory.settle()
    asked[0]!.fail(new Error('away'))
    await assert.rejects(settling!, /away/)
    assert.ok(memory.settle())
    assert.equal(asked.length, 2)
  })

  it('forgets the entries that a change touches, and keeps the rest', async () => {
    const { read, asked } = openChanges()
    const memory = openMemory<Entry>(read)
    const settling = memory.settle()
    asked[0]!.answer(changes('1', []))
    await settling
    await memory.find('a', async () => entry('A', 'user 1', 'session x'))
    await memory.find('b', async () => entry('B', 'user 2'))
    const refreshing = memory.refresh()
    asked[1]!.answer(changes('2', ['user 1']))
    await refreshing
    assert.equal(memory.get('a'), undefined)
    assert.equal(memory.get('b')?.text, 'B')
  })

  it('does not keep an entry that was looked up while a change was read', async () => {
    const { read, asked } = openChanges()
    const memory = openMemory<Entry>(read)
    const settling = memory.settle()
    asked[0]!.answer(changes('1', []))
    await settling
    let found: ((entry: Entry) => void) | undefined
    const finding = memory.find('a', () => new Promise((resolve) => (found = resolve)))
    const refreshing = memory.refresh()
    // The look-up saw the state before the change, and comes back after it was reported.
    asked[1]!.answer(changes('2', ['user 1']))
    await refreshing
    found!(entry('old', 'user 1'))
    assert.equal((await finding)?.text, 'old')
    assert.equal(memory.get('a'), undefined)
  })

  it('looks the same up once for all who ask at the same time, and does not remember nothing', async () => {
    const { read } = openChanges()
    const memory = openMemory<Entry>(read)
    let lookUps = 0
    const look = async () => {
      lookUps += 1
      return undefined
    }
    await Promise.all([memory.find('a', look), memory.find('a', look), memory.find('a', look)])
    assert.equal(lookUps, 1)
    await memory.find('a', look)
    assert.equal(lookUps, 2)
  })

  it('forgets all where changes may lack', async () => {
    const { read, asked } = openChanges()
    const memory = openMemory<Entry>(read)
    const answer = async (areAll: boolean) => {
      const refreshing = memory.refresh()
      asked.at(-1)!.answer({ ...changes('1', []), areAll })
      await refreshing
    }
    await answer(false)
    await memory.find('a', async () => entry('A'))
    await answer(true)
    assert.ok(memory.get('a'))
    await answer(false)
    assert.equal(memory.get('a'), undefined)
  })

  it('shares no look-up of one place with those who ask in another', async () => {
    const { read } = openChanges()
    const memory = openMemory<Entry>(read)
    const nobody = memory.find('a', async () => undefined, 'token')
    const found = memory.find('a', async () => entry('A'), 'api_key')
    assert.deepEqual([await nobody, (await found)?.text], [undefined, 'A'])
  })

  it('reads again for a refresh that came while a reading was under way', async () => {
    const { read, asked } = openChanges()
    const memory = openMemory<Entry>(read)
    void memory.settle()
    const refreshing = memory.refresh()
    asked[0]!.answer(changes('1', []))
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(asked.length, 2)
    asked[1]!.answer(changes('2', []))
    await refreshing
  })
})
