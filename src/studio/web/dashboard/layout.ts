// The places of tiles in a grid of 12 columns. Tiles never overlap, and none has room above it: whatever is in the way
// of a tile that is moved makes way, upwards where there is room, else downwards.

export type Box = { readonly column: number; readonly row: number; readonly width: number; readonly height: number }

export const columns = 12
const mostHeight = 40

const overlap = (a: Box, b: Box): boolean =>
  a.column < b.column + b.width && b.column < a.column + a.width && a.row < b.row + b.height && b.row < a.row + a.height

const bottomOf = ({ row, height }: Box) => row + height

/** From the top, and from the left. */
export const inOrder = (a: Box, b: Box): number => a.row - b.row || a.column - b.column

export const rowsOf = (boxes: readonly Box[]): number => Math.max(0, ...boxes.map(bottomOf))

/** The same boxes, with one of them here; the others have made way. */
export const place = <B extends Box>(boxes: readonly B[], index: number, given: Box): readonly B[] => {
  const moved = within({ ...boxes[index]!, ...given })
  const placed = new Map<number, B>([[index, moved]])
  const others = [...boxes.entries()].filter(([at]) => at !== index).toSorted(([, a], [, b]) => inOrder(a, b))
  for (const [at, box] of others) {
    const free = (row: number) => {
      const there = { ...box, row }
      return row >= 0 && ![...placed.values()].some((each) => overlap(each, there))
    }
    const above = moved.row - box.height
    placed.set(at, { ...box, row: overlap(box, moved) && free(above) ? above : firstFree(box, [...placed.values()]) })
  }
  return compact(boxes.map((_, at) => placed.get(at)!))
}

const within = <B extends Box>(box: B): B => {
  const width = Math.max(1, Math.min(columns, box.width))
  const height = Math.max(1, Math.min(mostHeight, box.height))
  const column = Math.max(0, Math.min(columns - width, box.column))
  return { ...box, width, height, column, row: Math.max(0, box.row) }
}

/** Its row, or the next one below where nothing is in the way. */
const firstFree = (box: Box, placed: readonly Box[]): number => {
  let { row } = box
  for (;;) {
    const inTheWay = placed.filter((each) => overlap(each, { ...box, row }))
    if (inTheWay.length === 0) return row
    row = Math.max(...inTheWay.map(bottomOf))
  }
}

/** Each as high as it gets, one after the other from the top. */
export const compact = <B extends Box>(boxes: readonly B[]): readonly B[] => {
  const settled: Box[] = []
  const rows = new Map<B, number>()
  for (const box of boxes.toSorted(inOrder)) {
    const row = highest(box, settled)
    settled.push({ ...box, row })
    rows.set(box, row)
  }
  return boxes.map((box) => ({ ...box, row: rows.get(box)! }))
}

/** The boxes below nothing are at row 0; another is where its lowest neighbour above ends. */
const highest = (box: Box, settled: readonly Box[]): number => {
  const start = { ...box, row: firstFree(box, settled) }
  const above = settled.filter(
    (each) =>
      each.column < box.column + box.width && box.column < each.column + each.width && each.row < bottomOf(start),
  )
  return Math.max(0, ...above.filter((each) => bottomOf(each) <= start.row).map(bottomOf))
}

export type Step = 'left' | 'right' | 'up' | 'down'

/** One step by the keyboard: as far as it takes to make a difference, such as past the tile below. */
export const step = <B extends Box>(boxes: readonly B[], index: number, direction: Step): readonly B[] => {
  const box = boxes[index]!
  const [across, down] = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }[direction] as [number, number]
  const most = across === 0 ? rowsOf(boxes) + mostHeight : 1
  for (let n = 1; n <= most; n += 1) {
    const found = place(boxes, index, { ...box, column: box.column + across * n, row: box.row + down * n })
    const { row, column } = found[index]!
    if (down < 0 ? row < box.row : down > 0 ? row > box.row : column !== box.column) return found
  }
  return boxes
}

/** The same by size. */
export const grow = <B extends Box>(boxes: readonly B[], index: number, direction: Step): readonly B[] => {
  const box = boxes[index]!
  const [wider, higher] = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }[direction] as [number, number]
  const width = Math.max(1, Math.min(columns - box.column, box.width + wider))
  return place(boxes, index, { ...box, width, height: box.height + higher })
}

/** The first place, from the top, that has room for a new one. */
export const freePlace = (boxes: readonly Box[], width: number, height: number): Box => {
  for (let row = 0; ; row += 1)
    for (let column = 0; column + width <= columns; column += 1) {
      const box = { column, row, width, height }
      if (!boxes.some((each) => overlap(each, box))) return box
    }
}
