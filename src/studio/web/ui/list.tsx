// A table of things: its columns say how each is shown. Where there is no room each row is a block, with the titles before
// the values.
import type { ComponentChildren } from 'preact'
import { texts } from '../texts.ts'
import { FittingList } from './fitting.tsx'

export type Column<T> = {
  readonly title: string
  readonly shown: (row: T) => ComponentChildren
  readonly isNumber?: boolean
  /** Heard by a screen reader alone, where the eye needs no heading. */
  readonly isQuiet?: boolean
}

export const List = <T,>({
  rows,
  columns,
  keyOf,
  empty = texts.nothing,
}: {
  readonly rows: readonly T[]
  readonly columns: readonly Column<T>[]
  /** Its place, unless given. */
  readonly keyOf?: (row: T) => string | number
  readonly empty?: string
}) =>
  rows.length === 0 ? (
    <p class="empty card">{empty}</p>
  ) : (
    <FittingList>
      <thead>
        <tr>
          {columns.map(({ title, isNumber, isQuiet }) => (
            <th class={isNumber ? 'number' : ''}>{isQuiet ? <span class="only-heard">{title}</span> : title}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={keyOf?.(row) ?? index}>
            {columns.map(({ title, shown, isNumber, isQuiet }) => (
              <td class={isNumber ? 'number' : isQuiet ? 'end' : ''} data-title={isQuiet ? undefined : title}>
                {shown(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </FittingList>
  )
