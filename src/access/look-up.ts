// Look-ups of credentials that are not in memory: some at once, and each address in its turn, all of a /48 of IPv6 as one (shares.ts). Anybody can send
// keys that nobody has, from thousands of connections; in the database's queue, the look-ups of others waited behind
// them, and so did the changes that memory asks for before it serves the callers it knows. Guesses at the token endpoints
// take turns in the same way (oauth/guess.ts).
import { holdersOfAddress } from '../base/http/address.ts'
import { busy } from '../base/errors.ts'
import { openShares } from '../base/shares.ts'

export type LookUps = {
  /** Looks when it is the address's turn. */
  readonly inTurn: <T>(address: string, look: () => Promise<T>) => Promise<T>
  /** Look-ups that wait, for tests. */
  readonly waiting: () => number
}

/** Few: the changes that memory asks for are behind no more than these, and the database answers thousands a second so. */
const mostAtOnce = 16
/** Of one address or site: a gateway whose devices all come back at once has fewer. */
const mostWaiting = 5000
const patienceMs = 10_000

export const openLookUps = (refusal = 'too many unknown credentials at once'): LookUps => {
  const shares = openShares(mostAtOnce)
  return {
    waiting: () => shares.waiting(),
    inTurn: async (address, look) => {
      const holders = holdersOfAddress(address)
      const place = shares.open(holders)
      if (shares.waiting(holders[0]) >= mostWaiting || !(await place.wait(1, patienceMs))) throw busy(refusal)
      try {
        return await look()
      } finally {
        place.give()
      }
    },
  }
}
