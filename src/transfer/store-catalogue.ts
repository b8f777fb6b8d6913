// Stores the lines of a catalogue (docs/transfer.md#catalogue), a hundred in one transaction, as catalog/restore.ts makes them.
import type { Gathered, RowStore } from './batches.ts'

export type CatalogueLine = Readonly<Record<string, unknown>>

/** Gives the reason why a line could not be made; undefined: it was made, or is there. */
export type RestoreLines = (lines: readonly CatalogueLine[]) => Promise<readonly (string | undefined)[]>

const mostLines = 100

export const openCatalogueStore = (restore: RestoreLines): RowStore<CatalogueLine> => ({
  most: mostLines,
  open: (): Gathered<CatalogueLine> => {
    const given: CatalogueLine[] = []
    const lines: number[] = []
    return {
      add: (row, line) => {
        given.push(row)
        lines.push(line)
      },
      count: () => given.length,
      store: async (refuse) => {
        if (given.length === 0) return
        const reasons = await restore(given)
        for (const [at, reason] of reasons.entries()) if (reason !== undefined) refuse(lines[at]!, reason)
      },
    }
  },
})
