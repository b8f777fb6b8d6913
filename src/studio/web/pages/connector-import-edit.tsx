// The editor of an import: External SQL with a preview of its rows, Ingest SQL with a trial on those rows, settings.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { CoppiceError } from '../../../client/client.ts'
import type { EntityOf, ReplyOf } from '../../../client/client.ts'
import { Editor } from '../editor/editor.tsx'
import type { ScriptError } from '../editor/editor.tsx'
import { problemOf } from '../load.ts'
import { useConnections, useUsers } from '../names.ts'
import { client } from '../session.ts'
import { texts } from '../texts.ts'
import { Check, Choice, TextField, ZoneField } from '../ui/fields.tsx'
import { List } from '../ui/list.tsx'
import { saveEntity } from '../ui/managed.tsx'
import { Form, Notice, Spinner } from '../ui/parts.tsx'
import type { Given } from '../ui/parts.tsx'
import { WouldStore } from './would-store.tsx'

const words = texts.importing.import
type Connector = EntityOf<'connector'>
type Previewed = ReplyOf<'POST /api/connection/{uid}/preview'>['preview']
type TriedRow = ReplyOf<'POST /api/connector/import_test'>['rows'][number]

type Outcome<T> =
  | { readonly kind: 'busy' }
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'refused'; readonly problem: string; readonly error: ScriptError | undefined }
  | undefined

export const ImportEditor = ({ connector, saved }: { readonly connector: Connector; readonly saved: () => void }) => {
  const [external, setExternal] = useState(connector.externalSql ?? '')
  const [ingest, setIngest] = useState(connector.ingestSql ?? '')
  const [connectionUid, setConnection] = useState(connector.connectionUid ?? '')
  const [previewed, setPreviewed] = useState<Outcome<Previewed>>()
  const [tried, setTried] = useState<Outcome<readonly TriedRow[]>>()
  const zone = connector.timeZone === null ? {} : { timeZone: connector.timeZone }
  const preview = () =>
    attempt(setPreviewed, async () => {
      const body = { sql: external, ...zone }
      const given = { path: { uid: connectionUid }, body, retries: 0 }
      return (await client.peek().call('POST /api/connection/{uid}/preview', given)).preview
    })
  const tryIt = () =>
    attempt(setTried, async () => {
      const body = { connectionUid, externalSql: external, ingestSql: ingest, ...zone }
      return (await client.peek().call('POST /api/connector/import_test', { body, retries: 0 })).rows
    })
  return (
    <>
      <Section
        title={words.external}
        lead={words.externalLead}
        button={words.preview}
        outcome={previewed}
        go={() => void preview()}
        editor={
          <Editor
            label={words.external}
            value={external}
            change={setExternal}
            run={() => void preview()}
            dialect="other"
            error={previewed?.kind === 'refused' ? previewed.error : undefined}
          />
        }
      >
        {previewed?.kind === 'done' && <PreviewRows of={previewed.value} />}
      </Section>
      <Section
        title={words.ingest}
        lead={words.ingestLead}
        button={words.try}
        outcome={tried}
        go={() => void tryIt()}
        editor={
          <Editor
            label={words.ingest}
            value={ingest}
            change={setIngest}
            run={() => void tryIt()}
            error={tried?.kind === 'refused' ? tried.error : undefined}
          />
        }
      >
        {tried?.kind === 'done' && <WouldStore rows={tried.value} />}
      </Section>
      <Settings
        connector={connector}
        choose={setConnection}
        save={async (members) => {
          await saveEntity('connector', connector, { ...members, externalSql: external, ingestSql: ingest })
          saved()
        }}
      />
    </>
  )
}

const attempt = async <T,>(show: (outcome: Outcome<T>) => void, work: () => Promise<T>): Promise<void> => {
  show({ kind: 'busy' })
  try {
    show({ kind: 'done', value: await work() })
  } catch (caught) {
    const problem = problemOf(caught)
    const isPlaced = caught instanceof CoppiceError && caught.line !== undefined
    const error = isPlaced ? { message: problem, line: caught.line, column: caught.column ?? 1 } : undefined
    show({ kind: 'refused', problem, error })
  }
}

