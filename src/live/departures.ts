// Connections of a crowd, closed some at a time: ten thousand that leave in one moment, such as those of a proxy that ends,
// or that hear something which is deleted, would keep everybody else waiting until the last of them is closed.
import { setImmediate } from 'node:timers/promises'

type Closing = { readonly destroy: () => unknown }

/** Closing one takes some 0.1 ms. */
const mostAtOnce = 50

export type Departures = { readonly add: (connection: Closing) => void }

export const openDepartures = (): Departures => {
  const waiting = new Set<Closing>()
  let isRunning = false
  const run = async (): Promise<void> => {
    isRunning = true
    while (waiting.size > 0) {
      let left = mostAtOnce
      for (const connection of waiting) {
        waiting.delete(connection)
        connection.destroy()
        left -= 1
        if (left === 0) break
      }
      await setImmediate()
    }
    isRunning = false
  }
  return {
    add: (connection) => {
      waiting.add(connection)
      if (!isRunning) void run()
    },
  }
}
