// Room for sessions whose server sends long rows: of a row of 4 MB a driver holds six copies, in pieces, whole and as a text, and
// the one before it, so that such a session takes some 30 MB beside the 17 of any other, until its thread has ended. A few of them
// have room at once, and not all of one organization (base/shares.ts); others wait. Four runs and four previews of rows of 4 MB have
// a peak of 335 and 343 MB in all, and of 243 by rows of 100 bytes; of 478 to 552 where the C library keeps what is given back
// (docs/operations.md#memory-of-a-server).
import { openShares } from '../base/shares.ts'
import type { Holders } from '../base/shares.ts'

/** In this process. */
const mostAtOnce = 2

const places = openShares(mostAtOnce)

export type Room = {
  /** False: it was left before there was any. */
  readonly enter: () => Promise<boolean>
  readonly leave: () => void
}

export const openRoom = (holders: Holders, patienceMs: number): Room => {
  const place = places.open(holders)
  const leaving = new AbortController()
  return {
    enter: () => place.wait(1, patienceMs, leaving.signal),
    leave: () => {
      leaving.abort()
      place.give()
    },
  }
}
