// A chart that one moves about in, with its legend, in which lines are hidden and shown; plot.tsx draws it.
import { useState } from 'preact/hooks'
import { shortened } from '../shortened.ts'
import { texts } from '../texts.ts'
import { statesOf } from './item.ts'
import { colourOf, Plot } from './plot.tsx'
import type { Drawn, Window } from './window.ts'

export type { Drawn } from './window.ts'

export const Picture = ({
  drawn,
  window,
  zone,
  zoom,
}: {
  readonly drawn: readonly Drawn[]
  readonly window: Window
  readonly zone: string
  readonly zoom?: (window: Window) => void
}) => {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const toggle = (label: string) =>
    setHidden((before) => new Set(before.has(label) ? [...before].filter((one) => one !== label) : [...before, label]))
  const label = `${drawn.map((one) => one.label).join(', ')}. ${texts.chart.zone(zone)}`
  return (
    <div class="chart">
      <Plot drawn={drawn} hidden={hidden} window={window} zone={zone} zoom={zoom} label={label} />
      <ul class="legend">
        {drawn.map(({ label: name, unit, isOverlay, series }, index) => (
          <li key={name}>
            <button class="bare" aria-pressed={!hidden.has(name)} onClick={() => toggle(name)}>
              {!series.texts && <span class={`swatch series-${1 + (index % 6)} ${isOverlay ? 'dashed' : ''}`} />}
              {name}
              {unit.trim() !== '' && <span class="quiet">{unit}</span>}
            </button>
            {series.texts && <States of={statesOf(series)} />}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** More states have colours that repeat: the values at the cursor name them. */
const mostStates = 6
const longestState = 60

const States = ({ of }: { readonly of: readonly string[] }) => (
  <>
    {of.slice(0, mostStates).map((text, place) => (
      <span key={text} class="state">
        <i style={{ background: `var(${colourOf(place)})` }} />
        {shortened(text, longestState)}
      </span>
    ))}
    {of.length > mostStates && <span class="state quiet">+{of.length - mostStates}</span>}
  </>
)
