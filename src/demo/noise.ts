// Chance that is the same in every run: a value depends on the seed and the moment alone, so that any part of a year can be
// made by itself, and again.

/** From 0 to 1, evenly, for each whole number. */
export const chance = (seed: number, n: number): number => {
  let hash =
    Math.imul(seed | 0, 0x9e3779b1) ^ Math.imul(n | 0, 0x85ebca6b) ^ Math.imul(Math.floor(n / 2 ** 31), 0xc2b2ae35)
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/** From -1 to 1, smooth: it wanders from one whole number to the next. */
export const wander = (seed: number, x: number): number => {
  const n = Math.floor(x)
  const part = x - n
  const ease = part * part * (3 - 2 * part)
  return 2 * (chance(seed, n) * (1 - ease) + chance(seed, n + 1) * ease) - 1
}

/** Wandering on several scales at once, as weather does; mostly within -1 to 1. */
export const drift = (seed: number, x: number): number =>
  (wander(seed, x) + wander(seed + 101, 2.1 * x) / 2 + wander(seed + 202, 4.3 * x) / 4) / 1.3

/** A number for a text. */
export const seedOf = (text: string, seed: number): number => {
  let hash = seed | 0
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193)
  return hash
}

export const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))

export const rounded = (value: number, places: number): number => {
  const factor = 10 ** places
  // Adding 0 makes 0 of -0.
  return Math.round(value * factor) / factor + 0
}
