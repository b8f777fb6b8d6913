import assert from 'node:assert/strict'
import { openBudget } from '../../src/base/budget.ts'

const patienceMs = 5000

describe('base/budget', () => {
  it('does not let more in than fits, and those who wait in their order', async () => {
    const budget = openBudget(10)
    const entered: string[] = []
    const enter = async (name: string, amount: number) => {
      assert.equal(await budget.wait(amount, patienceMs), true)
      entered.push(name)
    }
    await enter('a', 6)
    const others = [enter('b', 5), enter('c', 1), enter('d', 4)]
    await new Promise(setImmediate)
    assert.deepEqual(entered, ['a'])
    budget.give(6)
    await Promise.all(others)
    assert.deepEqual(entered, ['a', 'b', 'c', 'd'])
  })

  it('lets in alone what is more than all of it', async () => {
    const budget = openBudget(10)
    assert.equal(await budget.wait(1, patienceMs), true)
    const large = budget.wait(25, patienceMs)
    const small = budget.wait(1, patienceMs)
    budget.give(1)
    assert.equal(await large, true)
    assert.equal(await Promise.race([small, new Promise((done) => setTimeout(done, 20, 'waits'))]), 'waits')
    budget.give(25)
    assert.equal(await small, true)
  })

  it('sends away who has waited too long, and lets in those behind', async () => {
    const budget = openBudget(10)
    await budget.wait(8, patienceMs)
    const large = budget.wait(5, 20)
    const small = budget.wait(2, patienceMs)
    assert.equal(await large, false)
    assert.equal(await small, true)
  })

  it('gives at once up to four times as much', () => {
    const budget = openBudget(10)
    assert.equal(budget.take(40), true)
    assert.equal(budget.take(1), false)
    budget.give(40)
    assert.equal(budget.take(40), true)
  })
})
