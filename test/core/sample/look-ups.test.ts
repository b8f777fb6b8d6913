import assert from 'node:assert/strict'
import { LookUps } from '../../../src/core/sample/look-ups.ts'

describe('core/sample/look-ups', () => {
  let asked: string[]
  /** Reads answer when they are told to. */
  let answers: (() => void)[]
  let lookUps: LookUps
  beforeEach(() => {
    asked = []
    answers = []
    const read = async (organizationKey: number, ids: readonly string[]) => {
      asked.push(`${organizationKey}: ${ids.join(' ')}`)
      await new Promise<void>((resolve) => answers.push(resolve))
      if (ids.includes('bad')) throw new Error('bad')
    }
    lookUps = new LookUps(3, read, async (organizationKey) => {
      asked.push(`${organizationKey}: others`)
      throw new Error('no connection')
    })
  })

  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const answerAll = async () => {
    for (; answers.length > 0; await turn()) for (const answer of answers.splice(0)) answer()
  }

  it('asks for components together that calls name while others are under way, for some at a time', async () => {
    const first = lookUps.ask(1, 'a')
    await turn()
    const others = ['b', 'c', 'd', 'e', 'f', 'g'].map((id) => lookUps.ask(1, id))
    await turn()
    assert.deepEqual(asked, ['1: a', '1: b c d'])
    await answerAll()
    await Promise.all([first, ...others])
    assert.deepEqual(asked, ['1: a', '1: b c d', '1: e f g'])
  })

  it('asks for a component once that several calls name', async () => {
    const calls = ['a', 'a', 'b'].map((id) => lookUps.ask(1, id))
    await turn()
    await answerAll()
    await Promise.all(calls)
    assert.deepEqual(asked, ['1: a b'])
  })

  it('asks for those of each organization by themselves, and lets none wait for another', async () => {
    const calls = [1, 1, 2].map((organizationKey, at) => lookUps.ask(organizationKey, `c${at}`))
    await turn()
    assert.deepEqual(asked, ['1: c0 c1', '2: c2'])
    await answerAll()
    await Promise.all(calls)
  })

  it('has others read ahead while more wait than it asks for at once, and goes on when that fails', async () => {
    const calls = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].map((id) => lookUps.ask(1, id))
    await turn()
    await answerAll()
    await Promise.all(calls)
    assert.deepEqual(asked, ['1: a b c', '1: d e f', '1: others', '1: others', '1: g h i', '1: j'])
  })

  it('fails a call by its own component only, and goes on', async () => {
    const calls = Promise.allSettled(['a', 'bad', 'b'].map((id) => lookUps.ask(1, id)))
    await turn()
    await answerAll()
    assert.deepEqual(
      (await calls).map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    const next = lookUps.ask(1, 'c')
    await turn()
    await answerAll()
    await next
  })
})
