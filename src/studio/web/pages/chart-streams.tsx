// The streams of a chart: statistics of any cycle over each, streams of other components beside them.
import { useState } from 'preact/hooks'
import type { Statistic } from '../../../client/client.ts'
import type { CycleChoice } from '../chart/cycles.ts'
import type { ChartStream } from '../chart/streams.ts'
import { drawnStatistics } from '../chart/view.ts'
import type { View } from '../chart/view.ts'
import { texts } from '../texts.ts'
import { nameOf } from '../catalogue.ts'
import { StreamSearch } from '../ui/stream-search.tsx'

const words = texts.chart

/** As many as there are colours. */
const mostLines = 6

export const ChartStreams = ({
  streams,
  cycles,
  view,
  change,
}: {
  readonly streams: readonly ChartStream[]
  readonly cycles: readonly CycleChoice[]
  readonly view: View
  readonly change: (change: Partial<View>) => void
}) => {
  const remove = (name: string) =>
    change({ of: view.of.filter((one) => one !== name), over: view.over.filter(({ of }) => of !== name) })
  return (
    <section class="card stack" aria-label={words.chosen}>
      <h2>{words.chosen}</h2>
      <ul class="plain stack">
        {streams.map(({ name, label }) => (
          <li key={name} class="row">
            <strong>{label}</strong>
            {view.over
              .filter(({ of }) => of === name)
              .map((one) => (
                <span class="tag">
                  {words.statistic(one.statistic, one.cycle)}
                  <button
                    class="bare tiny"
                    aria-label={words.without(words.overlay(label, one.statistic, one.cycle))}
                    onClick={() => change({ over: view.over.filter((other) => other !== one) })}
                  >
                    ×
                  </button>
                </span>
              ))}
            <AddOverlay
              label={label}
              cycles={cycles}
              add={(cycle, statistic) => change({ over: [...view.over, { of: name, cycle, statistic }] })}
            />
            {streams.length > 1 && (
              <button class="bare link" aria-label={words.without(label)} onClick={() => remove(name)}>
                {words.remove}
              </button>
            )}
          </li>
        ))}
      </ul>
      {streams.length < mostLines && <AddStream add={(name) => change({ of: [...view.of, name] })} known={view.of} />}
    </section>
  )
}

const AddOverlay = ({
  label,
  cycles,
  add,
}: {
  readonly label: string
  readonly cycles: readonly CycleChoice[]
  readonly add: (cycle: string, statistic: Statistic) => void
}) => {
  const [isOpen, setOpen] = useState(false)
  const [cycle, setCycle] = useState('day')
  const [statistic, setStatistic] = useState<Statistic>('avg')
  if (!isOpen)
    return (
      <button class="bare link" onClick={() => setOpen(true)}>
        {words.addOverlay}
      </button>
    )
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault()
        add(cycle, statistic)
        setOpen(false)
      }}
    >
      <select
        class="short"
        aria-label={words.statisticOf(label)}
        value={statistic}
        onChange={(event) => setStatistic(event.currentTarget.value as Statistic)}
      >
        {drawnStatistics.map((one) => (
          <option value={one}>{words.statistics[one]}</option>
        ))}
      </select>
      <select
        class="short"
        aria-label={words.cycleOf(label)}
        value={cycle}
        onChange={(event) => setCycle(event.currentTarget.value)}
      >
        {cycles.map(({ id, name }) => (
          <option value={id}>{name}</option>
        ))}
      </select>
      <button>{words.add}</button>
    </form>
  )
}

const AddStream = ({ add, known }: { readonly add: (name: string) => void; readonly known: readonly string[] }) => (
  <div class="narrow">
    <StreamSearch
      label={words.addStream}
      waitsForText
      draw={({ compId, streamId, valueType, label }, shown) => {
        const name = nameOf(compId, streamId)
        return valueType === 'FILE' || known.includes(name) ? null : (
          <button key={name} class="bare line" aria-label={label} onClick={() => add(name)}>
            {shown}
          </button>
        )
      }}
    />
  </div>
)
