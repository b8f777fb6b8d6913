// A tile of a dashboard, read and completed (docs/management.md#dashboards). It names streams by the uid of their
// component, which need not exist: whoever looks at the tile reads them with rights of their own, and a component may go
// while its tile stays.
//
//   {"kind":"chart","column":0,"row":0,"width":6,"height":4,"stream":[{"componentUid":"…","streamId":"temp"}],"seconds":86400}
import { badRequest } from '../base/errors.ts'
import type { Members, Reader } from '../base/http/members.ts'
import {
  further,
  identifier,
  list,
  needed,
  nullable,
  objectOf,
  oneOf,
  text,
  wholeNumber,
} from '../base/http/members.ts'
import { objectSchema } from '../base/http/schema.ts'
import type { Schema } from '../base/http/schema.ts'
import type { Tile, TileStream } from '../core/dashboard.ts'
import { tileKinds } from '../core/dashboard.ts'
import { statistics } from '../core/statistic/statistic.ts'

const columns = 12
const mostRows = 1000
const mostHeight = 40
const yearSeconds = 366 * 86_400

const stream: Reader<TileStream> = further(
  objectOf({ componentUid: text(1, 64), streamId: identifier }),
  { required: ['componentUid', 'streamId'] },
  (name, given) => needed(name, given, 'componentUid', 'streamId'),
)

const members = {
  kind: oneOf(...tileKinds),
  title: text(0, 200),
  column: wholeNumber(0, columns - 1),
  row: wholeNumber(0, mostRows - 1),
  width: wholeNumber(1, columns),
  height: wholeNumber(1, mostHeight),
  stream: list(50, stream),
  cycleId: nullable(identifier),
  statistic: nullable(oneOf(...statistics)),
  seconds: nullable(wholeNumber(60, 20 * yearSeconds)),
  text: text(0, 10_000),
}

const mostStreams: Readonly<Record<Tile['kind'], number>> = { chart: 12, value: 1, table: 50, text: 0 }
const daySeconds = 86_400

const complete = (name: string, given: Members<typeof members>): Tile => {
  const { kind, ...more } = needed(name, given, 'kind')
  const tile: Tile = {
    kind,
    title: more.title ?? '',
    column: more.column ?? 0,
    row: more.row ?? 0,
    width: more.width ?? 4,
    height: more.height ?? 3,
    stream: more.stream ?? [],
    cycleId: more.cycleId ?? null,
    statistic: more.statistic ?? null,
    seconds: more.seconds ?? (kind === 'chart' ? daySeconds : null),
    text: more.text ?? '',
  }
  refuseUnfit(name, tile)
  return tile
}

const refuseUnfit = (name: string, { kind, column, width, stream: streams, ...tile }: Tile): void => {
  const most = mostStreams[kind]
  if (column + width > columns)
    throw badRequest(`${name} does not fit: column and width are at most ${columns} together`)
  if (streams.length > most) throw badRequest(`${name} is a ${kind}, which has at most ${most} streams`)
  if (most > 0 && streams.length === 0) throw badRequest(`${name} is a ${kind}, which needs a stream`)
  if ((tile.cycleId === null) !== (tile.statistic === null))
    throw badRequest(`${name} needs both cycleId and statistic, or none of them`)
  if (tile.cycleId !== null && kind !== 'chart' && kind !== 'value')
    throw badRequest(`${name} is a ${kind}, which has no statistic`)
  if (tile.seconds !== null && kind !== 'chart' && kind !== 'value')
    throw badRequest(`${name} is a ${kind}, which has no seconds`)
  if (tile.text !== '' && kind !== 'text') throw badRequest(`${name} is a ${kind}, which has no text`)
}

export const tileReader: Reader<Tile> = further(objectOf(members), { required: ['kind'] }, complete)

/** As replies show it: with all members. */
export const tileSchema: Schema = {
  title: 'Tile',
  ...objectSchema(Object.fromEntries(Object.entries(members).map(([name, { schema }]) => [name, schema]))),
}

/** In this order, which the database does not keep. */
export const showTile = (tile: Tile): Tile => ({
  kind: tile.kind,
  title: tile.title,
  column: tile.column,
  row: tile.row,
  width: tile.width,
  height: tile.height,
  stream: tile.stream.map(({ componentUid, streamId }) => ({ componentUid, streamId })),
  cycleId: tile.cycleId,
  statistic: tile.statistic,
  seconds: tile.seconds,
  text: tile.text,
})
