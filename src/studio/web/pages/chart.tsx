// A chart of one or several streams, whose address holds all of it (chart/view.ts).
import { useEffect, useRef, useState } from 'preact/hooks'
import { loadCycles } from '../chart/cycles.ts'
import type { CycleChoice } from '../chart/cycles.ts'
import { isSeenIn } from '../chart/item.ts'
import { Picture } from '../chart/picture.tsx'
import type { Drawn } from '../chart/picture.tsx'
import { firstWindow, loadStreams } from '../chart/streams.ts'
import type { ChartStream } from '../chart/streams.ts'
import { loadOverlay, loadWindow, mostOverlaid } from '../chart/window.ts'
import type { Window } from '../chart/window.ts'
import { useDrawn } from '../chart/use-drawn.ts'
import { useLiveTurn, useNow } from '../chart/live-turn.ts'
import { queryOf, viewOf } from '../chart/view.ts'
import type { View } from '../chart/view.ts'
import { AddToDashboard } from '../dashboard/add-chart.tsx'
import { useLoad } from '../load.ts'
import { place, replaceQuery, to } from '../router.ts'
import { hasRole } from '../session.ts'
import { texts } from '../texts.ts'
import { Copy, Notice, Page, ShownPage, Spinner } from '../ui/parts.tsx'
import { ChartTable } from '../chart/table.tsx'
import { downloadCsv, downloadPicture } from '../chart/download.ts'
import { ChartTools, WindowFields } from './chart-tools.tsx'
import { ChartStreams } from './chart-streams.tsx'

const words = texts.chart

const ChartPage = () => {
  const names = viewOf(place.value.query).of
  const loaded = useLoad(`chart ${names.join(' ')}`, async (calls, signal) => {
    const [streams, cycles] = await Promise.all([loadStreams(calls, names, signal), loadCycles(calls, signal)])
    return { names, streams, cycles, first: await firstWindow(calls, streams, signal) }
  })
  return (
    <ShownPage title={words.title} of={loaded}>
      {({ names: of, streams, cycles, first }) => (
        <Drawing key={of.join(' ')} streams={streams} cycles={cycles} first={first} />
      )}
    </ShownPage>
  )
}

export default ChartPage

const titleOf = (streams: readonly ChartStream[]): string => {
  const components = [...new Set(streams.map(({ componentName }) => componentName))]
  const [one] = streams
  return one && streams.length === 1 ? `${one.componentName} · ${one.streamName}` : components.join(', ') || words.title
}

/** The address follows a window that has come to rest: browsers refuse to be told of every step. */
const addressMs = 250

/** The view of the address, and how to change it. */
const useView = (): readonly [View, (change: Partial<View>) => void] => {
  const [view, setView] = useState(() => viewOf(place.peek().query))
  const address = place.value
  const isWritten = useRef(true)
  useEffect(() => {
    if (isWritten.current) isWritten.current = false
    else setView(viewOf(address.query))
  }, [address])
  useEffect(() => {
    const timer = setTimeout(() => {
      const query = queryOf(view)
      if (JSON.stringify(query) === JSON.stringify(queryOf(viewOf(place.peek().query)))) return
      isWritten.current = true
      replaceQuery(query)
    }, addressMs)
    return () => clearTimeout(timer)
  }, [view])
  return [view, (change) => setView((before) => ({ ...before, ...change }))]
}

/** With its window, also where that was not chosen: later samples would make another. */
const linkOf = (view: View): string => `${location.origin}${location.pathname}${to(['chart'], queryOf(view))}`

type Known = {
  readonly streams: readonly ChartStream[]
  readonly cycles: readonly CycleChoice[]
  readonly first: Window
}

const Drawing = ({ streams, cycles, first }: Known) => {
  const [view, change] = useView()
  const { liveMs, over, isTable } = view
  const isLive = liveMs !== undefined
  const stepMs = Math.max(1000, Math.min(60_000, (liveMs ?? 0) / 1000))
  const now = useNow(isLive, stepMs)
  const turn = useLiveTurn(streams, isLive, stepMs)
  const window = isLive ? { from: now - liveMs, to: now } : (view.window ?? first)
  const zone = streams[0]?.zone ?? 'UTC'
  const show = (next: Window) => change({ window: next, liveMs: undefined })
  const key = JSON.stringify([streams.map(({ name }) => name), over])
  const { drawn, problem, isLoading } = useDrawn(
    key,
    window,
    async (calls, wanted, signal) => {
      const own = streams.map(async (stream): Promise<Drawn> => {
        const series = await loadWindow(calls, stream, wanted, signal)
        return { label: stream.label, unit: stream.unit, series }
      })
      const overlays = over.flatMap((one) => {
        const stream = streams.find(({ name }) => name === one.of)
        const cycle = cycles.find(({ id }) => id === one.cycle)
        if (!stream || !cycle) return []
        const label = words.overlay(stream.label, one.statistic, one.cycle)
        return [
          loadOverlay(calls, stream, { ...one, length: cycle.length }, wanted, signal).then((loaded): Drawn => ({
            ...loaded,
            label,
            isOverlay: true,
          })),
        ]
      })
      return Promise.all([...own, ...overlays])
    },
    turn,
  )
  const cycle = drawn.find(({ series, isOverlay }) => series.cycle && !isOverlay)?.series.cycle
  const isEmpty = !isLoading && problem === undefined && !drawn.some(({ series }) => isSeenIn(series, window))
  return (
    <Page
      title={titleOf(streams)}
      actions={
        <>
          {hasRole('admin') && (
            <AddToDashboard streams={streams} lengthMs={window.to - window.from} hasOverlays={over.length > 0} />
          )}
          <Copy text={linkOf({ ...view, window })} label={words.link} />
          <button onClick={() => downloadCsv(drawn, window, zone)}>{words.csv}</button>
          <button onClick={() => downloadPicture(titleOf(streams), drawn)}>{words.png}</button>
        </>
      }
    >
      <ChartTools view={view} window={window} streams={streams} change={change} />
      <section class="card stack">
        <div class="row spread">
          <p class="quiet row" role="status">
            <span>{cycle ? words.by(cycle) : words.samples}</span>
            {isLoading && <Spinner />}
          </p>
          <WindowFields window={window} zone={zone} show={show} />
        </div>
        {problem !== undefined && <Notice kind="bad">{problem}</Notice>}
        {drawn.map(({ label, series, isOverlay }) =>
          series.isCut ? (
            <Notice kind="warn" key={label}>
              {isOverlay ? words.overlayCut(label, mostOverlaid) : words.textCut(label, series.times.length)}
            </Notice>
          ) : null,
        )}
        {isTable ? (
          <ChartTable drawn={drawn} zone={zone} window={window} />
        ) : (
          <div class="over">
            <Picture drawn={drawn} window={window} zone={zone} zoom={show} />
            {isEmpty && <p class="empty inside">{isLive ? words.waiting : words.empty}</p>}
          </div>
        )}
        {!isTable && <p class="quiet small hint">{words.hint}</p>}
      </section>
      <ChartStreams streams={streams} cycles={cycles} view={view} change={change} />
    </Page>
  )
}
