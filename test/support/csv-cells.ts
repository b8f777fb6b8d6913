// Values and their cells of CSV, for all that writes them (docs/transfer.md#csv).
export const csvCells: readonly (readonly [value: unknown, cell: string])[] = [
  [null, ''],
  [undefined, ''],
  ['', '""'],
  ['plain', 'plain'],
  [' blank ', ' blank '],
  ['a,b', '"a,b"'],
  ['a "b"', '"a ""b"""'],
  ['two\nlines', '"two\nlines"'],
  [-4.5, '-4.5'],
  [9007199254740993n, '9007199254740993'],
  [false, 'false'],
  [{ a: [1, null] }, '"{""a"":[1,null]}"'],
  [[], '[]'],
  ['=1+1', "'=1+1"],
  ['+49 30', "'+49 30"],
  ['-', "'-"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['\rx', `"'\rx"`],
  ["'=1", "''=1"],
  ["''-1", "'''-1"],
  ["'tis", "'tis"],
  ["'", "'"],
]

export const namedCell = (value: unknown): string => (typeof value === 'bigint' ? `${value}n` : JSON.stringify(value))
