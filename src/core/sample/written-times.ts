// The latest times that this process has written to a stream, by which it guesses what appends. Of another process's
// writes it knows nothing, and need not: Postgres refuses a COPY over what is there (writer.ts).

export class WrittenTimes {
  #latestMs = Number.NEGATIVE_INFINITY
  /** Between this and the latest, nothing was written. */
  #beforeMs = Number.NEGATIVE_INFINITY

  /**
   * Whether a sample of this time can only be new, which is noted then: because it is later than everything, or because
   * it falls between the last two, as happens when of several uploads that are under way at once the later is read first.
   */
  append(timeMs: number): boolean {
    const latestMs = this.#latestMs
    if (timeMs > latestMs) {
      this.#latestMs = timeMs
      // Of what was there before the first sample, nothing is known.
      this.#beforeMs = latestMs === Number.NEGATIVE_INFINITY ? timeMs : latestMs
    } else if (timeMs > this.#beforeMs && timeMs < latestMs) this.#beforeMs = timeMs
    else return false
    return true
  }
}
