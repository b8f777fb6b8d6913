// The tools above a chart: how much of the latest, zoom and move, following the clock, picture or table, and the window
// as times to be typed.
import { useEffect, useRef, useState } from 'preact/hooks'
import { spanAtEnd, spans, wholeWindow, withMargin } from '../chart/streams.ts'
import type { ChartStream } from '../chart/streams.ts'
import { moved, scaled } from '../chart/gestures.ts'
import { typedPattern, typedText, typedWindow } from '../chart/typed.ts'
import type { View } from '../chart/view.ts'
import type { Window } from '../chart/window.ts'
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
  const form = useRef<HTMLFormElement>(null)
  /** Undefined: nothing was typed, and the window is shown. */
  const [typed, setTyped] = useState<{ readonly from?: string; readonly to?: string }>({})
  useEffect(() => {
    // A window that moves on, as a live one does every second, leaves somebody alone who is typing.
    if (!form.current!.contains(document.activeElement)) setTyped({})
  }, [window.from, window.to, zone])
  const shown = { from: typedText(window.from, zone), to: typedText(window.to, zone), ...typed }
  const fieldOf = (name: 'from' | 'to') => form.current!.elements.namedItem(name) as HTMLInputElement
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const next = typedWindow(shown.from, shown.to, zone)
    if ('wrong' in next) {
      const field = fieldOf(next.wrong === 'from' ? 'from' : 'to')
      field.setCustomValidity(next.wrong === 'order' ? words.reversed : words.noTime)
      field.reportValidity()
      return
    }
    setTyped({})
    show(next)
  }
  const type = (change: { readonly from?: string; readonly to?: string }) => {
    for (const name of ['from', 'to'] as const) fieldOf(name).setCustomValidity('')
    setTyped((before) => ({ ...before, ...change }))
  }
  const field = (label: string, name: 'from' | 'to') => (
    <input
      class="numbers"
      name={name}
      aria-label={label}
      value={shown[name]}
      size={19}
      pattern={typedPattern}
      title={words.typed}
      onInput={(event) => type({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <form class="row window" ref={form} onSubmit={submit}>
      {field(words.from, 'from')}
      <span aria-hidden="true">–</span>
      {field(words.to, 'to')}
      <button class="only-heard">{words.go}</button>
    </form>
  )
}