const Section = ({
  title,
  lead,
  button,
  outcome,
  go,
  editor,
  children,
}: {
  readonly title: string
  readonly lead: string
  readonly button: string
  readonly outcome: Outcome<unknown>
  readonly go: () => void
  readonly editor: ComponentChildren
  readonly children: ComponentChildren
}) => (
  <section class="card stack">
    <h2>{title}</h2>
    <p class="quiet">{lead}</p>
    <div class="framed">{editor}</div>
    <div class="row">
      <button onClick={go}>{button}</button>
      {outcome?.kind === 'busy' && <Spinner />}
    </div>
    {outcome?.kind === 'refused' && <Notice kind="bad">{outcome.problem}</Notice>}
    {children}
  </section>
)

const PreviewRows = ({ of: { columns, rows, truncated } }: { readonly of: Previewed }) => (
  <>
    <p class="quiet" role="status">
      {words.rows(rows.length, truncated)}
    </p>
    <List<readonly (string | null)[]>
      rows={rows}
      columns={columns.map(({ name, type }, index) => ({
        title: `${name} ${type}`,
        shown: (row) => row[index] ?? <span class="quiet">{texts.query.none}</span>,
        isNumber: type === 'LONG' || type === 'DOUBLE',
      }))}
    />
  </>
)

const Settings = ({
  connector,
  choose,
  save,
}: {
  readonly connector: Connector
  readonly choose: (connectionUid: string) => void
  readonly save: (members: object) => Promise<void>
}) => {
  const connections = useConnections()
  const users = useUsers()
  if (connections.value === undefined || users.value === undefined) return <Spinner />
  return (
    <section class="card stack">
      <h2>{words.settings}</h2>
      <Form button={texts.save} submit={(given) => save(membersOf(given))}>
        <div class="fields">
          <TextField label={words.name} name="name" value={connector.name} required />
          <Choice
            label={words.connection}
            name="connectionUid"
            value={connector.connectionUid}
            options={connections.value}
            change={choose}
          />
          <Choice
            label={words.user}
            name="runningUserUid"
            value={connector.runningUserUid ?? ''}
            options={users.value}
            {...(connector.runningUserUid ? {} : { none: words.noUser })}
          />
          <TextField
            label={words.schedule}
            name="schedule"
            value={connector.schedule ?? ''}
            placeholder="*/5 * * * *"
            list="schedules"
          />
          <ZoneField label={words.zone} value={connector.timeZone} />
          <TextField
            label={words.maxRows}
            name="maxRows"
            type="number"
            min={0}
            value={String(connector.maxRows ?? 0)}
          />
          <TextField
            label={words.overlap}
            name="overlapSeconds"
            type="number"
            min={0}
            value={String(connector.overlapSeconds ?? 0)}
          />
        </div>
        <datalist id="schedules">
          {['* * * * *', '*/5 * * * *', '0 * * * *', '0 6 * * *', '30 6 * * 1-5', '0 0 1 * *'].map((cron) => (
            <option key={cron} value={cron} />
          ))}
        </datalist>
        <Check label={words.skip} name="skipUnchanged" isOn={connector.skipUnchanged ?? true} />
        <Check label={words.enabled} name="enabled" isOn={connector.enabled} />
      </Form>
    </section>
  )
}

const membersOf = ({ name, connectionUid, runningUserUid, schedule, timeZone, ...others }: Given): object => ({
  name,
  connectionUid,
  ...(runningUserUid ? { runningUserUid } : {}),
  schedule: schedule || null,
  timeZone: timeZone || null,
  maxRows: Number(others['maxRows'] || 0),
  overlapSeconds: Number(others['overlapSeconds'] || 0),
  skipUnchanged: others['skipUnchanged'] === 'on',
  enabled: others['enabled'] === 'on',
})
