// Script errors: each has the place, one-based, of the first character of the offending word.
import { Fault, listed } from '../base/errors.ts'

export type Position = { readonly line: number; readonly column: number }

export const scriptFault = ({ line, column }: Position, message: string, detail?: unknown) =>
  new Fault('script_error', `line ${line}, column ${column}: ${message}`, {
    members: { line, column },
    ...(detail === undefined ? {} : { detail }),
  })

/**
 * The most columns of a SELECT or VALUES, with those that only its ORDER BY names, or of a table. Postgres takes 1,664.
 */
export const maxColumns = 1000

/** Every list in a script has a limit; the error stands at the first element beyond it. */
export const refuseMore = <T>(list: readonly T[], most: number, what: string, place: (one: T) => Position): void => {
  if (list.length > most) throw scriptFault(place(list[most]!), `more than ${most} ${what}`)
}

/** A refusal from elsewhere is reported with the place in the script, in its own words. */
export const refusedAt = <T>(at: Position, judge: () => T): T => {
  try {
    return judge()
  } catch (error) {
    throw error instanceof Fault ? scriptFault(at, error.message) : error
  }
}

/** A slip of the keyboard happens in words; comparing two names of 30 KB takes seconds. */
const mostSuggestedLength = 64

/** ", did you mean Left?" when a known name is near enough to be a slip of the keyboard, else nothing. */
export const suggestion = (given: string, known: readonly string[]): string => {
  if (given.length > mostSuggestedLength) return ''
  const text = given.toLowerCase()
  const most = text.length < 3 ? 0 : Math.max(1, Math.floor(text.length / 3))
  let best: string | undefined
  let bestDistance = most + 1
  for (const name of known) {
    const distance = editDistance(text, name.toLowerCase(), bestDistance)
    if (distance < bestDistance) [best, bestDistance] = [name, distance]
  }
  return best === undefined ? '' : `, did you mean ${best}?`
}

/** The same, or all names when none is near; for short lists. */
export const nearestOrAll = (given: string, known: readonly string[]): string =>
  suggestion(given, known) || `, there are ${listed(known)}`

/** Letters added, removed, changed or swapped between the two; anything from `most` up may come back as `most`. */
const editDistance = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) >= most) return most
  let older: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? older[j - 2]! + 1 : change
      current[j] = Math.min(change, swap, previous[j]! + 1, current[j - 1]! + 1)
    }
    older = previous
    previous = current
  }
  return previous[b.length]!
}
