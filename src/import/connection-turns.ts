// One run at a time of this process for each connection, and two for each tenant, in the order in which they came. Bottleneck's own
// Group forgets a limiter that began nothing for a while, even while a long run is at it, and lets the next begin beside it; here
// one is forgotten when nobody needs it.
import Bottleneck from 'bottleneck'

export type Turns = {
  readonly schedule: <T>(key: string, work: () => Promise<T>) => Promise<T>
}

type Limited = { readonly limiter: Bottleneck; users: number }

export const openTurns = (atOnce = 1): Turns => {
  const byKey = new Map<string, Limited>()
  return {
    schedule: async (key, work) => {
      const one = byKey.get(key) ?? { limiter: new Bottleneck({ maxConcurrent: atOnce }), users: 0 }
      byKey.set(key, one)
      one.users += 1
      try {
        return await one.limiter.schedule(work)
      } finally {
        one.users -= 1
        if (one.users === 0) byKey.delete(key)
      }
    },
  }
}
