// Where the rows of a result begin and end, however its bytes are cut.
import assert from 'node:assert/strict'
import { copyFrames, executeFrames } from '../../src/outbound/row-frames.ts'
import type { Frames } from '../../src/outbound/row-frames.ts'

const message = (letter: string, body: string) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(4 + body.length)
  return Buffer.concat([Buffer.from(letter), length, Buffer.from(body, 'latin1')])
}

const packet = (...bytes: readonly number[]) => {
  const head = Buffer.alloc(4)
  head.writeUIntLE(bytes.length, 0, 3)
  return Buffer.concat([head, Buffer.from(bytes)])
}

type Result = { readonly head: Buffer[]; readonly rows: Buffer[]; readonly tail: Buffer[]; readonly count: number }

/** The parts of a result that comes in two pieces, and whether it is known to be whole. */
const partsOf = (frames: Frames, bytes: Buffer, cut: number) => {
  const parts = { head: Buffer.alloc(0), rows: Buffer.alloc(0), tail: Buffer.alloc(0), count: 0, isWhole: false }
  let left = Buffer.alloc(0)
  let isOver = false
  for (const piece of [bytes.subarray(0, cut), bytes.subarray(cut)]) {
    const all = Buffer.concat([left, piece])
    if (isOver) {
      parts.tail = Buffer.concat([parts.tail, piece])
      continue
    }
    const found = frames(all)
    parts.head = Buffer.concat([parts.head, all.subarray(0, found.from)])
    parts.rows = Buffer.concat([parts.rows, all.subarray(found.from, found.to)])
    parts.count += found.count
    isOver = found.isOver
    parts.isWhole = found.isWhole
    left = Buffer.from(all.subarray(all.length - found.left))
    if (isOver) parts.tail = Buffer.from(all.subarray(found.to))
  }
  return parts
}

const findsParts = (open: () => Frames, { head, rows, tail, count }: Result, isWhole: boolean) => {
  const bytes = Buffer.concat([...head, ...rows, ...tail])
  for (let cut = 0; cut <= bytes.length; cut += 1)
    assert.deepEqual(
      partsOf(open(), bytes, cut),
      { head: Buffer.concat(head), rows: Buffer.concat(rows), tail: Buffer.concat(tail), count, isWhole },
      `cut at ${cut}`,
    )
}

describe('the rows of a result', () => {
  const copied = {
    head: [message('1', ''), message('2', ''), message('H', '\0\0\0')],
    rows: [message('d', 'a\tb\n'), message('N', 'a notice'), message('d', ''), message('d', 'c\t\\N\n')],
    count: 3,
  }

  it('are found in a COPY, however its bytes are cut', () =>
    findsParts(copyFrames, { ...copied, tail: [message('c', ''), message('C', 'COPY 3'), message('Z', 'T')] }, true))

  it('are not whole where an error ends a COPY', () =>
    findsParts(copyFrames, { ...copied, tail: [message('E', 'gone'), message('Z', 'E')] }, false))

  it('are none where a COPY is refused', () =>
    findsParts(copyFrames, { head: [], rows: [], tail: [message('E', 'no'), message('Z', 'E')], count: 0 }, false))

  const executed = {
    head: [packet(2), packet(3, 100, 101, 102), packet(0xfe, 1, 2), packet(0xfe, 0, 0, 2, 0)],
    // A row begins with 0, and may hold anything after that.
    rows: [packet(0, 0, 1, 2, 3), packet(0, 4, 0xff), packet(0, 0xfe, 0xfe)],
    count: 3,
  }

  it('are found in the answer of MySQL, however its bytes are cut', () =>
    findsParts(executeFrames, { ...executed, tail: [packet(0xfe, 0, 0, 2, 0)] }, true))

  it('are not whole where an error ends the answer of MySQL', () =>
    findsParts(executeFrames, { ...executed, tail: [packet(0xff, 1, 2, 3)] }, false))

  it('are none where MySQL refuses a statement, or has no rows for it', () => {
    findsParts(executeFrames, { head: [], rows: [], tail: [packet(0xff, 1, 2)], count: 0 }, false)
    findsParts(executeFrames, { head: [], rows: [], tail: [packet(0, 0, 0, 2, 0)], count: 0 }, false)
  })

  it('are one where MySQL sends it in several packets', () => {
    const [most, rest] = [Buffer.alloc(4 + 0xff_ff_ff), packet(0xfe, 0, 0)]
    most.writeUIntLE(0xff_ff_ff, 0, 3)
    const bytes = Buffer.concat([...executed.head, most, rest, packet(0, 1), packet(0xfe, 0, 0, 2, 0)])
    const { rows, count, isWhole } = partsOf(executeFrames(), bytes, 100)
    assert.deepEqual([rows.length, count, isWhole], [most.length + rest.length + 6, 2, true])
  })
})
