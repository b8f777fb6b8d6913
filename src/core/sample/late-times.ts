// The late samples that this process has written, by which it guesses which others are new: history comes in order,
// forwards or backwards. Where nothing is stored around those of a stream (late-look.ts), the next one is copied like an
// append. It is a guess, like that of written-times.ts: Postgres refuses a COPY over stored samples (writer.ts).

/** The late samples of a stream, and the times around them between which nothing else was stored when it was looked. */
type Late = {
  firstMs: number
  lastMs: number
  fromMs: number
  untilMs: number
  /** Between these, which are among them, nothing is stored either: a part of history may come in order, and before the last. */
  gapFromMs: number
  gapUntilMs: number
  /** From there on samples are appended (written-times.ts), of which nothing is known here. */
  appendedMs: number
  /** Samples beyond the known surroundings: at so many it is looked again. */
  strayed: number
  lookAt: number
  /** How many more it takes until the next time. */
  step: number
  guessed: number
}

/** A stream whose surroundings are to be looked at: between which of its stored times it was late. */
export type LateSpan = { readonly streamKey: number; readonly firstMs: number; readonly lastMs: number }

/** Times between which a stream has no other samples than those of its span. */
export type Surroundings = { readonly streamKey: number; readonly fromMs: number; readonly untilMs: number }

/** Some 150 bytes each. */
const mostStreams = 50_000
const firstStep = 2
const longestStep = 4096
/** So many good guesses are worth another look. */
const worthGuesses = 16
const mostSeen = 5000

export class LateTimes {
  readonly #streams = new Map<number, Late>()
  readonly #wanted = new Set<number>()
  readonly #most: number

  constructor(most = mostStreams) {
    this.#most = most
  }

  /**
   * Whether a late sample can only be new, as far as it is known. It is noted in any case. From `appendedMs` on come the
   * appends of its stream.
   */
  append(streamKey: number, timeMs: number, appendedMs: number): boolean {
    const late = this.#streams.get(streamKey)
    if (late === undefined) {
      this.#note(streamKey, timeMs)
      return false
    }
    let isGuessed: boolean
    if (timeMs > late.lastMs) {
      isGuessed = timeMs < late.untilMs
      late.lastMs = timeMs
    } else if (timeMs < late.firstMs) {
      isGuessed = timeMs > late.fromMs
      late.gapUntilMs = isGuessed ? late.firstMs : timeMs
      late.gapFromMs = timeMs
      late.firstMs = timeMs
    } else if (timeMs > late.gapFromMs && timeMs < late.gapUntilMs) {
      isGuessed = true
      late.gapFromMs = timeMs
    } else return false
    if (isGuessed) late.guessed += 1
    else this.#stray(streamKey, late, appendedMs)
    return isGuessed
  }

  #stray(streamKey: number, late: Late, appendedMs: number): void {
    late.strayed += 1
    if (late.strayed < late.lookAt) return
    late.appendedMs = appendedMs
    this.#wanted.add(streamKey)
  }

  get isWanted(): boolean {
    return this.#wanted.size > 0
  }

  /** Some of the spans to look around, which lie within so many milliseconds of each other. */
  takeWanted(most: number, withinMs: number): readonly LateSpan[] {
    const taken: LateSpan[] = []
    let seen = 0
    for (const streamKey of this.#wanted) {
      const late = this.#streams.get(streamKey)
      const first = taken[0] ?? late
      seen += 1
      if (taken.length === most || seen > mostSeen) break
      const isNear = (one: LateSpan | Late, other: LateSpan | Late) =>
        Math.abs(one.firstMs - other.firstMs) <= withinMs && Math.abs(one.lastMs - other.lastMs) <= withinMs
      if (late && first && !isNear(late, first)) continue
      this.#wanted.delete(streamKey)
      if (late === undefined) continue
      // Until it is answered.
      late.lookAt = Number.POSITIVE_INFINITY
      taken.push({ streamKey, firstMs: late.firstMs, lastMs: late.lastMs })
    }
    return taken
  }

  answer({ streamKey, fromMs, untilMs }: Surroundings): void {
    const late = this.#streams.get(streamKey)
    if (late === undefined) return
    late.fromMs = fromMs
    late.untilMs = Math.min(untilMs, late.appendedMs)
    this.#settle(late)
  }

  /** They are not known any more: something was stored there, or it could not be looked. */
  forget(streamKeys: Iterable<number>): void {
    for (const streamKey of streamKeys) {
      const late = this.#streams.get(streamKey)
      if (late === undefined) continue
      late.fromMs = late.firstMs
      late.untilMs = late.lastMs
      late.gapUntilMs = late.gapFromMs
      late.guessed = 0
      this.#settle(late)
    }
  }

  #settle(late: Late): void {
    late.step = late.guessed >= worthGuesses ? firstStep : Math.min(2 * late.step, longestStep)
    late.guessed = 0
    late.lookAt = late.strayed + late.step
  }

  #note(streamKey: number, timeMs: number): void {
    this.#streams.set(streamKey, {
      firstMs: timeMs,
      lastMs: timeMs,
      fromMs: timeMs,
      untilMs: timeMs,
      gapFromMs: timeMs,
      gapUntilMs: timeMs,
      appendedMs: timeMs,
      strayed: 0,
      lookAt: 1,
      step: firstStep,
      guessed: 0,
    })
    if (this.#streams.size <= this.#most) return
    const [oldest] = this.#streams.keys()
    this.#streams.delete(oldest!)
    this.#wanted.delete(oldest!)
  }
}
