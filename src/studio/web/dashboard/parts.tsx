// What a tile shows, by its kind. A stream that is gone, or not for this person's eyes, is named as such in its place.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { CoppiceError } from '../../../client/client.ts'
import { nameOf } from '../catalogue.ts'
import { colourOf, Plot } from '../chart/plot.tsx'
import type { Drawn, Window } from '../chart/window.ts'
import type { Live, LiveSample } from '../live.ts'
import { to } from '../router.ts'
import { client } from '../session.ts'
import { texts } from '../texts.ts'
import { Age } from '../ui/age.tsx'
import { Spinner } from '../ui/parts.tsx'
import { useCurves } from './series.ts'
import { shown } from './shown.ts'
import type { FoundStream, Streams, StreamState } from './streams.ts'
import { isFound } from './streams.ts'
import type { Tile } from './tile.ts'

const words = texts.dashboards

export type TileProps = { readonly tile: Tile; readonly streams: Streams; readonly live: Live; readonly title: string }

export const TileContent = (props: TileProps) => {
  const { kind, text, stream } = props.tile
  switch (kind) {
    case 'text':
      return <p class="tile-text">{text}</p>
    case 'chart':
      return <ChartTile {...props} />
    case 'table':
      return <TableTile {...props} />
    case 'value': {
      const state = props.streams(stream[0]!)
      return isFound(state) ? <ValueTile {...props} stream={state} /> : <Missing state={state} />
    }
  }
}

const Missing = ({ state }: { readonly state: Exclude<StreamState, FoundStream> }) => (
  <p class="tile-missing">{words.missing[state.kind]}</p>
)

const totals: ReadonlySet<string> = new Set([
  'sum',
  'gapcount',
  'nongapcount',
  'intvlcount',
  'milliseccount',
  'nongapmilliseccount',
])

const ChartTile = ({ tile, streams, live, title }: TileProps) => {
  const states = tile.stream.map(streams)
  const found = states.filter(isFound)
  const gone = states.filter((state) => !isFound(state))
  const { series, window, problem } = useCurves(tile, found, live)
  const isOne = new Set(found.map(({ componentUid }) => componentUid)).size === 1
  const label = ({ componentName, name }: FoundStream) => (isOne ? name : `${componentName} ${name}`)
  // The same while only the cursor or a last value moves: the picture need not be drawn anew.
  const curves = useMemo(
    () =>
      found.map((stream, index): Drawn => ({
        label: label(stream),
        unit: stream.unit,
        series: series?.[index] ?? emptySeries,
      })),
    [series, streams],
  )
  if (found.length === 0) return <Missing state={gone[0]!} />
  const count = series?.reduce((sum, { times }) => sum + times.length, 0)
  const last = (index: number): string => {
    const { compId, streamId } = found[index]!
    const sample = tile.statistic === null ? live.values.value.get(nameOf(compId, streamId)) : undefined
    return sample ? shown(sample) : ''
  }
  return (
    <div class="tile-chart">
      <div class="legend">
        {found.map((stream, index) => (
          <a
            key={nameOf(stream.compId, stream.streamId)}
            href={to(['chart'], { of: nameOf(stream.compId, stream.streamId) })}
            title={`${stream.componentName} ${stream.name}`}
          >
            <i style={{ background: `var(${colourOf(index)})` }} />
            {label(stream)} <b class="numbers">{last(index)}</b>
          </a>
        ))}
      </div>
      {gone.length > 0 && <Missing state={gone[0]!} />}
      {problem !== undefined && <p class="tile-missing">{problem}</p>}
      {series === undefined ? (
        problem === undefined && <Spinner />
      ) : count === 0 ? (
        <p class="empty">{texts.chart.empty}</p>
      ) : (
        <Plot
          look="tile"
          drawn={curves}
          window={tile.statistic === null ? window : untilEnd(window, curves)}
          zone={found[0]!.zone}
          label={title}
          isBars={tile.statistic !== null && totals.has(tile.statistic)}
        />
      )}
    </div>
  )
}

/** The interval that goes on is shown whole. */
const untilEnd = (window: Window, curves: readonly Drawn[]): Window => ({
  from: window.from,
  to: Math.max(window.to, ...curves.map(({ series: { times } }) => times.at(-1) ?? window.to)),
})

const emptySeries = {
  times: [],
  values: [],
  least: undefined,
  most: undefined,
  cycle: undefined,
  isInterval: false,
} as const

