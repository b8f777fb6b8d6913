// Streams for a tile, found by their component: type a part of its name, open it, take streams.
import { useEffect, useState } from 'preact/hooks'
import type { Component } from '../catalogue.ts'
import { streamsOf } from '../catalogue.ts'
import { useLoad } from '../load.ts'
import { texts } from '../texts.ts'
import { Shown } from '../ui/parts.tsx'
import type { TileStream } from './tile.ts'

const words = texts.dashboards

/** A stream as it was chosen, with its name for the eye. */
export type Chosen = TileStream & { readonly label: string }

const mostFound = 8

export const StreamPicker = ({
  chosen,
  most,
  change,
}: {
  readonly chosen: readonly Chosen[]
  readonly most: number
  readonly change: (chosen: readonly Chosen[]) => void
}) => {
  const [text, setText] = useState('')
  const [searched, setSearched] = useState('')
  // Asked when typing rests, so that each letter does not cost a search.
  useEffect(() => {
    const timer = setTimeout(() => setSearched(text), 200)
    return () => clearTimeout(timer)
  }, [text])
  const found = useLoad(`picker ${searched}`, (client, signal) =>
    client.call('GET /api/component', { query: { text: searched || undefined, limit: mostFound }, signal }),
  )
  const toggle = (of: Chosen) => {
    const others = chosen.filter((each) => !isSame(each, of))
    if (others.length < chosen.length) return change(others)
    return change(most === 1 ? [of] : [...chosen, of].slice(0, most))
  }
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
      <input
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        // It searches by itself; the form is not done yet.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <Shown of={found}>
        {({ component, totalCount }) => (
          <div class="picker-found">
            {component.length === 0 && <p class="quiet">{texts.components.none}</p>}
            {component.map((each) => (
              <ComponentStreams
                key={each.uid}
                component={each}
                isOpen={component.length === 1}
                chosen={chosen}
                isFull={most > 1 && chosen.length >= most}
                toggle={toggle}
              />
            ))}
            {totalCount > component.length && <p class="quiet">{words.moreFound(totalCount - component.length)}</p>}
          </div>
        )}
      </Shown>
    </fieldset>
  )
}

const isSame = (a: TileStream, b: TileStream) => a.componentUid === b.componentUid && a.streamId === b.streamId

export const labelOf = ({ id, name }: Pick<Component, 'id' | 'name'>, stream: string): string =>
  `${name || (id ?? '')} · ${stream}`

const ComponentStreams = ({
  component,
  isOpen,
  chosen,
  isFull,
  toggle,
}: {
  readonly component: Component
  readonly isOpen: boolean
  readonly chosen: readonly Chosen[]
  readonly isFull: boolean
  readonly toggle: (of: Chosen) => void
}) => (
  <details open={isOpen}>
    <summary>
      {component.name || component.id} <span class="quiet">{component.folder}</span>
    </summary>
    <div class="row">
      {streamsOf(component).length === 0 && <span class="quiet">{texts.component.noStreams}</span>}
      {streamsOf(component).map((stream) => {
        const of = {
          componentUid: component.uid,
          streamId: stream.id ?? '',
          label: labelOf(component, stream.name || (stream.id ?? '')),
        }
        const isChosen = chosen.some((each) => isSame(each, of))
        return (
          <button
            key={stream.uid}
            type="button"
            aria-pressed={isChosen}
            disabled={isFull && !isChosen}
            onClick={() => toggle(of)}
          >
            {stream.name || stream.id}
          </button>
        )
      })}
    </div>
  </details>
)
