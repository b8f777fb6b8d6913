// How far a session is ahead of its reader: a few batches, or one that is large. Rows of 4 MB would else stand in the
// server's memory several at a time, of each session.

/** So many batches are on their way or wait to be read. */
const ahead = 3
const largeBytes = 1024 * 1024

export const openPace = () => {
  const left = { credit: ahead }
  /** Of the batches that are on their way, in their order. */
  let taken: number[] = []
  let wake = () => {}
  return {
    /** Before a batch of about so many bytes is given. */
    mayGive: async (bytes: number): Promise<void> => {
      const needed = bytes > largeBytes && bytes < Infinity ? ahead : 1
      while (left.credit < needed) await new Promise<void>((more) => (wake = more))
      left.credit -= needed
      taken.push(needed)
    },
    /** The reader has taken the next. */
    more: (): void => {
      left.credit += taken.shift() ?? 0
      wake()
    },
    /** Batches that are still on their way are not counted any more. */
    beginAnew: (): void => {
      left.credit = ahead
      taken = []
      wake()
    },
  }
}
