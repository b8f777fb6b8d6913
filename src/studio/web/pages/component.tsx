// One component: its streams with their last values, its properties, its files.
import { useLoad } from '../load.ts'
import { useLive } from '../live.ts'
import type { LiveSample } from '../live.ts'
import { place, to } from '../router.ts'
import { hasRole } from '../session.ts'
import { shortened } from '../shortened.ts'
import { texts } from '../texts.ts'
import { showAge, showTime } from '../time.ts'
import { FittingList } from '../ui/fitting.tsx'
import { Page, ShownPage } from '../ui/parts.tsx'
import { Tabs, chosenTab } from '../ui/tabs.tsx'
import { AddSample } from './component-add-sample.tsx'
import { Files } from './component-files.tsx'
import { Properties } from './component-properties.tsx'
import type { Component, Stream } from '../catalogue.ts'
import { nameOf, streamsOf } from '../catalogue.ts'

const words = texts.component

const tabs = { streams: words.streams, files: words.files, properties: words.properties } as const

const ComponentPage = () => {
  const uid = place.value.path[1] ?? ''
  const tab = chosenTab(tabs)
  const component = useLoad(`component ${uid}`, (client) => client.entities('component').show(uid))
  return (
    <ShownPage title={texts.components.title} of={component}>
      {(shown) => (
        <Page
          title={shown.name || (shown.id ?? '')}
          lead={<span class="tag">{shown.id}</span>}
          actions={
            <>
              {hasRole('admin') && (
                <a class="button" href={to(['stream', 'new'], { component: uid })}>
                  {texts.catalogue.stream.add}
                </a>
              )}
              {hasRole('member') && <AddSample component={shown} added={component.reload} />}
              {numbersOf(shown).length > 0 && (
                <a
                  class="button first"
                  href={to(['chart'], { of: numbersOf(shown).map((id) => nameOf(shown.id ?? '', id)) })}
                >
                  {words.chartAll}
                </a>
              )}
            </>
          }
        >
          <Tabs label={shown.name} tabs={tabs} chosen={tab} />
          {tab === 'streams' && <Streams component={shown} changed={component.reload} />}
          {tab === 'files' && <Files component={shown} changed={component.reload} />}
          {tab === 'properties' && <Properties component={shown} saved={component.reload} />}
        </Page>
      )}
    </ShownPage>
  )
}

export default ComponentPage

/** As many as one chart can hold. */
const numbersOf = (component: Component): readonly string[] =>
  streamsOf(component)
    .filter(({ valueType }) => valueType === 'DOUBLE' || valueType === 'LONG')
    .slice(0, 6)
    .map(({ id }) => id ?? '')

const Streams = ({ component, changed }: { readonly component: Component; readonly changed: () => void }) => {
  const streams = streamsOf(component)
  const zone = String(component.timeZone)
  const compId = component.id ?? ''
  const live = useLive(compId === '' ? [] : [{ compId }], changed)
  if (streams.length === 0) return <p class="empty">{words.noStreams}</p>
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
        {streams.map((stream) => {
          const sample = live.values.value.get(nameOf(compId, stream.id ?? ''))
          return (
            <tr key={stream.uid}>
              <td>
                <a href={to(['stream', stream.uid ?? ''])}>{stream.name || stream.id}</a>{' '}
                {stream.name && stream.name !== stream.id && <span class="tag">{stream.id}</span>}
              </td>
              <td class="number" data-title={words.value}>
                {sample ? shownValue(sample, stream) : words.noValue}
              </td>
              <td class="quiet numbers" data-title={words.time}>
                {sample && <time title={showAge(sample.time, Date.now())}>{showTime(sample.time, zone)}</time>}
              </td>
              <td class="quiet" data-title={words.kind}>
                {stream.kind} {stream.valueType.toLowerCase()} {stream.expression && <Derived stream={stream} />}
              </td>
              <td class="end">
                {stream.valueType === 'FILE' ? (
                  <a href={to(['component', component.uid], { tab: 'files' })}>{words.files}</a>
                ) : (
                  <a href={to(['chart'], { of: nameOf(compId, stream.id ?? '') })}>{words.chart}</a>
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </FittingList>
  )
}

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
const shownValue = ({ fData, data }: LiveSample, { valueType }: Stream): string => {
  if (valueType === 'FILE') return decodeURIComponent(String(data).split('/').at(-1) ?? '')
  return shortened(fData ?? `${data ?? ''}`)
}
