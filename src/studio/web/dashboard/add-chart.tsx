// A chart as a tile of a dashboard, one that is there or a new one: its streams, and a window of about its length that
// ends now.
import { useState } from 'preact/hooks'
import type { ChartStream } from '../chart/streams.ts'
import { useLoad, loadEntities } from '../load.ts'
import { to } from '../router.ts'
import { client } from '../session.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Form, Shown } from '../ui/parts.tsx'
import { freePlace } from './layout.ts'
import { windows } from './tile-form.tsx'
import type { Dashboard, Tile } from './tile.ts'
import { mostTiles, placedOf, sizes, tilesOf } from './tile.ts'

const words = texts.dashboards

type ChartOf = {
  readonly streams: readonly ChartStream[]
  readonly lengthMs: number
  /** Whether statistics are laid over it, which a tile does not show. */
  readonly hasOverlays: boolean
}

export const AddToDashboard = (chart: ChartOf) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button onClick={() => setOpen(true)}>{words.addChart}</button>
      {isOpen && <Choosing {...chart} close={() => setOpen(false)} />}
    </>
  )
}

const Choosing = ({ streams, lengthMs, hasOverlays, close }: ChartOf & { readonly close: () => void }) => {
  const list = useLoad('dashboards to choose', async (calls, signal) => {
    const { rows } = await loadEntities(calls, 'dashboard', { sort: 'name' }, 10_000, signal)
    return rows
  })
  const [made, setMade] = useState<Dashboard>()
  if (made)
    return (
      <Dialog title={words.addChart} close={close}>
        <p role="status">{words.added(made.name)}</p>
        <div class="row">
          <a class="button first" href={to(['dashboard', made.uid])}>
            {words.open}
          </a>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={words.addChart} close={close}>
      <Shown of={list}>
        {(dashboards) => <ChooseForm dashboards={dashboards} lengthMs={lengthMs} streams={streams} done={setMade} />}
      </Shown>
      {hasOverlays && <p class="quiet">{words.withoutOverlays}</p>}
    </Dialog>
  )
}

const ChooseForm = ({
  dashboards,
  lengthMs,
  streams,
  done,
}: Pick<ChartOf, 'streams' | 'lengthMs'> & {
  readonly dashboards: readonly Dashboard[]
  readonly done: (dashboard: Dashboard) => void
}) => {
  const [uid, setUid] = useState(dashboards[0]?.uid ?? '')
  const usual = windows.find((seconds) => seconds * 1000 >= lengthMs * 0.98) ?? windows.at(-1)!
  return (
    <Form
      button={words.addTile}
      submit={async ({ name = '', title = '', seconds = '' }) => {
        const tile = tileOf(streams, title, Number(seconds))
        done(uid === '' ? await make(name, tile) : await append(uid, tile))
      }}
    >
      <Field label={words.dashboard}>
        <select onChange={(event) => setUid(event.currentTarget.value)}>
          {dashboards.map((each) => (
            <option key={each.uid} value={each.uid} selected={each.uid === uid}>
              {each.name}
            </option>
          ))}
          <option value="" selected={uid === ''}>
            {words.add}
          </option>
        </select>
      </Field>
      {uid === '' && (
        <Field label={words.name}>
          <input name="name" required maxLength={512} placeholder={words.nameExample} />
        </Field>
      )}
      <Field label={words.tileTitle}>
        <input name="title" maxLength={200} />
      </Field>
      <Field label={words.window}>
        <select name="seconds">
          {windows.map((seconds) => (
            <option key={seconds} value={String(seconds)} selected={seconds === usual}>
              {words.windowOf(seconds)}
            </option>
          ))}
        </select>
      </Field>
    </Form>
  )
}

const tileOf = (streams: readonly ChartStream[], title: string, seconds: number): Tile => ({
  kind: 'chart',
  title,
  column: 0,
  row: 0,
  ...sizes.chart,
  stream: streams.map(({ componentUid, streamId }) => ({ componentUid, streamId })),
  cycleId: null,
  statistic: null,
  seconds,
  text: '',
})

const make = (name: string, tile: Tile) =>
  client
    .peek()
    .entities('dashboard')
    .make({ name, tile: [tile] })

/** Behind the tiles that it has now, in the first place with room. */
const append = async (uid: string, tile: Tile): Promise<Dashboard> => {
  const dashboards = client.peek().entities('dashboard')
  const { tile: known, version } = await dashboards.show(uid)
  if (known.length >= mostTiles) throw new Error(words.full(mostTiles))
  const placed = placedOf(known)
  const own = { ...tile, ...freePlace(placed, tile.width, tile.height) }
  return dashboards.change(uid, { tile: [...tilesOf(placed), own], version })
}
