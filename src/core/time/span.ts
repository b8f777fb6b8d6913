// Spans of time, [fromMs, untilMs), and arithmetic with lists of them. A list is always in order, without overlaps,
// without empty spans, and spans that touch are one.

export type Span = readonly [fromMs: number, untilMs: number]

/** Brings spans in any order into a list; spans whose gap is at most gapMs become one. */
export const joinSpans = (spans: readonly Span[], gapMs = 0): readonly Span[] => {
  const joined: [number, number][] = []
  for (const [fromMs, untilMs] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1)
    if (fromMs >= untilMs) continue
    if (last && fromMs - last[1] <= gapMs) last[1] = Math.max(last[1], untilMs)
    else joined.push([fromMs, untilMs])
  }
  return joined
}

/** At most so many spans that hold all of them: those with the smallest gaps between them become one. */
export const coarsenSpans = (spans: readonly Span[], most: number): readonly Span[] => {
  if (spans.length <= most) return spans
  const gaps = spans.slice(1).map(([fromMs], at) => fromMs - spans[at]![1])
  return joinSpans(spans, gaps.toSorted((a, b) => a - b)[spans.length - most - 1])
}

/** The spans that lie in both. */
export const meetSpans = (one: readonly Span[], other: readonly Span[]): readonly Span[] => {
  const met: Span[] = []
  let i = 0
  let j = 0
  while (i < one.length && j < other.length) {
    const fromMs = Math.max(one[i]![0], other[j]![0])
    const untilMs = Math.min(one[i]![1], other[j]![1])
    if (fromMs < untilMs) met.push([fromMs, untilMs])
    if (one[i]![1] < other[j]![1]) i += 1
    else j += 1
  }
  return met
}

/** The spans of the first that are not in the second. */
export const cutSpans = (from: readonly Span[], holes: readonly Span[]): readonly Span[] => {
  const left: Span[] = []
  let hole = 0
  for (const [fromMs, untilMs] of from) {
    let atMs = fromMs
    while (hole < holes.length && holes[hole]![1] <= atMs) hole += 1
    for (let next = hole; next < holes.length && holes[next]![0] < untilMs; next += 1) {
      if (holes[next]![0] > atMs) left.push([atMs, holes[next]![0]])
      atMs = Math.max(atMs, holes[next]![1])
    }
    if (atMs < untilMs) left.push([atMs, untilMs])
  }
  return left
}

/** The whole steps that lie inside the spans; steps are counted from originMs. */
export const wholeSteps = (spans: readonly Span[], originMs: number, stepMs: number): readonly Span[] =>
  spans.flatMap(([fromMs, untilMs]): Span[] => {
    const first = ceilTo(fromMs, originMs, stepMs)
    const last = floorTo(untilMs, originMs, stepMs)
    return first < last ? [[first, last]] : []
  })

/** The steps that the spans touch. */
export const touchedSteps = (spans: readonly Span[], originMs: number, stepMs: number): readonly Span[] =>
  joinSpans(
    spans.map(([fromMs, untilMs]) => [floorTo(fromMs, originMs, stepMs), ceilTo(untilMs, originMs, stepMs)] as const),
  )

export const floorTo = (ms: number, originMs: number, stepMs: number): number =>
  Math.floor((ms - originMs) / stepMs) * stepMs + originMs

export const ceilTo = (ms: number, originMs: number, stepMs: number): number =>
  Math.ceil((ms - originMs) / stepMs) * stepMs + originMs
