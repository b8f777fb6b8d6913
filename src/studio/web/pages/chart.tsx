// A chart of one or several streams. Its address holds all of it (#/chart?of=Boiler/temp&from=…&to=…), so that a link
// shows a colleague the same picture.
import { useMemo, useState } from 'preact/hooks'
import { Picture } from '../chart/picture.tsx'
import type { Drawn } from '../chart/picture.tsx'
import { latestWindow, loadStreams, spans, wholeWindow } from '../chart/streams.ts'
import { loadWindow } from '../chart/window.ts'
import type { Window } from '../chart/window.ts'
import { useLoad } from '../load.ts'
import { place, replaceQuery } from '../router.ts'
import { client } from '../session.ts'
import { texts } from '../texts.ts'
import { Copy, Notice, Page, Shown, Spinner } from '../ui/parts.tsx'
import { ChartTable } from '../chart/table.tsx'
import { downloadCsv, downloadPicture } from '../chart/download.ts'

const words = texts.chart

const Chart = () => {
  const names = place.value.query.getAll('of')
  const streams = useLoad(`streams ${names.join(' ')}`, (calls, signal) => loadStreams(calls, names, signal))
  const title = names.length === 1 ? names[0]! : words.title
  return (
    <Page title={title}>
      <Shown of={streams}>{(found) => <Drawing key={names.join(' ')} streams={found} />}</Shown>
    </Page>
  )
}

export default Chart

const Drawing = ({ streams }: { readonly streams: Awaited<ReturnType<typeof loadStreams>> }) => {
  const { query } = place.value
  const given = { from: Number(query.get('from')), to: Number(query.get('to')) }
  const [latest] = useState(() => latestWindow(streams))
  const window: Window = given.from < given.to ? given : latest
  const [isTable, setTable] = useState(false)
  const zone = streams[0]?.zone ?? 'UTC'
  const show = ({ from, to }: Window) => {
    if (!(to - from >= 2)) return
    replaceQuery({ of: query.getAll('of'), from: String(Math.round(from)), to: String(Math.round(to)) })
  }
  const loaded = useLoad(`window ${window.from} ${window.to}`, (calls, signal) =>
    Promise.all(
      streams.map(async (stream): Promise<Drawn> => ({
        label: stream.label,
        unit: stream.unit,
        series: await loadWindow(calls, stream, window, signal),
      })),
    ),
  )
  // While a zoom loads, what is known already is drawn in the new window.
  const drawn = useMemo(() => loaded.value ?? [], [loaded.value])
  const cycle = drawn.find(({ series }) => series.cycle)?.series.cycle
  const count = drawn.reduce((sum, { series }) => sum + series.times.length, 0)
  return (
    <>
      <div class="row" role="group" aria-label={words.title}>
        {Object.entries(spans).map(([name, length]) => (
          <button
            key={name}
            aria-pressed={Math.abs(window.to - window.from - length) < 1000}
            onClick={() => show({ from: window.to - length, to: window.to })}
          >
            {words.windows[name]}
          </button>
        ))}
        <button onClick={() => void wholeWindow(client.peek(), streams).then(show)}>{words.whole}</button>
        <button aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {words.table}
        </button>
        <button onClick={() => downloadCsv(drawn)}>{words.csv}</button>
        <button onClick={() => downloadPicture()}>{words.png}</button>
        <Copy text={location.href} label={words.link} />
      </div>
      <section class="card stack">
        <p class="quiet row">
          <span>{words.zone(zone)}</span>
          <span>·</span>
          <span>{cycle ? words.by(cycle) : words.samples}</span>
          {loaded.isLoading && <Spinner />}
        </p>
        {loaded.problem !== undefined && <Notice kind="bad">{loaded.problem}</Notice>}
        {isTable ? (
          <ChartTable drawn={drawn} zone={zone} />
        ) : (
          <Picture drawn={drawn} window={window} zone={zone} zoom={show} />
        )}
        {!loaded.isLoading && loaded.problem === undefined && count === 0 && <p class="empty">{words.empty}</p>}
        <p class="quiet">{words.hint}</p>
      </section>
    </>
  )
}
