// Finds the rows of a write that append to their streams: these go by COPY, and an upsert in its place costs the
// database twice as much. It is a guess by the earlier writes of this process (written-times.ts, late-times.ts); where it
// was wrong, the writer upserts after all (writer.ts).
import type { Concern, KnownMoment } from './gate.ts'
import type { LateTimes } from './late-times.ts'
import type { PlacedRows } from './place.ts'
import { copyRow, emptyRows, noRows } from './rows.ts'
import { touch } from './touched.ts'
import type { Write } from './write.ts'

/**
 * Divides rows into those that append to their stream and those that may overwrite. Rows that append are noted, so this is
 * called once, just before the rows are handed to the writer; nothing else that is remembered changes with an upload.
 */
export const writeFromPlaced = (
  { rows, streams, points, touchedPoints }: PlacedRows,
  at: KnownMoment,
  { organizationKey, components, isHeard, hasRoom, holders }: Concern & Pick<Write, 'isHeard' | 'hasRoom' | 'holders'>,
  late?: LateTimes,
): Write => {
  let touched = touchedPoints
  const merging: number[] = []
  let guessed: number[] | undefined
  for (let row = 0; row < streams.length; row += 1) {
    const stream = streams[row]!
    const timeMs = rows.storedMs[row]!
    if (!stream.written.append(timeMs)) {
      if (late?.append(stream.key, timeMs, stream.written.beforeMs)) (guessed ??= []).push(stream.key)
      else merging.push(row)
    }
    if (stream.isSource) touched = touch(touched, stream, timeMs)
  }
  const onRefused = guessed && (() => late!.forget(new Set(guessed)))
  // Each member by its name: a spread made an upload of one sample take half as long again.
  const areMixed = merging.length > 0 && merging.length < streams.length
  const write: Write = {
    organizationKey,
    components,
    isHeard,
    hasRoom,
    holders,
    at,
    appends: areMixed ? emptyRows() : merging.length === 0 ? rows : noRows,
    merges: areMixed ? emptyRows() : merging.length === 0 ? noRows : rows,
    points,
    touched,
    streams,
    onRefused,
  }
  if (!areMixed) return write
  let next = 0
  for (let row = 0; row < streams.length; row += 1) {
    const isMerging = merging[next] === row
    if (isMerging) next += 1
    copyRow(rows, row, isMerging ? write.merges : write.appends)
  }
  return write
}
