// The clock, handed around as a value so that tests own time. Everywhere in the code time is an
// integer number of milliseconds since 1970-01-01T00:00:00Z.

export type Clock = { readonly now: () => number }

export const systemClock: Clock = { now: () => Date.now() }
