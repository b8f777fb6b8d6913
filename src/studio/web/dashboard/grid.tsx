// The grid of a dashboard. While it is arranged, each tile has two handles: one moves it and one resizes it, both by
// dragging (mouse, pen or finger) and by the arrow keys, which say aloud where the tile is now.
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { texts } from '../texts.ts'
import type { Box, Step } from './layout.ts'
import { grow, inOrder, place, rowsOf, step } from './layout.ts'
import type { Placed } from './tile.ts'

const words = texts.dashboards

type Drag = {
  readonly key: number
  readonly isResize: boolean
  /** Of the pointer, in the page. */
  readonly x: number
  readonly y: number
  readonly before: readonly Placed[]
  /** How far the pointer is from where the tile has come to lie. */
  readonly away: { readonly x: number; readonly y: number }
}

export const Grid = ({
  tiles,
  change,
  content,
  actions,
  titleOf,
}: {
  readonly tiles: readonly Placed[]
  /** Undefined while it is only looked at. */
  readonly change: ((tiles: readonly Placed[]) => void) | undefined
  readonly content: (tile: Placed) => ComponentChildren
  readonly actions: (tile: Placed) => ComponentChildren
  readonly titleOf: (tile: Placed) => string
}) => {
  const grid = useRef<HTMLDivElement>(null)
  const [drag, setDrag] = useState<Drag>()
  const [said, setSaid] = useState('')
  const ranks = new Map(tiles.toSorted(inOrder).map(({ key }, rank) => [key, rank]))
  const saying = (tile: Placed, isResize: boolean) => {
    const { column, row, width, height } = tile
    return isResize ? words.sizeSaid(titleOf(tile), width, height) : words.placeSaid(titleOf(tile), column + 1, row + 1)
  }

  const start = (key: number, isResize: boolean) => (event: PointerEvent) => {
    if (event.button !== 0 || !change) return
    const handle = event.currentTarget as HTMLElement
    // Not every browser does it by itself, and Escape is heard where the focus is.
    handle.focus()
    handle.setPointerCapture(event.pointerId)
    setDrag({ key, isResize, x: event.pageX, y: event.pageY, before: tiles, away: { x: 0, y: 0 } })
  }
  const move = (event: PointerEvent) => {
    if (!drag || !change) return
    scrollNearEdge(event.clientY)
    const next = dragged(grid.current!, drag, event)
    change(next.tiles)
    setDrag({ ...drag, away: next.away })
  }
  const end = () => {
    if (!drag) return
    const tile = tiles.find(({ key }) => key === drag.key)
    if (tile) setSaid(saying(tile, drag.isResize))
    setDrag(undefined)
  }
  const cancel = () => {
    if (!drag) return
    change?.(drag.before)
    setDrag(undefined)
  }
  const press = (index: number, isResize: boolean) => (event: KeyboardEvent) => {
    if (event.key === 'Escape') return cancel()
    const direction = steps.get(event.key)
    if (direction === undefined || !change) return undefined
    event.preventDefault()
    const next = isResize || event.shiftKey ? grow(tiles, index, direction) : step(tiles, index, direction)
    change(next)
    return setSaid(saying(next[index]!, isResize || event.shiftKey))
  }
  const handles = (tile: Placed, index: number, isResize: boolean) => ({
    type: 'button' as const,
    onPointerDown: start(tile.key, isResize),
    onPointerMove: move,
    onPointerUp: end,
    onPointerCancel: cancel,
    onKeyDown: press(index, isResize),
  })

  return (
    <>
      <div
        class={`board ${change ? 'arranging' : ''}`}
        ref={grid}
        style={{ '--rows': String(Math.max(1, rowsOf(tiles))) }}
      >
        {tiles.map((tile, index) => {
          const isDragged = drag?.key === tile.key && !drag.isResize
          return (
            <section
              key={tile.key}
              class={`board-tile kind-${tile.kind} ${drag?.key === tile.key ? 'dragged' : ''}`}
              aria-label={titleOf(tile)}
              style={{
                ...placeStyle(tile),
                '--rank': String(ranks.get(tile.key)),
                transform: isDragged ? `translate(${drag.away.x}px, ${drag.away.y}px)` : '',
              }}
            >
              {(titleOf(tile) !== '' || change) && (
                <header>
                  {change && (
                    <button
                      {...handles(tile, index, false)}
                      class="bare handle"
                      aria-label={words.move(titleOf(tile))}
                      title={words.moveHint}
                    >
                      <Dots />
                    </button>
                  )}
                  <h2 title={titleOf(tile)}>{titleOf(tile)}</h2>
                  {change && actions(tile)}
                </header>
              )}
              <div class="tile-body">{content(tile)}</div>
              {change && (
                <button
                  {...handles(tile, index, true)}
                  class="bare corner"
                  aria-label={words.resize(titleOf(tile))}
                  title={words.resizeHint}
                />
              )}
            </section>
          )
        })}
      </div>
      <p class="only-heard" role="status">
        {said}
      </p>
    </>
  )
}

const steps: ReadonlyMap<string, Step> = new Map([
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right'],
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
])

const placeStyle = ({ column, row, width, height }: Box) => ({
  '--column': String(column + 1),
  '--row': String(row + 1),
  '--width': String(width),
  '--height': String(height),
})

const Dots = () => (
  <svg viewBox="0 0 10 16" width="10" height="16" aria-hidden="true" fill="currentColor">
    {[2, 8, 14].flatMap((y) => [2, 8].map((x) => <circle key={`${x} ${y}`} cx={x} cy={y} r="1.5" />))}
  </svg>
)

const gapOf = (grid: HTMLElement) => Number.parseFloat(getComputedStyle(grid).columnGap) || 0

/** The tiles with the dragged one where the pointer has it, by the nearest column and row. */
const dragged = (grid: HTMLElement, { key, isResize, x, y, before }: Drag, { pageX, pageY, clientY }: PointerEvent) => {
  const index = before.findIndex((each) => each.key === key)
  const box = before[index]!
  const gap = gapOf(grid)
  const style = getComputedStyle(grid)
  const isNarrow = style.gridTemplateColumns.split(' ').length === 1
  const [dx, dy] = [pageX - x, pageY - y]
  const across = (grid.clientWidth + gap) / 12
  const down = Number.parseFloat(style.getPropertyValue('--row-height')) + gap
  if (isNarrow && !isResize) {
    // In one column a tile takes the place of the one that it is dragged over.
    const over = [...grid.children].findIndex((each) => {
      const { top, bottom } = each.getBoundingClientRect()
      return clientY >= top && clientY < bottom
    })
    const row = over >= 0 && over !== index ? before[over]!.row : undefined
    const tiles = row === undefined ? undefined : place(before, index, { ...box, row })
    return { tiles: tiles ?? before, away: { x: 0, y: 0 } }
  }
  const [columns, rows] = [isNarrow ? 0 : Math.round(dx / across), Math.round(dy / down)]
  const wanted = isResize
    ? { ...box, width: Math.max(1, Math.min(12 - box.column, box.width + columns)), height: box.height + rows }
    : { ...box, column: box.column + columns, row: box.row + rows }
  const tiles = place(before, index, wanted)
  const now = tiles[index]!
  return {
    tiles,
    away: { x: dx - (now.column - box.column) * across, y: dy - (now.row - box.row) * down },
  }
}

/** A tile can be dragged to where the page is not shown yet. */
const scrollNearEdge = (clientY: number): void => {
  const edge = 48
  if (clientY < edge) scrollBy(0, -16)
  if (clientY > innerHeight - edge) scrollBy(0, 16)
}
