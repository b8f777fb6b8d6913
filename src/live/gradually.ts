// Short work for each of a crowd, some at a time: ten thousand listeners that are ended in one moment, such as those of a proxy that
// ends, of a key that is revoked or of something that is deleted, would keep everybody else waiting until the last of them is done.
import { setImmediate } from 'node:timers/promises'

/** Ending one takes some 0.05 to 0.1 ms. */
const mostAtOnce = 50

/** Does the work for the first at once, and for those that come before the next turn of the loop in turns. It must not fail. */
export const gradually = <Item>(work: (item: Item) => void): ((item: Item) => void) => {
  const waiting = new Set<Item>()
  let isRunning = false
  const run = async (): Promise<void> => {
    isRunning = true
    while (waiting.size > 0) {
      let left = mostAtOnce
      for (const item of waiting) {
        waiting.delete(item)
        work(item)
        left -= 1
        if (left === 0) break
      }
      await setImmediate()
    }
    isRunning = false
  }
  return (item) => {
    waiting.add(item)
    if (!isRunning) void run()
  }
}
