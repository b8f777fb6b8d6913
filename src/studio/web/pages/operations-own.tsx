// The figures of one organization, for its admins: what it has, and what of it fails or is behind. They are counted by the lists of the
// API, every half minute.
import type { ComponentChildren } from 'preact'
import type { Client } from '../../../client/client.ts'
import { loadEntities, useLoad } from '../load.ts'
import { to } from '../router.ts'
import { texts } from '../texts.ts'
import { List } from '../ui/list.tsx'
import { Shown } from '../ui/parts.tsx'

const words = texts.operations.own

const everyMs = 30_000
/** More are not looked through for those that fail. */
const most = 2000
/** A run that was due so long ago is late. */
const lateMs = 60_000

type Failure = { readonly name: string; readonly place: readonly [string, string]; readonly error: string }

const loadOwn = async (calls: Client, signal: AbortSignal) => {
  const [components, streams, derived, connectors] = await Promise.all([
    calls.call('GET /api/component', { query: { limit: 1, streams: false }, signal }),
    calls.call('GET /api/stream', { query: { limit: 1 }, signal }),
    loadEntities(calls, 'stream', { derived: 'true' }, most, signal),
    loadEntities(calls, 'connector', { enabled: 'true' }, most, signal),
  ])
  const streamFailures = derived.rows.flatMap(({ uid, id, name, deriveError }): readonly Failure[] =>
    deriveError ? [{ name: name || (id ?? ''), place: ['stream', uid ?? ''], error: deriveError.message }] : [],
  )
  const behind = derived.rows.flatMap(({ uid, id, name, deriveError, staleFrom }): readonly Failure[] =>
    staleFrom && !deriveError
      ? [{ name: name || (id ?? ''), place: ['stream', uid ?? ''], error: words.isBehind }]
      : [],
  )
  const connectorFailures = connectors.rows.flatMap(({ uid, name, lastError }): readonly Failure[] =>
    lastError ? [{ name, place: ['connector', uid], error: lastError }] : [],
  )
  const dueMs = Date.now() - lateMs
  return {
    components: components.totalCount,
    streams: streams.totalCount,
    derived: derived.totalCount,
    late: connectors.rows.filter(({ nextRun }) => typeof nextRun === 'number' && nextRun < dueMs).length,
    streamFailures,
    behind,
    connectorFailures,
    isCut: derived.totalCount > most || connectors.totalCount > most,
  }
}

export const OwnFigures = ({ lead }: { readonly lead?: string }) => {
  const loaded = useLoad('own figures', loadOwn, everyMs)
  return (
    <>
      {lead && <p class="quiet">{lead}</p>}
      <Shown of={loaded}>
        {({ components, streams, derived, late, streamFailures, behind, connectorFailures, isCut }) => (
          <>
            <div class="figures">
              <Figure title={words.components} value={components} />
              <Figure title={words.streams} value={streams} />
              <Figure title={words.derived} value={derived} />
              <Figure title={words.failing} value={streamFailures.length} worry={words.failingWorry} />
              <Figure title={words.behind} value={behind.length} worry={words.behindWorry} />
              <Figure title={words.imports} value={connectorFailures.length} worry={words.importsWorry} />
              <Figure title={words.late} value={late} worry={words.lateWorry} />
            </div>
            {isCut && <p class="quiet">{words.first(most)}</p>}
            <List
              rows={[...connectorFailures, ...streamFailures, ...behind]}
              keyOf={({ place }) => place.join(' ')}
              empty={words.noneFails}
              columns={[
                { title: words.subject, shown: ({ name, place }) => <a href={to(place)}>{name}</a> },
                { title: words.error, shown: ({ error }) => error },
              ]}
            />
          </>
        )}
      </Shown>
    </>
  )
}

/** With words on when to worry, and a mark where it is so. */
const Figure = ({
  title,
  value,
  worry,
}: {
  readonly title: string
  readonly value: number
  readonly worry?: ComponentChildren
}) => {
  const isBad = worry !== undefined && value > 0
  return (
    <section class={`card figure ${isBad ? 'state-worry' : ''}`} aria-label={title}>
      <h2>{title}</h2>
      <strong class="numbers">{value.toLocaleString('en')}</strong>
      {isBad && <span class="tag">{texts.operations.states.worry}</span>}
      {worry && <p class="quiet">{worry}</p>}
    </section>
  )
}
