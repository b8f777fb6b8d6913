// One component: its streams with their last values, its properties, its files.
import type { Stream } from '../catalogue.ts'
import { nameOf } from '../catalogue.ts'
import { useLoad } from '../load.ts'
import { place, to } from '../router.ts'
import { hasRole } from '../session.ts'
import { firstStreams, showHead } from '../stream-search.ts'
import { texts } from '../texts.ts'
import { Page, Shown, ShownPage } from '../ui/parts.tsx'
import { Tabs, chosenTab } from '../ui/tabs.tsx'
import { AddSample } from './component-add-sample.tsx'
import { Files } from './component-files.tsx'
import { Properties } from './component-properties.tsx'
import { Streams } from './component-streams.tsx'

const words = texts.component

const tabs = { streams: words.streams, files: words.files, properties: words.properties } as const

const ComponentPage = () => {
  const uid = place.value.path[1] ?? ''
  const tab = chosenTab(tabs)
  const component = useLoad(`component ${uid}`, (calls, signal) => showHead(calls, uid, signal))
  const streams = useLoad(`streams of ${uid}`, (calls, signal) => firstStreams(calls, uid, {}, signal))
  const reload = () => {
    component.reload()
    streams.reload()
  }
  const numbers = numbersOf(streams.value?.rows ?? [])
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
              {hasRole('member') && streams.value && (
                <AddSample component={shown} first={streams.value} added={streams.reload} />
              )}
              {numbers.length > 0 && (
                <a class="button first" href={to(['chart'], { of: numbers.map((id) => nameOf(shown.id ?? '', id)) })}>
                  {words.chartAll}
                </a>
              )}
            </>
          }
        >
          <Tabs label={shown.name} tabs={tabs} chosen={tab} />
          {tab === 'streams' && (
            <Shown of={streams}>{(first) => <Streams component={shown} first={first} changed={reload} />}</Shown>
          )}
          {tab === 'files' && <Files component={shown} />}
          {tab === 'properties' && <Properties component={shown} saved={component.reload} />}
        </Page>
      )}
    </ShownPage>
  )
}

export default ComponentPage

/** As many as one chart can hold. */
const numbersOf = (rows: readonly Stream[]): readonly string[] =>
  rows
    .filter(({ valueType }) => valueType === 'DOUBLE' || valueType === 'LONG')
    .slice(0, 6)
    .map(({ id }) => id ?? '')
