// Memory for data on their way through the process, shared by callers (shares.ts): bodies as they arrive, pieces of
// files, replies that are not read yet; and turns at working on bodies that have arrived.
//
// Callers who have shown no credential have a room of their own: nothing that they send takes memory from the others.
import { holdersOfAddress } from './address.ts'
import type { Call } from './call.ts'
import type { Holders, Shares } from '../shares.ts'
import { openShares } from '../shares.ts'
import { openTurns } from '../turns.ts'
import type { Turns } from '../turns.ts'

export type Room = {
  /** Bodies that come piece by piece, until they are done with: beside its bytes each takes 10 KB, a hundred times as much as a slow one has. */
  readonly arrivals: Shares
  /** The first smallBytes of each body: even where others have been promised all the rest, it can begin. */
  readonly beginnings: Shares
  /** The part of larger bodies below middleBytes. */
  readonly middles: Shares
  /** The part of still larger ones below largeBytes. */
  readonly larges: Shares
  /** The rest of the largest: no more than one of them needs, and no smaller body waits for it. */
  readonly largest: Shares
  /** Pieces of files on their way to the database. */
  readonly pieces: Shares
  /** Replies that are not read yet. */
  readonly replies: Shares
  /** Replies that wait to be sent. */
  readonly waitingReplies: Shares
  /** Bytes of bodies that are being worked on: the values of a body take up to four times its size. */
  readonly work: Shares
  /** The bytes that a larger body counts for there. */
  readonly mostWork: number
  /** The same for bodies of at most smallBytes, which need not wait behind large ones. */
  readonly smallWork: Shares
  /**
   * Turns of the event loop at beginning that work: 60 bodies of 200 KB that had come at once were read in one turn, and everybody waited
   * 0.2 s of the processor's time, again and again.
   */
  readonly turns: Turns
}

export type RoomSizes = { readonly [Name in Exclude<keyof Room, 'mostWork' | 'turns'>]: number }

export const smallBytes = 64 * 1024
export const middleBytes = 1024 * 1024
/** 100,000 samples, which is all that a call may have, are rarely larger. */
export const largeBytes = 12 * 1024 * 1024

const mebibyte = 1024 * 1024

/** A larger reply counts for so much, and so has its turn alone. */
export const mostReplyBytes = 24 * mebibyte

/**
 * Bodies come to an end in time (arrival.ts), and so does the work on them. The client decides how long a reply or a
 * file takes.
 */
const inOrder = { inOrder: true }

export type RoomOptions = {
  /** Callers are addresses: people who know nothing of each other may have the same one. */
  readonly isOfStrangers?: boolean
}

export const openRoom = (sizes: RoomSizes, { isOfStrangers = false }: RoomOptions = {}): Room => ({
  arrivals: openShares(sizes.arrivals, { callersAreMany: isOfStrangers }),
  beginnings: openShares(sizes.beginnings, { callersAreMany: isOfStrangers }),
  middles: openShares(sizes.middles, inOrder),
  larges: openShares(sizes.larges, inOrder),
  largest: openShares(sizes.largest, inOrder),
  pieces: openShares(sizes.pieces),
  replies: openShares(sizes.replies),
  waitingReplies: openShares(sizes.waitingReplies),
  work: openShares(sizes.work, inOrder),
  mostWork: sizes.work / 2,
  smallWork: openShares(sizes.smallWork, inOrder),
  turns: openTurns(),
})

// The sizes are for an overload that takes less than 400 MB, with the values made of bodies and the garbage that V8 has not
// looked for yet (test/bench/README.md). More room would not be faster: the writer takes 20,000 samples at a time, and 12 MiB, the most
// that one caller may have under work, are 180,000. Less would be slower: with 8 or 10 MiB,
// 64 connections with arrays of 100,000 samples came to 166,000 and 179,000 samples a second in place of 258,000, in 27 and 30 MB less.
const knownRoom = openRoom({
  arrivals: 6000,
  beginnings: 32 * mebibyte,
  middles: 16 * mebibyte,
  // Three of them: an organization that has two leaves room for another's.
  larges: 3 * (largeBytes - middleBytes),
  // One of 64 MiB.
  largest: 52 * mebibyte,
  // One caller has 128 whole ones, or 4,000 of files that hardly come.
  pieces: 32 * mebibyte,
  replies: mostReplyBytes,
  waitingReplies: mostReplyBytes,
  work: 24 * mebibyte,
  smallWork: 4 * mebibyte,
})
const strangersRoom = openRoom(
  {
    arrivals: 2000,
    beginnings: 8 * mebibyte,
    middles: smallBytes,
    larges: smallBytes,
    largest: smallBytes,
    pieces: smallBytes,
    replies: mebibyte,
    waitingReplies: mebibyte,
    work: smallBytes,
    smallWork: 4 * mebibyte,
  },
  { isOfStrangers: true },
)

export const roomOf = (call: Call): Room => (call.callerHolders ? knownRoom : strangersRoom)

/** The holders of a call: those of its caller, or of a stranger's address. */
export const holdersOfCall = (call: Call): Holders => call.callerHolders ?? holdersOfAddress(call.address)
