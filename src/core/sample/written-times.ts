// The latest times that this process has written to a stream, by which it guesses the appends. It need not know the
// writes of other processes: Postgres refuses a COPY over stored samples (writer.ts).

export class WrittenTimes {
  #latestMs = Number.NEGATIVE_INFINITY
  /** Between this and the latest, nothing was written. */
  #beforeMs = Number.NEGATIVE_INFINITY

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
    return true
  }
}
