// A table of any length: only the rows that are in view exist, and pages of them are fetched as one scrolls there.
import { useEffect, useRef, useState } from 'preact/hooks'
import { problemOf } from '../load.ts'
import type { Column } from './list.tsx'
import { Notice } from './parts.tsx'

/** As the style has it: rows of one height let the place of each be known. */
const rowPixels = 41
const pageSize = 100
/** Rows above and below the view, so that a small step shows no blank ones. */
const margin = 15
/** While one scrolls on, rows are not in view yet. */
const restMs = 250
/** A page that could not be had is asked for again. */
const againMs = 3000
/** Browsers draw nothing taller than some 30 million pixels. */
const mostRows = 500_000

/** Rows that were loaded beside a first page: with another, they may have moved, and are loaded anew. They are shown until then. */
type Loaded<T> = { readonly rows: readonly T[]; readonly beside: readonly T[] }

export const Endless = <T,>({
  label,
  first,
  total,
  load,
  columns,
  seen,
}: {
  readonly label: string
  /** The first page, which is there already. */
  readonly first: readonly T[]
  readonly total: number
  readonly load: (start: number, limit: number, signal: AbortSignal) => Promise<readonly T[]>
  readonly columns: readonly Column<T>[]
  /** Called with the rows in view, once they rest. */
  readonly seen?: (rows: readonly T[]) => void
}) => {
  const view = useRef<HTMLDivElement>(null)
  const [{ from, to }, setRange] = useState({ from: 0, to: 60 })
  const [pages, setPages] = useState<ReadonlyMap<number, Loaded<T>>>(new Map())
  const [problem, setProblem] = useState('')
  const count = Math.min(total, mostRows)
  const follow = () => {
    const { scrollTop, clientHeight } = view.current!
    const top = Math.floor(scrollTop / rowPixels)
    setRange({ from: Math.max(0, top - margin), to: top + Math.ceil(clientHeight / rowPixels) + margin })
  }
  const [firstPage, lastPage] = [Math.floor(from / pageSize), Math.floor(Math.min(to, count - 1) / pageSize)]
  useEffect(() => {
    const control = new AbortController()
    let missing = Array.from({ length: lastPage - firstPage + 1 }, (_, n) => firstPage + n).filter(
      (page) => page > 0 && pages.get(page)?.beside !== first,
    )
    let timer: ReturnType<typeof setTimeout> | undefined
    const fetchMissing = async () => {
      try {
        for (const page of missing) {
          const rows = await load(page * pageSize, pageSize, control.signal)
          if (control.signal.aborted) return
          missing = missing.filter((one) => one !== page)
          setPages((before) => new Map(before).set(page, { rows, beside: first }))
          setProblem('')
        }
      } catch (error) {
        if (control.signal.aborted) return
        setProblem(problemOf(error))
        timer = setTimeout(() => void fetchMissing(), againMs)
      }
    }
    // Pages that one only scrolls past are not asked for.
    timer = setTimeout(() => void fetchMissing(), 60)
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [firstPage, lastPage, first])
  const rowAt = (index: number): T | undefined => {
    const page = Math.floor(index / pageSize)
    return (page === 0 ? first : pages.get(page)?.rows)?.[index % pageSize]
  }
  useEffect(() => {
    const rows = Array.from({ length: to - from }, (_, n) => rowAt(from + n)).filter((row) => row !== undefined)
    const timer = setTimeout(() => seen?.(rows), restMs)
    return () => clearTimeout(timer)
  }, [from, to, pages, first])
  const shown = Array.from({ length: Math.max(0, Math.min(to, count) - from) }, (_, n) => from + n)
  return (
    <>
      {problem !== '' && <Notice kind="bad">{problem}</Notice>}
      <div class="card flush endless" ref={view} onScroll={follow} tabIndex={0} role="region" aria-label={label}>
        <table aria-rowcount={total + 1}>
          <thead>
            <tr>
              {columns.map(({ title }) => (
                <th>{title}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Space rows={from} />
            {shown.map((index) => {
              const row = rowAt(index)
              return (
                <tr key={index} aria-rowindex={index + 2}>
                  {columns.map((column) => (
                    <td>{row === undefined ? '…' : column.shown(row)}</td>
                  ))}
                </tr>
              )
            })}
            <Space rows={count - from - shown.length} />
          </tbody>
        </table>
      </div>
    </>
  )
}

/** Stands for the rows that are not in view. */
const Space = ({ rows }: { readonly rows: number }) =>
  rows > 0 ? (
    <tr aria-hidden="true" class="space">
      <td style={{ height: `${rows * rowPixels}px` }} />
    </tr>
  ) : null
