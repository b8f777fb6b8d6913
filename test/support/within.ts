// Waiting for what must become true within a time: a change that one process tells another.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

export const within = async (ms: number, check: () => Promise<boolean>): Promise<void> => {
  const endMs = Date.now() + ms
  while (!(await check())) {
    assert.ok(Date.now() < endMs, `not within ${ms} ms`)
    await sleep(20)
  }
}
