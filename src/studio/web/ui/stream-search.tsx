// A search for streams (stream-search.ts): those that are named so, and components to open. The page draws the choices.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Component } from '../catalogue.ts'
import { useLoad } from '../load.ts'
import { findChoices, findChoicesOf } from '../stream-search.ts'
import type { Choices, StreamChoice } from '../stream-search.ts'
import { texts } from '../texts.ts'
import { Shown } from './parts.tsx'
import { Search } from './search.tsx'

const words = texts.streamSearch

/** Draws a choice, with the words for it: its component's name stands there already, or not. */
type Draw = (of: StreamChoice, shown: string) => ComponentChildren

export const StreamSearch = ({
  label,
  draw,
  waitsForText = false,
}: {
  readonly label: string
  readonly draw: Draw
  /** Whether nothing is offered until something is typed. */
  readonly waitsForText?: boolean
}) => {
  const [text, setText] = useState('')
  return (
    // It searches by itself; a form around it is not done yet.
    <div class="stack" onKeyDown={(event) => isEnterInField(event) && event.preventDefault()}>
      <Search label={label} value={text} change={setText} />
      {(!waitsForText || text.trim() !== '') && <FoundStreams text={text} draw={draw} />}
    </div>
  )
}

const isEnterInField = ({ key, target }: KeyboardEvent) => key === 'Enter' && target instanceof HTMLInputElement

const FoundStreams = ({ text, draw }: { readonly text: string; readonly draw: Draw }) => {
  const found = useLoad(`streams by text ${text}`, (calls, signal) => findChoices(calls, text, signal))
  return (
    <Shown of={found}>
      {({ components, componentCount, streams }) => (
        <div class="picker-found">
          {components.length === 0 && streams.choices.length === 0 && <p class="quiet">{words.none}</p>}
          {streams.choices.length > 0 && (
            <Choosing of={streams} draw={(choice) => draw(choice, choice.label)} label={words.streams} />
          )}
          {components.map((each) => (
            <ComponentStreams
              key={each.uid}
              component={each}
              isOnly={components.length === 1 && streams.choices.length === 0}
              draw={draw}
            />
          ))}
          <Further count={componentCount - components.length} words={words.furtherComponents} />
        </div>
      )}
    </Shown>
  )
}

const ComponentStreams = ({
  component,
  isOnly,
  draw,
}: {
  readonly component: Component
  readonly isOnly: boolean
  readonly draw: Draw
}) => {
  const [isOpen, setOpen] = useState(isOnly)
  useEffect(() => setOpen(isOnly), [isOnly])
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {component.name || component.id} <span class="quiet">{component.folder}</span>
      </summary>
      {isOpen && <StreamsOf component={component} draw={draw} />}
    </details>
  )
}

const StreamsOf = ({ component, draw }: { readonly component: Component; readonly draw: Draw }) => {
  const [text, setText] = useState('')
  const found = useLoad(`streams of ${component.uid} by text ${text}`, (calls, signal) =>
    findChoicesOf(calls, component, text, signal),
  )
  return (
    <Shown of={found}>
      {(streams) => (
        <>
          {(text !== '' || streams.totalCount > streams.choices.length) && (
            <Search label={words.within(component.name || (component.id ?? ''))} value={text} change={setText} />
          )}
          {streams.choices.length === 0 && (
            <span class="quiet">{text === '' ? texts.component.noStreams : words.none}</span>
          )}
          <Choosing of={streams} draw={(choice) => draw(choice, choice.name)} />
        </>
      )}
    </Shown>
  )
}

const Choosing = ({
  of: { choices, totalCount },
  draw,
  label,
}: {
  readonly of: Choices
  readonly draw: (of: StreamChoice) => ComponentChildren
  readonly label?: string
}) => (
  <>
    <div class="row" role="group" aria-label={label}>
      {choices.map(draw)}
    </div>
    <Further count={totalCount - choices.length} words={words.furtherStreams} />
  </>
)

const Further = ({ count, words: said }: { readonly count: number; readonly words: (n: number) => string }) =>
  count > 0 ? <p class="quiet">{said(count)}</p> : null
