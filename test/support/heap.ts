// The memory of this process after a collection: for tests of what is kept, never of time.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export const usedHeap = (): number => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed
}
