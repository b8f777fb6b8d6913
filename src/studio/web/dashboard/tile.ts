// The tiles of a dashboard as the API shows them, and while somebody arranges them: each then has a name of its own, so
// that it stays the same tile wherever it is moved.
import type { EntityOf } from '../../../client/client.ts'
import { compact, inOrder } from './layout.ts'

export type Dashboard = EntityOf<'dashboard'>
export type Tile = Dashboard['tile'][number]
export type TileStream = Tile['stream'][number]
export type Kind = Tile['kind']
export type Placed = Tile & { readonly key: number }

let last = 0
export const nextKey = (): number => (last += 1)

/** In reading order, and without overlaps, whoever wrote them. */
export const placedOf = (tiles: readonly Tile[]): readonly Placed[] =>
  compact(tiles.map((tile) => ({ ...tile, key: nextKey() }))).toSorted(inOrder)

export const tilesOf = (placed: readonly Placed[]): readonly Tile[] =>
  placed.toSorted(inOrder).map(({ key: _key, ...tile }) => tile)

export const sizes: Readonly<Record<Kind, { readonly width: number; readonly height: number }>> = {
  chart: { width: 6, height: 4 },
  value: { width: 3, height: 2 },
  table: { width: 6, height: 4 },
  text: { width: 3, height: 2 },
}

export const mostStreams: Readonly<Record<Kind, number>> = { chart: 12, value: 1, table: 50, text: 0 }
export const mostTiles = 60
