// What an expression would give, as a table and a chart. Nothing is stored.
import { useMemo, useState } from 'preact/hooks'
import type { ReplyOf } from '../../../client/client.ts'
import { Picture } from '../chart/picture.tsx'
import { spans } from '../chart/streams.ts'
import { withGaps } from '../chart/window.ts'
import type { Window } from '../chart/window.ts'
import { client } from '../session.ts'
import { texts } from '../texts.ts'
import { showTime } from '../time.ts'
import { Choice } from '../ui/fields.tsx'
import { List } from '../ui/list.tsx'
import { Spinner } from '../ui/parts.tsx'
import { ComponentField, componentUidOf } from '../ui/pick.tsx'
import type { Draft, Owner } from './stream-draft.ts'
import { testOf } from './stream-draft.ts'

const words = texts.catalogue.stream
type Rows = ReplyOf<'POST /api/stream/derive_test'>['rows']
type Tried = { readonly rows: Rows; readonly more: boolean; readonly window: Window }

export const Preview = ({
  draft,
  owner,
  begin,
  refuse,
}: {
  readonly draft: Draft
  readonly owner: Owner
  readonly begin: () => void
  readonly refuse: (error: unknown) => void
}) => {
  const [span, setSpan] = useState('day')
  const [tried, setTried] = useState<Tried>()
  const [isBusy, setBusy] = useState(false)
  const [isChart, setChart] = useState(false)
  // A template has no samples: a component lends its own.
  const [sample, setSample] = useState(owner.kind === 'component' ? owner.id : '')
  const zone = owner.kind === 'component' ? owner.zone : 'UTC'
  const tryIt = async () => {
    setBusy(true)
    begin()
    try {
      const uid = owner.kind === 'component' ? owner.uid : await componentUidOf(client.peek(), sample)
      const window = await windowOf(draft, sample, spans[span]!)
      const { rows, more } = await client
        .peek()
        .call('POST /api/stream/derive_test', { body: testOf(draft, uid, window) })
      setTried({ rows, more, window })
    } catch (error) {
      setTried(undefined)
      refuse(error)
    }
    setBusy(false)
  }
  const drawn = useMemo(() => (tried ? drawnOf(tried.rows, draft) : undefined), [tried])
  return (
    <section class="card stack">
      <h2>{words.preview}</h2>
      <p class="quiet">{words.previewLead}</p>
      {owner.kind === 'template' && <ComponentField label={words.sampled} value={sample} change={setSample} />}
      <div class="row">
        <div>
          <Choice label={words.window} value={span} options={texts.chart.windows} change={setSpan} />
        </div>
        <button class="low" onClick={() => void tryIt()}>
          {words.try}
        </button>
        {drawn && (
          <button class="low" aria-pressed={isChart} onClick={() => setChart(!isChart)}>
            {texts.chart.picture}
          </button>
        )}
        {isBusy && <Spinner />}
      </div>
      {tried && (
        <>
          <p class="quiet" role="status">
            {words.found(tried.rows.length)} {tried.more && words.more}
          </p>
          {isChart && drawn ? (
            <Picture drawn={drawn} window={tried.window} zone={zone} />
          ) : (
            <div class="tall" tabIndex={0} role="region" aria-label={words.preview}>
              <List
                rows={tried.rows}
                keyOf={({ time }) => time}
                empty={words.empty}
                columns={[
                  { title: words.time, shown: ({ time }) => <span class="numbers">{showTime(time, zone, true)}</span> },
                  { title: words.value, shown: ({ data }) => String(data), isNumber: true },
                ]}
              />
            </div>
          )}
        </>
      )}
    </section>
  )
}

/** The span that ends with the latest sample of the variables' streams. */
const windowOf = async (draft: Draft, ownId: string, length: number): Promise<Window> => {
  const lasts = await Promise.all(
    draft.variables.map(({ componentId = ownId, streamId }) =>
      client
        .peek()
        .lastValues(componentId, { stream: streamId })
        // A stream that is not there is the server's to report, with the variable's name.
        .catch(() => []),
    ),
  )
  const last = Math.max(...lasts.flat().map(({ time }) => time))
  const to = (Number.isFinite(last) ? last : Date.now()) + 1
  return { from: to - length, to }
}

/** Undefined where there is nothing to draw. */
const drawnOf = (rows: Rows, { name, id, kind }: Draft) => {
  const times = rows.map(({ time }) => time)
  const values = rows.map(({ data }) => (typeof data === 'number' ? data : null))
  if (rows.length < 2 || values.every((value) => value === null)) return undefined
  const isInterval = kind === 'interval'
  const shown = isInterval ? { times, values } : withGaps(times, values)
  return [
    {
      label: name || id,
      unit: '',
      series: { ...shown, least: undefined, most: undefined, cycle: undefined, isInterval },
    },
  ]
}
