// Tables for the terminal, the first column left and numbers right, and for the page of figures (page.ts).

export type Cell = string | number | undefined

/** Its cells as they are shown. */
export type Table = {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const printed: Table[] = []

/** Those that were printed since the last time. */
export const takeTables = (): readonly Table[] => printed.splice(0)

/** A detail is shown and not kept: another table has it again. */
export const printTable = (
  title: string,
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  kind: 'result' | 'detail' = 'result',
): void => {
  const texts = rows.map((row) => row.map(cellText))
  if (kind === 'result') printed.push({ title, head, rows: texts })
  const widths = head.map((name, column) => Math.max(name.length, ...texts.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    widths.map((width, column) => pad(cells[column] ?? '', width, column === 0)).join('  ')
  const lines = [title, line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...texts.map(line)]
  process.stdout.write(`\n${lines.map((each) => each.trimEnd()).join('\n')}\n`)
}

const pad = (text: string, width: number, isLeft: boolean) => (isLeft ? text.padEnd(width) : text.padStart(width))

/** Three digits that mean something, thousands apart. */
const cellText = (cell: Cell): string => {
  if (cell === undefined) return '-'
  if (typeof cell === 'string') return cell
  if (cell >= 100) return Math.round(cell).toLocaleString('en')
  return cell.toFixed(cell >= 10 ? 1 : 2)
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
