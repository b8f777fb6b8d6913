// Places of exports, by their memory (docs/transfer.md#export). One whose client is slow keeps its place for as long as nobody
// needs it: at 1 KiB in 30 s sixteen exports of five organizations kept all others out without an end. A newcomer that holds less
// has the place then, and the export ends where it is.
import { busy } from '../base/errors.ts'
import type { Holders, Holding } from '../base/shares.ts'
import { openShares } from '../base/shares.ts'

const mebibyte = 1024 * 1024
/** A portion that waits for the client, one that is read meanwhile, rows and long texts. */
export const exportBytes = 8 * mebibyte

/** Sixteen at once, of which a caller alone has eight. */
export const exportMemory = openShares(16 * exportBytes)

type ExportPlace = {
  /** The same pieces: when the client has not taken one for a while, or the rest behind the last, the place may go to others. */
  readonly watch: <T>(pieces: AsyncIterable<T>) => AsyncGenerator<T>
  readonly leave: () => void
}

type Times = {
  /** For a piece, of about a megabyte. */
  readonly slowMs: number
  /** A newcomer's: all who are slow by its beginning are known to be by then. */
  readonly patienceMs: number
  readonly lookEveryMs: number
}

const usual: Times = { slowMs: 10_000, patienceMs: 15_000, lookEveryMs: 1000 }

/** A place, when there is one in time. `end` must end the export at once: its place has gone to somebody else. */
export const enterExport = async (
  holders: Holders,
  signal: AbortSignal,
  end: () => void,
  { memory = exportMemory, times: { slowMs, patienceMs, lookEveryMs } = usual } = {},
): Promise<ExportPlace> => {
  const holding = memory.open(holders)
  if (!(await waitOrTakeOver(holding, patienceMs, lookEveryMs, signal))) throw busy('too many exports at once')
  const giveWay = () => {
    holding.give()
    end()
  }
  let timer: NodeJS.Timeout | undefined
  const follow = () => {
    timer = setTimeout(() => holding.amount > 0 && holding.mayGiveWay(giveWay), slowMs).unref()
  }
  const rest = () => {
    clearTimeout(timer)
    holding.stay()
  }
  return {
    watch: async function* (pieces) {
      for await (const piece of pieces) {
        follow()
        yield piece
        rest()
      }
      // The last pieces are still in buffers then.
      follow()
    },
    leave: () => {
      rest()
      holding.give()
    },
  }
}

const waitOrTakeOver = async (
  holding: Holding,
  patienceMs: number,
  lookEveryMs: number,
  signal: AbortSignal,
): Promise<boolean> => {
  if (holding.takeOver(exportBytes)) return true
  const taken = new AbortController()
  const timer = setInterval(() => {
    if (holding.amount > 0 || !holding.takeOver(exportBytes)) return
    taken.abort()
    // Where places were free beyond its share, the one that gave way let it in by its turn besides.
    holding.give(holding.amount - exportBytes)
  }, lookEveryMs)
  try {
    await holding.wait(exportBytes, patienceMs, AbortSignal.any([signal, taken.signal]))
  } finally {
    clearInterval(timer)
  }
  return holding.amount > 0
}
