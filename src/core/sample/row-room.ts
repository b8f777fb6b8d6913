// Room for the rows of uploads that have many: callers share it (docs/access.md#shares), from before the rows are made until they
// are stored, whichever way they go. A short upload can have many, too: it fills the intervals between two times with nulls.
import { busy } from '../../base/errors.ts'
import type { Holders, Holding } from '../../base/shares.ts'
import { openShares } from '../../base/shares.ts'

/** Of which a caller alone has half, as four of the largest uploads have. */
const mostRows = 800_000
/** Of a call that needs no room here: callers share that of the writer for all such calls. */
const mostFree = 1000

export const openRowShares = () => openShares(mostRows)

/** The room of one call. */
export class RowRoom {
  readonly #shares: ReturnType<typeof openRowShares>
  readonly #holders: () => Holders
  #holding: Holding | undefined
  /** Of all that it was asked for: of many streams, each may fill little. */
  #wanted = 0

  constructor(shares: ReturnType<typeof openRowShares>, holders: () => Holders) {
    this.#shares = shares
    this.#holders = holders
  }

  get isTaken(): boolean {
    return this.#holding !== undefined && this.#holding.amount > 0
  }

  take(rows: number): void {
    this.#wanted += rows
    if (this.#wanted <= mostFree) return
    this.#holding ??= this.#shares.open(this.#holders())
    if (!this.#holding.take(this.#wanted - this.#holding.amount)) throw busy('too many samples are waiting')
  }

  give(): void {
    this.#wanted = 0
    this.#holding?.give()
  }
}
