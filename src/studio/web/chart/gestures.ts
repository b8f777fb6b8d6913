// Moving about in a chart: the wheel and two fingers zoom around the place they are at, Shift and drag or one finger
// moves, a double click shows twice as much, keys do all of it. The picture follows at once; data comes when it can.
import type uPlot from 'uplot'
import { withinYears } from './window.ts'
import type { Window } from './window.ts'

export type Moves = {
  readonly window: () => Window
  readonly zoom: (window: Window) => void
}

/** Nobody needs a part of a millisecond, or more than the years that there are. */
const leastMs = 4
const mostMs = 10_000 * 365.25 * 86_400_000

export const scaled = ({ from, to }: Window, factor: number, middle = (from + to) / 2): Window => {
  const wanted = (to - from) * factor
  const length = Math.max(leastMs, Math.min(mostMs, wanted))
  const share = (middle - from) / (to - from)
  return withinYears({ from: middle - length * share, to: middle + length * (1 - share) })
}

export const moved = ({ from, to }: Window, share: number): Window => {
  const by = (to - from) * share
  return withinYears({ from: from + by, to: to + by })
}

export const addGestures = (plot: uPlot, { window, zoom }: Moves): void => {
  const { over } = plot
  const shareAt = (clientX: number) => {
    const { left, width } = over.getBoundingClientRect()
    return (clientX - left) / width
  }
  const timeAt = (clientX: number) => {
    const { from, to } = window()
    return from + (to - from) * shareAt(clientX)
  }
  over.addEventListener(
    'wheel',
    (event) => {
      // Without a key the wheel scrolls the page, unless the chart was chosen by a click or the keyboard.
      const isChosen = over.closest('.picture')?.contains(document.activeElement) ?? false
      if (!event.ctrlKey && !event.metaKey && !isChosen) return
      event.preventDefault()
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) zoom(moved(window(), event.deltaX / over.clientWidth))
      else zoom(scaled(window(), 1.0018 ** Math.max(-160, Math.min(160, event.deltaY)), timeAt(event.clientX)))
    },
    { passive: false },
  )
  over.addEventListener('dblclick', (event) => zoom(scaled(window(), 2, timeAt(event.clientX))))
  over.addEventListener(
    'mousedown',
    (event) => {
      if (!event.shiftKey) return
      event.stopImmediatePropagation()
      follow(event.clientX, window())
    },
    { capture: true },
  )
  const follow = (begin: number, first: Window) => {
    const move = ({ clientX }: MouseEvent) => zoom(moved(first, (begin - clientX) / over.clientWidth))
    const end = () => {
      removeEventListener('mousemove', move)
      removeEventListener('mouseup', end)
    }
    addEventListener('mousemove', move)
    addEventListener('mouseup', end)
  }
  addTouch(over, { window, zoom }, timeAt)
}

/** One finger moves, two zoom; up and down scrolls the page (touch-action in chart.css). */
const addTouch = (over: HTMLElement, { window, zoom }: Moves, timeAt: (clientX: number) => number): void => {
  const fingers = new Map<number, number>()
  let held: readonly number[] = []
  const hold = () => (held = [...fingers.values()].map(timeAt))
  over.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'touch') return
    fingers.set(event.pointerId, event.clientX)
    hold()
  })
  over.addEventListener('pointermove', (event) => {
    if (!fingers.has(event.pointerId)) return
    fingers.set(event.pointerId, event.clientX)
    const now = [...fingers.values()].map(timeAt)
    const { from, to } = window()
    if (held.length === 1) zoom({ from: from + held[0]! - now[0]!, to: to + held[0]! - now[0]! })
    else if (held.length > 1 && Math.abs(now[1]! - now[0]!) > (to - from) / 50) {
      // The times under the fingers stay under them.
      const factor = (held[1]! - held[0]!) / (now[1]! - now[0]!)
      const next = scaled(window(), Math.abs(factor), now[0])
      const by = held[0]! - now[0]!
      zoom({ from: next.from + by, to: next.to + by })
    }
  })
  const end = (event: PointerEvent) => {
    fingers.delete(event.pointerId)
    hold()
  }
  for (const name of ['pointerup', 'pointercancel', 'pointerleave'] as const) over.addEventListener(name, end)
}

/** The window after a key; undefined: the key has no meaning here. */
export const windowAfterKey = (key: string, window: Window): Window | undefined => {
  switch (key) {
    case 'ArrowLeft':
      return moved(window, -0.1)
    case 'ArrowRight':
      return moved(window, 0.1)
    case 'PageUp':
      return moved(window, -1)
    case 'PageDown':
      return moved(window, 1)
    case '+':
    case '=':
    case 'ArrowUp':
      return scaled(window, 0.7)
    case '-':
    case 'ArrowDown':
      return scaled(window, 1 / 0.7)
  }
  return undefined
}