const ValueTile = ({ tile, live, title, stream }: TileProps & { readonly stream: FoundStream }) => {
  const last = live.values.value.get(nameOf(stream.compId, stream.streamId))
  const statistic = useStatistic(tile, stream, last)
  const sample = tile.statistic === null ? last : statistic
  const text = sample ? shown(sample) : words.noValue
  return (
    <div class="tile-value">
      <strong
        class={`numbers ${typeof sample?.data === 'number' ? 'fitting' : ''}`}
        style={{ '--letters': Math.max(1, text.length) }}
      >
        {text}
      </strong>
      {sample && tile.statistic === null && <Age time={sample.time} zone={stream.zone} />}
      {tile.statistic !== null && <span class="quiet">{words.statisticOf(tile.statistic, tile.cycleId ?? '')}</span>}
      {tile.seconds !== null && stream.isNumber && <Trend tile={tile} stream={stream} live={live} title={title} />}
    </div>
  )
}

const Trend = ({ tile, stream, live, title }: Omit<TileProps, 'streams'> & { readonly stream: FoundStream }) => {
  const { series, window } = useCurves({ ...tile, cycleId: null, statistic: null }, [stream], live)
  if (!series?.[0]) return null
  return (
    <Plot
      drawn={[{ label: stream.name, unit: stream.unit, series: series[0] }]}
      window={window}
      zone={stream.zone}
      label={title}
      look="bare"
    />
  )
}

const statisticEveryMs = 5000

/** The statistic of the latest interval; loaded anew when samples have come. */
const useStatistic = (
  { cycleId, statistic }: Tile,
  { compId, streamId }: FoundStream,
  last: LiveSample | undefined,
): LiveSample | undefined => {
  const [value, setValue] = useState<LiveSample>()
  const [due, setDue] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setDue((n) => n + 1), due === 0 ? 0 : statisticEveryMs)
    return () => clearTimeout(timer)
  }, [last?.time, last?.data])
  useEffect(() => {
    if (cycleId === null || statistic === null) return undefined
    const control = new AbortController()
    client
      .peek()
      .call('GET /api/comp/{compId}/stream/{streamId}/cycle/{cycleId}/stat/{statId}/last_value', {
        path: { compId, streamId, cycleId, statId: statistic },
        query: { retFData: true, retUnit: true },
        signal: control.signal,
      })
      .then(([found]) => setValue(found))
      // The next sample tries again; a cycle that is gone has no value.
      .catch((error: unknown) => error instanceof CoppiceError && error.status === 404 && setValue(undefined))
    return () => control.abort()
  }, [due, cycleId, statistic, compId, streamId])
  return value
}

const TableTile = ({ tile, streams, live }: TileProps) => {
  const isOne = new Set(tile.stream.map(({ componentUid }) => componentUid)).size === 1
  return (
    <div class="tile-table scroll" tabIndex={0} role="group" aria-label={words.kinds.table}>
      <table>
        <thead>
          <tr>
            <th>{texts.component.stream}</th>
            <th class="number">{texts.component.value}</th>
            <th>{texts.component.time}</th>
          </tr>
        </thead>
        <tbody>
          {tile.stream.map((named) => (
            <TableRow
              key={`${named.componentUid} ${named.streamId}`}
              state={streams(named)}
              live={live}
              id={named.streamId}
              isOne={isOne}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

const TableRow = ({
  state,
  live,
  id,
  isOne,
}: {
  readonly state: StreamState
  readonly live: Live
  readonly id: string
  /** Whether all rows are of one component, which need not be named in each. */
  readonly isOne: boolean
}) => {
  if (!isFound(state))
    return (
      <tr>
        <td class="quiet">{id}</td>
        <td colSpan={2} class="quiet">
          {words.missing[state.kind]}
        </td>
      </tr>
    )
  const sample = live.values.value.get(nameOf(state.compId, state.streamId))
  return (
    <tr>
      <td>
        <a href={to(['component', state.componentUid])}>{isOne ? state.name : state.componentName}</a>{' '}
        {!isOne && state.name}
      </td>
      <td class={typeof sample?.data === 'number' ? 'number one-line' : 'number'}>
        {sample ? shown(sample) : words.noValue}
      </td>
      <td class="age">{sample && <Age time={sample.time} zone={state.zone} />}</td>
    </tr>
  )
}
