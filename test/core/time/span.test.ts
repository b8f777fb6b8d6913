import assert from 'node:assert/strict'
import { coarsenSpans, cutSpans, joinSpans, meetSpans, touchedSteps, wholeSteps } from '../../../src/core/time/span.ts'
import type { Span } from '../../../src/core/time/span.ts'

const size = 40

/** A list of spans as the set of its whole numbers, to compare with. */
const cells = (spans: readonly Span[]) =>
  Array.from({ length: size }, (_, at) => spans.some(([from, until]) => from <= at && at < until))

const assertList = (spans: readonly Span[]) => {
  for (const [index, [from, until]] of spans.entries()) {
    assert.ok(from < until)
    if (index > 0) assert.ok(spans[index - 1]![1] < from)
  }
}

const randomSpans = (): readonly Span[] =>
  Array.from({ length: Math.floor(Math.random() * 5) }, (): Span => {
    const from = Math.floor(Math.random() * size)
    return [from, Math.min(size, from + Math.floor(Math.random() * 8))]
  })

describe('spans', () => {
  it('join, meet and are cut like the sets they stand for', () => {
    for (let round = 0; round < 2_000; round += 1) {
      const [a, b] = [randomSpans(), randomSpans()]
      const [one, other] = [joinSpans(a), joinSpans(b)]
      assertList(one)
      assert.deepEqual(cells(one), cells(a), JSON.stringify(a))
      const [inOne, inOther] = [cells(one), cells(other)]
      const told = JSON.stringify([one, other])
      assert.deepEqual(
        cells(meetSpans(one, other)),
        inOne.map((is, at) => is && inOther[at]),
        told,
      )
      const cut = cutSpans(one, other)
      assertList(cut)
      assert.deepEqual(
        cells(cut),
        inOne.map((is, at) => is && !inOther[at]),
        told,
      )
    }
  })

  it('become one across a gap that is small enough', () => {
    const spans: readonly Span[] = [
      [5, 6],
      [0, 2],
      [3, 4],
    ]
    assert.deepEqual(joinSpans(spans, 1), [[0, 6]])
    assert.deepEqual(joinSpans(spans), [
      [0, 2],
      [3, 4],
      [5, 6],
    ])
  })

  it('round inwards to whole steps and outwards to touched ones', () => {
    const spans: readonly Span[] = [
      [3, 4],
      [9, 31],
    ]
    assert.deepEqual(wholeSteps(spans, 2, 10), [[12, 22]])
    assert.deepEqual(touchedSteps(spans, 2, 10), [[2, 32]])
  })

  it('become as many as are wanted where there are more, by the smallest gaps between them', () => {
    const spans: readonly Span[] = [
      [0, 1],
      [2, 3],
      [10, 11],
      [12, 13],
      [40, 41],
    ]
    assert.equal(coarsenSpans(spans, 5), spans)
    assert.deepEqual(coarsenSpans(spans, 3), [
      [0, 3],
      [10, 13],
      [40, 41],
    ])
    assert.deepEqual(coarsenSpans(spans, 2), [
      [0, 13],
      [40, 41],
    ])
    assert.deepEqual(coarsenSpans(spans, 1), [[0, 41]])
  })
})
