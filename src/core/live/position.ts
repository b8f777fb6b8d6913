// A position in the journal of live feeds: a snapshot of PostgreSQL, which says of every transaction whether it had
// ended by then. Numbers that count up would not do: a transaction that took its number early may be committed late.
// Pure.
//
//   '812:815:812,813'  the transactions before 812 have ended, and 814 has; 812, 813 and those from 815 on have not
//
// Clients name one with a mark of the history that it is of (../history.ts): in another one the same numbers are other
// transactions'.
//
//   '812:815:812,813:pRgk2Vn0'
import { createHash } from 'node:crypto'

export type Position = {
  readonly xmax: number
  readonly running: readonly number[]
  readonly text: string
  /** '' where it is not known. */
  readonly history: string
}

/** Undefined where the text is none. A database with a thousand writers has a long one. */
export const positionFrom = (text: string, history = ''): Position | undefined => {
  const [, low, high, list] = /^(\d{1,15}):(\d{1,15}):((?:\d{1,15}(?:,\d{1,15})*)?)$/.exec(text) ?? []
  if (low === undefined) return undefined
  const [xmin, xmax] = [Number(low), Number(high)]
  const running = list === '' ? [] : list!.split(',').map(Number)
  // In order, as PostgreSQL writes them: each is looked for, and clients hand in what they like.
  const isAfterLast = (xact: number, at: number) => at === 0 || xact > running[at - 1]!
  const isSound =
    xmin > 0 && xmin <= xmax && running.every((xact, at) => xact >= xmin && xact < xmax && isAfterLast(xact, at))
  return isSound ? { xmax, running, text, history } : undefined
}

/** Of a history, however long its own text is. */
export const markOf = (history: string): string => createHash('sha256').update(history).digest('base64url').slice(0, 8)

/** As clients get it. */
export const eventIdOf = ({ text, history }: Position): string => `${text}:${history}`

/** 1,000 transactions: all headers of a call have no more. */
const mostIdLength = 12_000

/** As clients name it; undefined where it is none. */
export const positionFromEventId = (id: string): Position | undefined => {
  const at = id.lastIndexOf(':')
  return id.length > mostIdLength || at < 0 ? undefined : positionFrom(id.slice(0, at), id.slice(at + 1))
}

/** Whether everything that had ended by `earlier` has ended by `later`. */
export const isAtOrAfter = (later: Position, earlier: Position): boolean =>
  later.xmax >= earlier.xmax && later.running.every((xact) => xact >= earlier.xmax || earlier.running.includes(xact))
