// A tile, new or changed: its kind, its streams, its window, its statistic.
import { useState } from 'preact/hooks'
import { loadCycles } from '../chart/cycles.ts'
import { useLoad } from '../load.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Form } from '../ui/parts.tsx'
import { StreamPicker } from './picker.tsx'
import type { Chosen } from './picker.tsx'
import type { Kind, Tile } from './tile.ts'
import { mostStreams } from './tile.ts'

const words = texts.dashboards

export type TileContent = Omit<Tile, 'column' | 'row' | 'width' | 'height'>

const kinds: readonly Kind[] = ['chart', 'value', 'table', 'text']

export const windows: readonly number[] = [
  900, 3600, 21_600, 86_400, 604_800, 2_592_000, 7_776_000, 31_536_000, 157_680_000,
]

export const TileForm = ({
  of,
  chosen: first,
  close,
  done,
}: {
  /** Undefined: a new one. */
  readonly of: Tile | undefined
  readonly chosen: readonly Chosen[]
  readonly close: () => void
  readonly done: (tile: TileContent) => void
}) => {
  const [kind, setKind] = useState<Kind>(of?.kind ?? 'chart')
  const [chosen, setChosen] = useState(first)
  const [statistic, setStatistic] = useState(of?.statistic ?? '')
  const most = mostStreams[kind]
  return (
    <Dialog title={of ? words.editTile : words.addTile} close={close}>
      <Form
        button={of ? texts.save : words.addTile}
        submit={async ({ title = '', text = '', seconds = '', cycleId = '' }) => {
          const streams = chosen.slice(0, most).map(({ componentUid, streamId }) => ({ componentUid, streamId }))
          if (most > 0 && streams.length === 0) throw new Error(words.needsStream)
          const hasStatistic = (kind === 'chart' || kind === 'value') && statistic !== ''
          done({
            kind,
            title,
            stream: streams,
            cycleId: hasStatistic ? cycleId || 'day' : null,
            statistic: hasStatistic ? (statistic as NonNullable<Tile['statistic']>) : null,
            seconds: kind === 'chart' || kind === 'value' ? Number(seconds) || null : null,
            text: kind === 'text' ? text : '',
          })
        }}
      >
        <fieldset class="plain kinds">
          <legend>{words.kind}</legend>
          {kinds.map((each) => (
            <label key={each}>
              <input type="radio" name="kind" checked={kind === each} onChange={() => setKind(each)} />
              <strong>{words.kinds[each]}</strong>
              <span class="quiet">{words.kindLeads[each]}</span>
            </label>
          ))}
        </fieldset>
        {most > 0 && <StreamPicker chosen={chosen.slice(0, most)} most={most} change={setChosen} />}
        {kind === 'text' && (
          <Field label={words.text}>
            <textarea name="text" rows={5} maxLength={10_000} required>
              {of?.text ?? ''}
            </textarea>
          </Field>
        )}
        <Field label={words.tileTitle}>
          <input name="title" maxLength={200} defaultValue={of?.title ?? ''} />
        </Field>
        {(kind === 'chart' || kind === 'value') && (
          <div class="fields">
            <Field label={kind === 'chart' ? words.window : words.trend}>
              <select name="seconds" key={kind}>
                {kind === 'value' && <option value="">{words.noTrend}</option>}
                {windowsWith(of?.seconds).map((seconds) => (
                  <option key={seconds} value={String(seconds)} selected={seconds === (of?.seconds ?? usual[kind])}>
                    {words.windowOf(seconds)}
                  </option>
                ))}
              </select>
            </Field>
            <Field label={words.statistic}>
              <select value={statistic} onChange={(event) => setStatistic(event.currentTarget.value)}>
                <option value="">{kind === 'chart' ? words.automatic : words.lastValue}</option>
                {Object.entries(words.statistics).map(([name, label]) => (
                  <option key={name} value={name}>
                    {label}
                  </option>
                ))}
              </select>
            </Field>
            {statistic !== '' && <Cycles first={of?.cycleId ?? 'day'} />}
          </div>
        )}
      </Form>
    </Dialog>
  )
}

/** A chart has a window, a value may do without a curve. */
const usual: Readonly<Partial<Record<Kind, number>>> = { chart: 86_400 }

/** One that somebody wrote by the API stays. */
const windowsWith = (seconds: number | null | undefined): readonly number[] =>
  seconds && !windows.includes(seconds) ? [...windows, seconds].toSorted((a, b) => a - b) : windows

const Cycles = ({ first }: { readonly first: string }) => {
  const { value = [] } = useLoad('cycles of tiles', (client, signal) => loadCycles(client, signal))
  const all = value.some(({ id }) => id === first) ? value : [{ id: first, name: first, length: 0 }, ...value]
  return (
    <Field label={words.cycle}>
      <select name="cycleId" key={all.length}>
        {all.map(({ id, name }) => (
          <option key={id} value={id} selected={id === first}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  )
}
