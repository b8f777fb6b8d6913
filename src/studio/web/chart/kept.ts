// The parts of a chart that were loaded lately, of which the best is drawn in a new window at once. More than the window
// is loaded, so that a move finds its data there.
import type { Drawn, Window } from './window.ts'

export type Kept = {
  /** The part that was loaded, and the length of the window that it was loaded for. */
  readonly loaded: Window
  readonly length: number
  readonly drawn: readonly Drawn[]
}

export const marginOf = ({ from, to }: Window): Window => ({ from: from - (to - from) / 2, to: to + (to - from) / 2 })

/** The finest that has all of the window; else the latest. */
export const bestOf = (kept: readonly Kept[], { from, to }: Window): Kept | undefined => {
  const whole = kept.filter(({ loaded }) => loaded.from <= from && loaded.to >= to)
  return whole.toSorted((a, b) => a.length - b.length)[0] ?? kept.at(-1)
}

/** Whether nothing finer can be had, or it would hardly be finer. */
export const isEnough = (one: Kept, { from, to }: Window): boolean => {
  if (one.loaded.from > from || one.loaded.to < to) return false
  const isExact = one.drawn.every(({ series, isOverlay }) => !series.isCut && (isOverlay || series.cycle === undefined))
  return isExact || to - from > one.length * 0.75
}
