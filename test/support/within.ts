// Waiting for a condition: `within` for a condition that a rule wants to be true in a time, such as a change that one
// process reports to another, and `eventually` for all that just has to come first. Only a check that was begun after
// that time fails, so a slow machine does not matter.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** Asked often at first, and then so that the asking itself takes little of what is waited for. */
const pausesMs = [5, 10, 20]
const longestPauseMs = 40

export const within = async (ms: number, check: () => Promise<boolean>): Promise<void> => {
  const endMs = Date.now() + ms
  for (let times = 0; ; times += 1) {
    const isLate = Date.now() > endMs
    if (await check()) return
    assert.ok(!isLate, `not within ${ms} ms`)
    await sleep(pausesMs[times] ?? longestPauseMs)
  }
}

export const eventually = (check: () => Promise<boolean>): Promise<void> => within(120_000, check)
