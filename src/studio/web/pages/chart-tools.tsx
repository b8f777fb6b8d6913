// The tools above a chart: how much of the latest, zoom and move, following the clock, picture or table, and the window
// as times to be typed.
import { useEffect, useState } from 'preact/hooks'
import { spanAtEnd, spans, wholeWindow, withMargin } from '../chart/streams.ts'
import type { ChartStream } from '../chart/streams.ts'
import { moved, scaled } from '../chart/gestures.ts'
import type { View } from '../chart/view.ts'
import type { Window } from '../chart/window.ts'
import { isoOf, momentOf } from '../chart/zone.ts'
import { client } from '../session.ts'
import { texts } from '../texts.ts'

const words = texts.chart

export const ChartTools = ({
  view: { liveMs, isTable },
  window,
  streams,
  change,
}: {
  readonly view: View
  readonly window: Window
  readonly streams: readonly ChartStream[]
  readonly change: (change: Partial<View>) => void
}) => {
  const length = window.to - window.from
  const show = (next: Window | undefined) => next && change({ window: next, liveMs: undefined })
  const whole = () =>
    void wholeWindow(client.peek(), streams).then(
      (all) => show(all && withMargin(all)),
      () => undefined,
    )
  return (
    <div class="row tools">
      <div class="joined" role="group" aria-label={words.title}>
        {Object.entries(spans).map(([name, span]) => (
          <button
            key={name}
            aria-pressed={Math.abs(length - span) < 1000}
            onClick={() => (liveMs === undefined ? show(spanAtEnd(window, streams, span)) : change({ liveMs: span }))}
          >
            {words.windows[name]}
          </button>
        ))}
        <button onClick={whole}>{words.whole}</button>
      </div>
      <div class="joined" role="group" aria-label={words.move}>
        <button aria-label={words.earlier} title={words.earlier} onClick={() => show(moved(window, -0.5))}>
          ←
        </button>
        <button aria-label={words.back} title={words.back} onClick={() => show(scaled(window, 2))}>
          −
        </button>
        <button aria-label={words.closer} title={words.closer} onClick={() => show(scaled(window, 0.5))}>
          +
        </button>
        <button aria-label={words.later} title={words.later} onClick={() => show(moved(window, 0.5))}>
          →
        </button>
      </div>
      <button
        class="live"
        aria-pressed={liveMs !== undefined}
        onClick={() => change(liveMs === undefined ? { liveMs: length } : { liveMs: undefined, window })}
      >
        {words.live}
      </button>
      <div class="joined end" role="group" aria-label={words.form}>
        <button aria-pressed={!isTable} onClick={() => change({ isTable: false })}>
          {words.picture}
        </button>
        <button aria-pressed={isTable} onClick={() => change({ isTable: true })}>
          {words.table}
        </button>
      </div>
    </div>
  )
}

/** The window in the component's own time, ISO's way, wherever the browser is. */
export const WindowFields = ({
  window,
  zone,
  show,
}: {
  readonly window: Window
  readonly zone: string
  readonly show: (window: Window) => void
}) => {
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  useEffect(() => {
    setFrom(textOf(window.from, zone))
    setTo(textOf(window.to, zone))
  }, [window.from, window.to, zone])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const typed = { from: timeOf(from, zone), to: timeOf(to, zone) }
    if (typed.from !== undefined && typed.to !== undefined && typed.to > typed.from)
      show({ from: typed.from, to: typed.to })
  }
  const field = (label: string, value: string, set: (text: string) => void) => (
    <input
      class="numbers"
      aria-label={label}
      value={value}
      size={19}
      pattern={typedPattern}
      title={words.typed}
      onInput={(event) => set(event.currentTarget.value)}
    />
  )
  return (
    <form class="row window" onSubmit={submit}>
      {field(words.from, from, setFrom)}
      <span aria-hidden="true">–</span>
      {field(words.to, to, setTo)}
      <button class="only-heard">{words.go}</button>
    </form>
  )
}

const typedPattern = '\\s*\\d{4}-\\d\\d-\\d\\d([ T]\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?)?\\s*'

const textOf = (ms: number, zone: string): string => {
  const iso = isoOf(ms, zone).replace('T', ' ')
  return iso.slice(0, 19)
}

const timeOf = (text: string, zone: string): number | undefined => {
  const iso = text.trim().replace(' ', 'T')
  const local = Date.parse(iso.length === 10 ? `${iso}T00:00:00Z` : `${iso}Z`)
  return Number.isNaN(local) ? undefined : momentOf(local, zone)
}
