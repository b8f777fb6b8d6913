// One component: its streams with their last values, its properties, its files.
import { useLoad } from '../load.ts'
import { place, to } from '../router.ts'
import { texts } from '../texts.ts'
import { showAge, showTime } from '../time.ts'
import { Page, Shown } from '../ui/parts.tsx'
import { Properties } from './component-properties.tsx'
import type { Sample } from '../../../client/client.ts'
import type { Component, Stream } from '../catalogue.ts'

const words = texts.component

const tabs = { streams: words.streams, properties: words.properties } as const

const ComponentPage = () => {
  const uid = place.value.path[1] ?? ''
  const tab = place.value.query.get('tab') ?? 'streams'
  const component = useLoad(`component ${uid}`, (client) => client.entities('component').show(uid))
  return (
    <Shown of={component}>
      {(shown) => (
        <Page
          title={shown.name || (shown.id ?? '')}
          lead={<span class="tag">{shown.id}</span>}
          actions={
            <a class="button" href={to(['chart'], { of: numbersOf(shown).map((id) => `${shown.id}/${id}`) })}>
              {words.chartAll}
            </a>
          }
        >
          <nav class="tabs" aria-label={shown.name}>
            {Object.entries(tabs).map(([name, title]) => (
              <a href={to(['component', uid], { tab: name })} aria-current={name === tab ? 'page' : undefined}>
                {title}
              </a>
            ))}
          </nav>
          {tab === 'properties' ? (
            <Properties component={shown} saved={component.reload} />
          ) : (
            <Streams component={shown} />
          )}
        </Page>
      )}
    </Shown>
  )
}

export default ComponentPage

const streamsOf = (component: Component) => (component.stream ?? []) as readonly Stream[]

/** As many as one chart can hold. */
const numbersOf = (component: Component): readonly string[] =>
  streamsOf(component)
    .filter(({ valueType }) => valueType === 'DOUBLE' || valueType === 'LONG')
    .slice(0, 6)
    .map(({ id }) => String(id))

const Streams = ({ component }: { readonly component: Component }) => {
  const streams = streamsOf(component)
  const zone = String(component.timeZone)
  const values = useLoad(
    `last values ${component.uid}`,
    async (client, signal) => {
      const all = await client.lastValues(component.id ?? '', { retStreamId: true, retFData: true, signal })
      return new Map(all.map((sample) => [sample.streamId, sample]))
    },
    5000,
  )
  if (streams.length === 0) return <p class="empty">{words.noStreams}</p>
  return (
    <div class="card flush scroll">
      <table>
        <thead>
          <tr>
            <th>{words.stream}</th>
            <th class="number">{words.value}</th>
            <th>{words.time}</th>
            <th>{words.kind}</th>
            <th>
              <span class="only-heard">{words.chart}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {streams.map((stream) => {
            const sample = values.value?.get(stream.id ?? '')
            return (
              <tr key={stream.uid}>
                <td>
                  <strong>{stream.name || stream.id}</strong>{' '}
                  {stream.name && stream.name !== stream.id && <span class="tag">{stream.id}</span>}
                </td>
                <td class="number">{sample ? shownValue(sample) : words.noValue}</td>
                <td class="quiet numbers">
                  {sample && <time title={showAge(sample.time, Date.now())}>{showTime(sample.time, zone)}</time>}
                </td>
                <td class="quiet">
                  {stream.kind} {stream.valueType.toLowerCase()}{' '}
                  {stream.expression ? <span class="tag">{words.derived}</span> : ''}
                </td>
                <td>
                  <a href={to(['chart'], { of: `${component.id}/${stream.id}` })}>{words.chart}</a>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

const shownValue = (sample: Sample): string => {
  const { fData, data } = sample as { readonly fData?: string; readonly data?: string | number | boolean | null }
  return fData ?? `${data ?? ''}`
}
