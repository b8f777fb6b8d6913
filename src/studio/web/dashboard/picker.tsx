// Streams for a tile: found by their own name or their component's, and those that were taken.
import type { StreamChoice } from '../stream-search.ts'
import { texts } from '../texts.ts'
import { StreamSearch } from '../ui/stream-search.tsx'
import type { TileStream } from './tile.ts'

const words = texts.dashboards

/** A stream as it was chosen, with its name for the eye. */
export type Chosen = TileStream & { readonly label: string }

export const StreamPicker = ({
  chosen,
  most,
  change,
}: {
  readonly chosen: readonly Chosen[]
  readonly most: number
  readonly change: (chosen: readonly Chosen[]) => void
}) => {
  const toggle = (of: Chosen) => {
    const others = chosen.filter((each) => !isSame(each, of))
    if (others.length < chosen.length) return change(others)
    return change(most === 1 ? [of] : [...chosen, of].slice(0, most))
  }
  const isFull = most > 1 && chosen.length >= most
  return (
    <fieldset class="plain stack picker">
      <legend>{words.streams}</legend>
      {chosen.length > 0 && (
        <ul class="chosen" aria-label={words.chosen}>
          {chosen.map((each) => (
            <li key={`${each.componentUid} ${each.streamId}`}>
              <span>{each.label}</span>
              <button type="button" class="bare" aria-label={words.without(each.label)} onClick={() => toggle(each)}>
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <StreamSearch
        label={words.search}
        draw={(choice, shown) => {
          const of = chosenOf(choice)
          const isChosen = chosen.some((each) => isSame(each, of))
          return (
            <button
              key={`${of.componentUid} ${of.streamId}`}
              type="button"
              aria-pressed={isChosen}
              disabled={isFull && !isChosen}
              onClick={() => toggle(of)}
            >
              {shown}
            </button>
          )
        }}
      />
    </fieldset>
  )
}

const isSame = (a: TileStream, b: TileStream) => a.componentUid === b.componentUid && a.streamId === b.streamId

const chosenOf = ({ componentUid, streamId, label }: StreamChoice): Chosen => ({ componentUid, streamId, label })
