// The curves of a tile: loaded for its window, then carried on by the samples that come. Where a curve is made of
// statistics, or samples come late, it is loaded anew, not more often than its picture would show a difference.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Client, Sample } from '../../../client/client.ts'
import { loadCycles } from '../chart/cycles.ts'
import { loadOverlay, loadWindow } from '../chart/window.ts'
import type { Series, Window } from '../chart/window.ts'
import type { Live, LiveSample } from '../live.ts'
import { problemOf } from '../load.ts'
import { client } from '../session.ts'
import type { FoundStream } from './streams.ts'
import type { Tile } from './tile.ts'

export type Curves = {
  readonly series: readonly Series[] | undefined
  readonly window: Window
  readonly problem: string | undefined
}

/** More are shown as statistics when they are loaded next. */
const mostSamples = 1500

/** However short the window is. */
const leastLoadMs = 5000

export const useCurves = (
  { seconds, cycleId, statistic }: Pick<Tile, 'seconds' | 'cycleId' | 'statistic'>,
  streams: readonly FoundStream[],
  live: Live,
): Curves => {
  const lengthMs = (seconds ?? 86_400) * 1000
  const [state, setState] = useState<Curves>(() => ({
    series: undefined,
    window: latest(lengthMs),
    problem: undefined,
  }))
  const loaded = useRef<readonly Series[] | undefined>(undefined)
  const key = `${lengthMs} ${cycleId} ${statistic} ${streams.map(({ compId, streamId }) => `${compId} ${streamId}`).join(' ')}`
  useEffect(() => {
    const control = new AbortController()
    let [isLate, isLoading, loadedMs] = [true, false, 0]
    // A point of the picture is about a five hundredth of the window.
    const paceMs = Math.min(60_000, lengthMs / 500)
    const load = async () => {
      const window = latest(lengthMs)
      ;[isLate, isLoading, loadedMs] = [false, true, Date.now()]
      try {
        const read = (stream: FoundStream) =>
          cycleId !== null && statistic !== null
            ? loadStatistic(client.peek(), stream, { cycleId, statistic }, window, control.signal)
            : loadWindow(client.peek(), stream, window, control.signal)
        loaded.current = await Promise.all(streams.map(read))
        if (!control.signal.aborted) setState({ series: loaded.current, window, problem: undefined })
      } catch (error) {
        if (control.signal.aborted) return
        isLate = true
        setState((before) => ({ ...before, problem: problemOf(error) }))
      } finally {
        isLoading = false
      }
    }
    const hear = (index: number) => (sample?: LiveSample) => {
      const all = loaded.current
      const series = all?.[index]
      const carried = sample && series && statistic === null ? carriedOn(series, sample) : undefined
      if (all === undefined || carried === undefined) isLate = true
      else loaded.current = all.with(index, carried)
    }
    const turn = () => {
      if (document.visibilityState !== 'visible' || isLoading) return
      if (isLate && Date.now() - loadedMs >= Math.max(leastLoadMs, paceMs)) void load()
      // A problem stays until the next reading has succeeded.
      else setState(({ problem }) => ({ series: loaded.current, window: latest(lengthMs), problem }))
    }
    loaded.current = undefined
    void load()
    const ends = streams.map((stream, index) => live.listen(stream, hear(index)))
    const timer = setInterval(turn, Math.max(1000, paceMs))
    document.addEventListener('visibilitychange', turn)
    return () => {
      control.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', turn)
      for (const end of ends) end()
    }
  }, [key])
  return state
}

const latest = (lengthMs: number): Window => {
  const to = Date.now()
  return { from: to - lengthMs, to }
}

/** With one more sample at its end; undefined: it must be loaded. */
const carriedOn = (series: Series, { time, data }: Sample): Series | undefined => {
  const { times, values, cycle, texts } = series
  const last = times.at(-1) ?? Number.NEGATIVE_INFINITY
  if (cycle !== undefined || texts || time < last || times.length >= mostSamples) return undefined
  const value = typeof data === 'boolean' ? Number(data) : typeof data === 'number' ? data : null
  const kept = time === last ? -1 : undefined
  return { ...series, times: [...times.slice(0, kept), time], values: [...values.slice(0, kept), value] }
}

const loadStatistic = async (
  calls: Client,
  stream: FoundStream,
  { cycleId, statistic }: { readonly cycleId: string; readonly statistic: NonNullable<Tile['statistic']> },
  window: Window,
  signal: AbortSignal,
): Promise<Series> => {
  const [cycle] = await loadCycles(calls, signal, cycleId)
  // A cycle that is gone is the server's to report.
  const overlay = { cycle: cycleId, statistic, length: cycle?.length ?? 0 }
  return (await loadOverlay(calls, stream, overlay, window, signal)).series
}
