// An import from a database: what it asks and stores, for admins in editors, its state, and its runs.
import type { EntityOf } from '../../../client/client.ts'
import { hasRole } from '../session.ts'
import { texts } from '../texts.ts'
import { showTime } from '../time.ts'
import { Notice } from '../ui/parts.tsx'
import { ImportEditor } from './connector-import-edit.tsx'
import { Runs } from './connector-import-runs.tsx'

const words = texts.importing.import
type Connector = EntityOf<'connector'>

export const ImportConnector = ({
  connector,
  changed,
}: {
  readonly connector: Connector
  readonly changed: () => void
}) => (
  <>
    <State connector={connector} />
    <Runs uid={connector.uid} changed={changed} />
    {hasRole('admin') ? (
      <ImportEditor key={connector.uid} connector={connector} saved={changed} />
    ) : (
      <section class="card stack">
        <h2>{words.external}</h2>
        <pre class="code" tabIndex={0}>
          {connector.externalSql}
        </pre>
        <h2>{words.ingest}</h2>
        <pre class="code" tabIndex={0}>
          {connector.ingestSql}
        </pre>
      </section>
    )}
  </>
)

const State = ({
  connector: { enabled, nextRun, lastRunDate, lastError, timeZone },
}: {
  readonly connector: Connector
}) => (
  <section class="stack">
    <p>
      {enabled ? nextText(nextRun, timeZone) : words.off}
      {lastRunDate ? ` · ${words.last(showTime(lastRunDate, 'UTC'))}` : ''}
    </p>
    {lastError && <Notice kind="bad">{lastError}</Notice>}
  </section>
)

const nextText = (nextRun: number | null | undefined, zone: string | null): string =>
  nextRun ? words.next(showTime(nextRun, zone ?? 'UTC'), zone ?? 'UTC') : words.noNext
