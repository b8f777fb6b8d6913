// A position in the journal of live feeds: a snapshot of PostgreSQL, which says of every transaction whether it had
// ended by then. Numbers that count up would not do: a transaction that took its number early may be committed late.
// Pure.
//
//   '812:815:812,813'  the transactions before 812 have ended, and 814 has; 812, 813 and those from 815 on have not
export type Position = { readonly xmax: number; readonly running: readonly number[]; readonly text: string }

const mostLength = 4000

/** Undefined where the text is none. */
export const positionFrom = (text: string): Position | undefined => {
  if (text.length > mostLength) return undefined
  const [, low, high, list] = /^(\d{1,15}):(\d{1,15}):((?:\d{1,15}(?:,\d{1,15})*)?)$/.exec(text) ?? []
  if (low === undefined) return undefined
  const [xmin, xmax] = [Number(low), Number(high)]
  const running = list === '' ? [] : list!.split(',').map(Number)
  // In order, as PostgreSQL writes them: each is looked for, and clients hand in what they like.
  const isAfterLast = (xact: number, at: number) => at === 0 || xact > running[at - 1]!
  const isSound =
    xmin > 0 && xmin <= xmax && running.every((xact, at) => xact >= xmin && xact < xmax && isAfterLast(xact, at))
  return isSound ? { xmax, running, text } : undefined
}

/** Whether everything that had ended by `earlier` has ended by `later`. */
export const isAtOrAfter = (later: Position, earlier: Position): boolean =>
  later.xmax >= earlier.xmax && later.running.every((xact) => xact >= earlier.xmax || earlier.running.includes(xact))
