// Which rows of a write append to their streams: those go by COPY, and an upsert in its place costs the database twice as
// much. It is a guess by what this process has written; where it was wrong, the writer upserts after all (writer.ts).
import type { PlacedRows } from './place.ts'
import type { RegisteredStream } from './registry.ts'
import { copyRow, emptyRows, noRows } from './rows.ts'
import type { Write } from './writer.ts'

/**
 * Whether a sample of this time can only be new, by all that this process has written to the stream: because it is
 * later than everything, or because it falls between the last two, as happens when of several uploads that are under
 * way at once the later is read first. An upsert in place of the COPY costs the database twice as much.
 */
const appendTo = (stream: RegisteredStream, timeMs: number): boolean => {
  const { latestMs, beforeMs } = stream
  if (timeMs > latestMs) {
    stream.latestMs = timeMs
    // Of what was there before the first sample, nothing is known.
    stream.beforeMs = latestMs === Number.NEGATIVE_INFINITY ? timeMs : latestMs
  } else if (timeMs > beforeMs && timeMs < latestMs) stream.beforeMs = timeMs
  else return false
  return true
}

/**
 * Divides rows into those that append to their stream and those that may overwrite. It remembers what it let
 * append, so it is called once, just before the rows are handed to the writer.
 */
export const writeFromPlaced = ({ rows, streams, points }: PlacedRows, serial: number): Write => {
  const merging: number[] = []
  for (let row = 0; row < streams.length; row += 1) {
    const stream = streams[row]!
    const timeMs = rows.storedMs[row]!
    if (!appendTo(stream, timeMs)) merging.push(row)
  }
  if (merging.length === 0) return { serial, appends: rows, merges: noRows, points }
  if (merging.length === streams.length) return { serial, appends: noRows, merges: rows, points }
  const write = { serial, appends: emptyRows(), merges: emptyRows(), points }
  let next = 0
  for (let row = 0; row < streams.length; row += 1) {
    const isMerging = merging[next] === row
    if (isMerging) next += 1
    copyRow(rows, row, isMerging ? write.merges : write.appends)
  }
  return write
}
