// The grid of a dashboard: whatever is moved, no tile overlaps another, and none hangs over an empty place.
import assert from 'node:assert/strict'
import type { Box } from '../../src/studio/web/dashboard/layout.ts'
import { columns, compact, freePlace, grow, place, rowsOf, step } from '../../src/studio/web/dashboard/layout.ts'
import { openRandom } from '../support/random.ts'

const box = (column: number, row: number, width: number, height: number): Box => ({ column, row, width, height })
const shown = (boxes: readonly Box[]) => boxes.map(({ column, row, width, height }) => [column, row, width, height])

const overlaps = (boxes: readonly Box[]): boolean =>
  boxes.some((a, n) =>
    boxes
      .slice(n + 1)
      .some(
        (b) =>
          a.column < b.column + b.width &&
          b.column < a.column + a.width &&
          a.row < b.row + b.height &&
          b.row < a.row + a.height,
      ),
  )

describe('the grid of a dashboard', () => {
  it('lets a tile take the place of the one below it, which goes up', () => {
    const boxes = [box(0, 0, 6, 2), box(0, 2, 6, 2)]
    assert.deepEqual(shown(place(boxes, 0, box(0, 2, 6, 2))), [
      [0, 2, 6, 2],
      [0, 0, 6, 2],
    ])
  })

  it('pushes others down where a tile is put over them', () => {
    const boxes = [box(0, 0, 6, 2), box(6, 0, 6, 2), box(0, 2, 12, 1)]
    assert.deepEqual(shown(place(boxes, 1, box(0, 0, 6, 2))), [
      [0, 2, 6, 2],
      [0, 0, 6, 2],
      [0, 4, 12, 1],
    ])
  })

  it('keeps a tile inside its columns', () => {
    assert.deepEqual(shown(place([box(0, 0, 4, 2)], 0, box(11, -3, 4, 2))), [[8, 0, 4, 2]])
    assert.deepEqual(shown(place([box(0, 0, 4, 2)], 0, box(0, 0, 99, 99))), [[0, 0, 12, 40]])
  })

  it('leaves no empty place above a tile', () => {
    assert.deepEqual(shown(compact([box(0, 7, 4, 2), box(2, 20, 4, 1), box(8, 3, 2, 2)])), [
      [0, 0, 4, 2],
      [2, 2, 4, 1],
      [8, 0, 2, 2],
    ])
  })

  it('goes past the next tile by one step of the keyboard, and back by another', () => {
    const boxes = [box(0, 0, 6, 3), box(0, 3, 6, 2)]
    const down = step(boxes, 0, 'down')
    assert.deepEqual(shown(down), [
      [0, 2, 6, 3],
      [0, 0, 6, 2],
    ])
    assert.deepEqual(shown(step(down, 0, 'up')), shown(boxes))
    assert.deepEqual(step(boxes, 0, 'up'), boxes)
    assert.deepEqual(step(boxes, 0, 'left'), boxes)
    assert.deepEqual(shown(step(boxes, 0, 'right'))[0], [1, 0, 6, 3])
  })

  it('grows to the right and down, and stays on the page', () => {
    const boxes = [box(6, 0, 6, 1)]
    assert.deepEqual(shown(grow(boxes, 0, 'right')), [[6, 0, 6, 1]])
    assert.deepEqual(shown(grow(boxes, 0, 'left')), [[6, 0, 5, 1]])
    assert.deepEqual(shown(grow(boxes, 0, 'up')), [[6, 0, 6, 1]])
    assert.deepEqual(shown(grow(boxes, 0, 'down')), [[6, 0, 6, 2]])
  })

  it('finds room for a new tile, beside the others where there is some', () => {
    assert.deepEqual(freePlace([], 6, 4), box(0, 0, 6, 4))
    assert.deepEqual(freePlace([box(0, 0, 6, 4)], 6, 4), box(6, 0, 6, 4))
    assert.deepEqual(freePlace([box(0, 0, 7, 4)], 6, 4), box(0, 4, 6, 4))
  })

  it('never lets two overlap, and never loses one, whatever is done', () => {
    const random = openRandom(18)
    const upTo = random.integer
    for (let game = 0; game < 40; game += 1) {
      let boxes: readonly Box[] = []
      for (let move = 0; move < 40; move += 1) {
        if (boxes.length < 12) boxes = compact([...boxes, freePlace(boxes, 1 + upTo(columns), 1 + upTo(5))])
        const index = upTo(boxes.length)
        const to = box(upTo(14) - 1, upTo(20) - 1, 1 + upTo(12), 1 + upTo(6))
        const direction = (['left', 'right', 'up', 'down'] as const)[upTo(4)]!
        boxes = [place(boxes, index, to), step(boxes, index, direction), grow(boxes, index, direction)][upTo(3)]!
        assert.equal(overlaps(boxes), false)
        assert.deepEqual(shown(compact(boxes)), shown(boxes))
        assert.ok(boxes.every(({ column, width }) => column >= 0 && width > 0 && column + width <= columns))
        assert.ok(rowsOf(boxes) <= boxes.reduce((sum, { height }) => sum + height, 0))
      }
    }
  })
})
