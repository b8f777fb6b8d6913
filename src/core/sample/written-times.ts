// The latest times that this process has written to a stream, by which it guesses the appends. It need not know the
// writes of other processes: Postgres refuses a COPY over stored samples (writer.ts).

/** A wrong guess makes all others of its group go twice; a sample that is merged costs the database two that append. */
const mergesAfterRefusal = 100

export class WrittenTimes {
  #latestMs = Number.NEGATIVE_INFINITY
  /** Between this and the latest, nothing was written. */
  #beforeMs = Number.NEGATIVE_INFINITY

  /** Of samples that are not taken for appends, whatever their times. */
  #mergesLeft = 0

  /** A guess was wrong, and the next ones likely are: somebody sends again what was stored before. */
  refuse(): void {
    this.#mergesLeft = mergesAfterRefusal
  }

  /** No append comes before this. */
  get beforeMs(): number {
    return this.#beforeMs
  }

  /**
   * Whether a sample of this time can only be new, which is noted then: it is later than everything, or falls between
   * the last two, as happens when the later of two uploads under way is read first.
   */
  append(timeMs: number): boolean {
    const latestMs = this.#latestMs
    if (timeMs > latestMs) {
      this.#latestMs = timeMs
      // Nothing is known of samples before the first one.
      this.#beforeMs = latestMs === Number.NEGATIVE_INFINITY ? timeMs : latestMs
    } else if (timeMs > this.#beforeMs && timeMs < latestMs) this.#beforeMs = timeMs
    else return false
    if (this.#mergesLeft === 0) return true
    this.#mergesLeft -= 1
    return false
  }
}
