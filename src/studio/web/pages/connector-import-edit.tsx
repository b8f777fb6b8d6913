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
import { Form, Notice, Spinner, textsOf } from '../ui/parts.tsx'
import type { Given } from '../ui/parts.tsx'
import { Unsaved, useDraft } from '../ui/unsaved.tsx'
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
  const draft = useDraft(`connector ${connector.uid}`, connector, editedOf)
  const { external, ingest, settings } = draft.value
  const { connectionUid } = settings
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
            change={(sql) => draft.change({ external: sql })}
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
            change={(sql) => draft.change({ ingest: sql })}
            run={() => void tryIt()}
            error={tried?.kind === 'refused' ? tried.error : undefined}
          />
        }
      >
        {tried?.kind === 'done' && <WouldStore rows={tried.value} />}
      </Section>
      <Settings
        key={draft.turn}
        of={settings}
        change={(next) => draft.change({ settings: next })}
        save={async (members) => {
          try {
            const given = { ...members, externalSql: external, ingestSql: ingest }
            draft.saved(await saveEntity('connector', draft.first, given))
          } finally {
            // Also where somebody else was faster: then there is a version to choose.
            saved()
          }
        }}
      />
      <Unsaved of={draft} />
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
  of: shown,
  change,
  save,
}: {
  readonly of: Members
  readonly change: (members: Members) => void
  readonly save: (members: Members) => Promise<void>
}) => {
  const connections = useConnections()
  const users = useUsers()
  if (connections.value === undefined || users.value === undefined) return <Spinner />
  return (
    <section
      class="card stack"
      onInput={({ currentTarget }) => change(membersOf(textsOf(currentTarget.querySelector('form')!)))}
    >
      <h2>{words.settings}</h2>
      <Form button={texts.save} submit={(given) => save(membersOf(given))}>
        <div class="fields">
          <TextField label={words.name} name="name" value={shown.name} required />
          <Choice
            label={words.connection}
            name="connectionUid"
            value={shown.connectionUid}
            options={connections.value}
          />
          <Choice
            label={words.user}
            name="runningUserUid"
            value={shown.runningUserUid ?? ''}
            options={users.value}
            {...(shown.runningUserUid ? {} : { none: words.noUser })}
          />
          <TextField
            label={words.schedule}
            name="schedule"
            value={shown.schedule ?? ''}
            placeholder="*/5 * * * *"
            list="schedules"
          />
          <ZoneField label={words.zone} value={shown.timeZone} />
          <TextField label={words.maxRows} name="maxRows" type="number" min={0} value={String(shown.maxRows)} />
          <TextField
            label={words.overlap}
            name="overlapSeconds"
            type="number"
            min={0}
            value={String(shown.overlapSeconds)}
          />
        </div>
        <datalist id="schedules">
          {['* * * * *', '*/5 * * * *', '0 * * * *', '0 6 * * *', '30 6 * * 1-5', '0 0 1 * *'].map((cron) => (
            <option key={cron} value={cron} />
          ))}
        </datalist>
        <Check label={words.skip} name="skipUnchanged" isOn={shown.skipUnchanged} />
        <Check label={words.enabled} name="enabled" isOn={shown.enabled} />
      </Form>
    </section>
  )
}

type Members = ReturnType<typeof membersOf>

const membersOf = ({ name = '', connectionUid = '', runningUserUid, schedule, timeZone, ...others }: Given) => ({
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

/** In the form that its fields give back, so that both can be compared. */
const editedOf = (connector: Connector) => ({
  external: connector.externalSql ?? '',
  ingest: connector.ingestSql ?? '',
  settings: membersOf({
    name: connector.name,
    connectionUid: connector.connectionUid ?? '',
    runningUserUid: connector.runningUserUid ?? '',
    schedule: connector.schedule ?? '',
    timeZone: connector.timeZone ?? '',
    maxRows: String(connector.maxRows ?? 0),
    overlapSeconds: String(connector.overlapSeconds ?? 0),
    skipUnchanged: (connector.skipUnchanged ?? true) ? 'on' : '',
    enabled: connector.enabled ? 'on' : '',
  }),
})
