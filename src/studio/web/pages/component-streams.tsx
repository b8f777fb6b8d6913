// The streams of a component with their last values, as they are stored. Up to a hundred are a list; of more, and there may
// be 10,000, the rows in view exist and are listened to, and one looks for others by text.
import { useState } from 'preact/hooks'
import type { Component, Stream } from '../catalogue.ts'
import { nameOf } from '../catalogue.ts'
import { liveOf, useLive } from '../live.ts'
import type { Live, LiveSample } from '../live.ts'
import { useLoad } from '../load.ts'
import { to } from '../router.ts'
import { client } from '../session.ts'
import { shortened } from '../shortened.ts'
import { firstStreams, streamsPage } from '../stream-search.ts'
import type { StreamRows } from '../stream-search.ts'
import { texts } from '../texts.ts'
import { showAge, showTime } from '../time.ts'
import { Endless } from '../ui/endless.tsx'
import { FittingList } from '../ui/fitting.tsx'
import { Shown } from '../ui/parts.tsx'
import { Search } from '../ui/search.tsx'

const words = texts.component

type Of = { readonly component: Component; readonly first: StreamRows; readonly changed: () => void }

export const Streams = (of: Of) => {
  const { rows, totalCount } = of.first
  if (totalCount === 0) return <p class="empty">{words.noStreams}</p>
  return rows.length === totalCount ? <All {...of} /> : <Many {...of} />
}

const liveOfRows = ({ id }: Component, rows: readonly Stream[]) =>
  id === null ? [] : liveOf(rows.map((stream) => ({ compId: id, streamId: stream.id ?? '' })))

const All = ({ component, first: { rows }, changed }: Of) => {
  const zone = String(component.timeZone)
  const live = useLive(liveOfRows(component, rows), changed)
  return (
    <FittingList>
      <thead>
        <tr>
          <th>{words.stream}</th>
          <th class="number">{words.value}</th>
          <th>{words.timeIn(zone)}</th>
          <th>{words.kind}</th>
          <th>
            <span class="only-heard">{words.chart}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((stream) => {
          const sample = lastOf(live, component, stream)
          return (
            <tr key={stream.uid}>
              <td>
                <a href={to(['stream', stream.uid ?? ''])}>{stream.name || stream.id}</a>{' '}
                {stream.name && stream.name !== stream.id && <span class="tag">{stream.id}</span>}
              </td>
              <td class="number" data-title={words.value}>
                {shownValue(sample, stream)}
              </td>
              <td class="quiet numbers" data-title={words.time}>
                <Time sample={sample} zone={zone} />
              </td>
              <td class="quiet" data-title={words.kind}>
                <Kind stream={stream} />
              </td>
              <td class="end">
                <a href={drawnAt(component, stream)}>{stream.valueType === 'FILE' ? words.files : words.chart}</a>
              </td>
            </tr>
          )
        })}
      </tbody>
    </FittingList>
  )
}

const Many = ({ component, first, changed }: Of) => {
  const [text, setText] = useState('')
  const [seen, setSeen] = useState<readonly Stream[]>([])
  const live = useLive(liveOfRows(component, seen), changed)
  const zone = String(component.timeZone)
  const found = useLoad(
    `streams of ${component.uid} ${text}`,
    (calls, signal) => (text === '' ? Promise.resolve(first) : firstStreams(calls, component.uid, { text }, signal)),
    undefined,
    first,
  )
  return (
    <div class="stack">
      <Search label={texts.components.search} value={text} change={setText} />
      <Shown of={found}>
        {({ rows, totalCount }) => (
          <>
            <p class="quiet" role="status">
              {words.found(totalCount)}
            </p>
            <Endless
              key={text}
              label={words.streams}
              first={rows}
              total={totalCount}
              load={async (start, limit, signal) =>
                (await streamsPage(client.peek(), component.uid, { text: text || undefined, start, limit }, signal))
                  .rows
              }
              columns={[
                {
                  title: words.stream,
                  shown: ({ uid, id, name }) => (
                    <a href={to(['stream', uid ?? ''])} title={name}>
                      {name || id}
                    </a>
                  ),
                },
                { title: words.id, shown: ({ id }) => <span title={id ?? ''}>{id}</span> },
                { title: words.kind, shown: (stream) => <Kind stream={stream} /> },
                {
                  title: words.value,
                  shown: (stream) => (
                    <a href={drawnAt(component, stream)} title={words.chart}>
                      {shownValue(lastOf(live, component, stream), stream)}
                    </a>
                  ),
                },
                {
                  title: words.timeIn(zone),
                  shown: (stream) => <Time sample={lastOf(live, component, stream)} zone={zone} />,
                },
              ]}
              seen={setSeen}
            />
          </>
        )}
      </Shown>
    </div>
  )
}

const lastOf = (live: Live, component: Component, stream: Stream): LiveSample | undefined =>
  live.values.value.get(nameOf(component.id ?? '', stream.id ?? ''))

/** Files are shown on a page of their own. */
const drawnAt = (component: Component, stream: Stream): string =>
  stream.valueType === 'FILE'
    ? to(['component', component.uid], { tab: 'files' })
    : to(['chart'], { of: nameOf(component.id ?? '', stream.id ?? '') })

const Time = ({ sample, zone }: { readonly sample: LiveSample | undefined; readonly zone: string }) =>
  sample ? <time title={showAge(sample.time, Date.now())}>{showTime(sample.time, zone)}</time> : null

const Kind = ({ stream }: { readonly stream: Stream }) => (
  <span class="quiet">
    {stream.kind} {stream.valueType.toLowerCase()} {stream.expression && <Derived stream={stream} />}
  </span>
)

const Derived = ({ stream: { deriveError, staleFrom } }: { readonly stream: Stream }) => (
  <>
    <span class="tag">{words.derived}</span>{' '}
    {deriveError ? (
      <span class="tag bad" title={deriveError.message}>
        {words.failing}
      </span>
    ) : (
      typeof staleFrom === 'number' && <span class="tag warn">{words.stale}</span>
    )}
  </>
)

/** Of a file its name, which is the end of its path. */
const shownValue = (sample: LiveSample | undefined, { valueType }: Stream): string => {
  if (sample === undefined) return words.noValue
  if (valueType === 'FILE') return decodeURIComponent(String(sample.data).split('/').at(-1) ?? '')
  return shortened(sample.fData ?? `${sample.data ?? ''}`)
}
