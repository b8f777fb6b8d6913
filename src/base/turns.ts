// Turns of the event loop that callers share (shares.ts): so many calls are begun in one turn, and the rest in the turns
// that follow, one of each caller after another. Without it 3,000 connections whose requests come at once are served in
// one turn of half a second, and the call of anybody else, which takes several turns, waits for each.
//
//   const turns = openTurns()
//   turns.begin(weights.upload, () => holdersOf(caller, address), () => answer(call))
//
// The first calls of a turn are begun at once, so that an ordinary load, and a fleet of 250 devices that send all at
// once, notices nothing.
import type { Holders, Holding } from './shares.ts'
import { openShares } from './shares.ts'

export type Turns = {
  /** Begins the work in this turn or a later one. The holders are asked for only where there is much to do. */
  readonly begin: (weight: number, holders: () => Holders, work: () => void) => void
  /** Works that wait for their turn. */
  readonly waiting: () => number
}

/** The beginning of a call, in units of an upload by URL, which takes 30 µs. A message of an assistant has a turn of its own. */
export const weights = { upload: 1, packets: 3, request: 5, message: 128 } as const

const bytesOfUnit = 4096
const mostWeight = 32

/** Of an upload, with a body that is there already. */
export const uploadWeight = (bodyBytes: number): number =>
  Math.min(mostWeight, weights.upload + Math.floor(bodyBytes / bytesOfUnit))

/** Of a body that came piece by piece: a large one is worked on in a turn of its own. */
export const bodyWeight = (bytes: number): number =>
  Math.min(mostInTurn, weights.upload + Math.floor(bytes / bytesOfUnit))

const bytesOfInput = 512

/** Of the JSON of a managing call, whose members are judged one by one: 64 KB of them take 6 ms, and have a turn of their own. */
export const inputWeight = (bytes: number): number =>
  Math.min(mostInTurn, weights.upload + Math.floor(bytes / bytesOfInput))

/** Longer ones have a turn to be read, before it is known whose they are. */
export const longAddress = 1024
const charactersOfUnit = 256

/** Of an address, or parameters: what is in 31 KB of them takes 3 ms to read and to refuse. */
export const addressWeight = (length: number): number =>
  Math.min(mostInTurn, weights.upload + Math.floor(length / charactersOfUnit))

/** In a turn for which nobody waits. */
const mostFreely = 256
/** In others, as callers share them: 3 ms. */
const mostInTurn = 128

/** `nextTurn` calls `end` when others have been served. */
export const openTurns = (nextTurn: (end: () => void) => unknown = setImmediate): Turns => {
  // In order: places are given back one by one, and light works in their hundreds would pass a heavy one for as long as they come.
  const shares = openShares(mostInTurn, { inOrder: true })
  let isBegun = false
  let freely = 0
  let holdings: Holding[] = []
  /** Works whose turn has come, until all places are given back. */
  let entered: (() => void)[] = []
  const beginTurn = () => {
    isBegun = true
    nextTurn(endTurn)
  }
  const endTurn = () => {
    isBegun = false
    freely = 0
    const ended = holdings
    holdings = []
    for (const holding of ended) holding.give()
    const works = entered
    entered = []
    for (const work of works) beginSafely(work)
  }
  return {
    waiting: () => shares.waiting(),
    begin: (weight, holders, work) => {
      if (freely < mostFreely && holdings.length === 0 && shares.waiting() === 0) {
        if (!isBegun) beginTurn()
        freely += weight
        return work()
      }
      const holding = shares.open(holders())
      const hold = () => {
        if (!isBegun) beginTurn()
        holdings.push(holding)
      }
      if (holding.enter(weight)) {
        hold()
        return work()
      }
      holding.whenItsTurn(weight, () => {
        hold()
        entered.push(work)
      })
    },
  }
}

/** An error is nobody else's: works behind it are begun all the same. */
const beginSafely = (work: () => void): void => {
  try {
    work()
  } catch (error) {
    process.nextTick(() => {
      throw error
    })
  }
}
