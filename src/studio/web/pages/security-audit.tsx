// The audit log: who changed what, with the values before and after, found by person, entity, time and text.
import { useState } from 'preact/hooks'
import type { ReplyOf } from '../../../client/client.ts'
import { useLoad } from '../load.ts'
import { useUsers } from '../names.ts'
import { place, replaceQuery, to } from '../router.ts'
import { loadRows } from '../rows.ts'
import { texts } from '../texts.ts'
import { showTime } from '../time.ts'
import { Choice } from '../ui/fields.tsx'
import { List } from '../ui/list.tsx'
import { Field, More, Shown } from '../ui/parts.tsx'
import { Search } from '../ui/search.tsx'

const words = texts.security.audit
type Entry = ReplyOf<'GET /api/audit'>['audit'][number]

const filters = ['text', 'actor', 'entity', 'subject', 'from', 'to'] as const
type Filter = (typeof filters)[number]

const entities = [
  'component',
  'stream',
  'feed',
  'template',
  'unit',
  'cycle',
  'folder',
  'connector',
  'connection',
  'query',
  'dashboard',
  'api_key',
  'user',
  'oauth_client',
  'grant',
  'organization',
  'sql_role',
]

export const AuditLog = () => {
  const [shown, setShown] = useState(100)
  const users = useUsers().value ?? {}
  const { query } = place.value
  const given = Object.fromEntries(filters.map((name) => [name, query.get(name) ?? ''])) as Record<Filter, string>
  const { text, actor, entity, subject, from, to: until } = given
  const choose = (name: Filter, value: string) => {
    const now = place.peek().query
    const next = filters.map((each) => [each, each === name ? value : (now.get(each) ?? '')] as const)
    replaceQuery({ tab: 'audit', ...Object.fromEntries(next.filter(([, each]) => each !== '')) })
  }
  const list = useLoad(
    `audit ${JSON.stringify(given)}`,
    (calls, signal) =>
      loadRows(shown, async (page) => {
        const search = {
          text: text || undefined,
          actor: actor || undefined,
          entity: entity || undefined,
          subject: subject || undefined,
          sd: timeOf(from),
          ed: timeOf(until),
          ...page,
        }
        const { audit, totalCount } = await calls.call('GET /api/audit', { query: search, signal })
        return { rows: audit, totalCount }
      }),
    undefined,
    shown,
  )
  const when = (label: string, name: 'from' | 'to') => (
    <Field label={label}>
      <input type="datetime-local" value={given[name]} onChange={(event) => choose(name, event.currentTarget.value)} />
    </Field>
  )
  return (
    <>
      <Search label={words.search} value={text} change={(value) => choose('text', value)} />
      <div class="fields">
        <Choice
          label={words.actor}
          value={actor}
          options={users}
          none={words.anybody}
          change={(uid) => choose('actor', uid)}
        />
        <Choice
          label={words.entity}
          value={entity}
          options={Object.fromEntries(entities.map((name) => [name, name]))}
          none={words.anything}
          change={(name) => choose('entity', name)}
        />
        {when(words.from, 'from')}
        {when(words.to, 'to')}
      </div>
      <Shown of={list}>
        {({ rows, totalCount }) => (
          <>
            <List
              rows={rows}
              empty={words.none}
              columns={[
                { title: words.time, shown: ({ time }) => <span class="numbers">{showTime(time, 'UTC')}</span> },
                { title: words.actor, shown: named },
                { title: words.action, shown: (entry) => <Action of={entry} /> },
                { title: words.detail, shown: ({ detail }) => <Detail of={detail} /> },
              ]}
            />
            <More shown={rows.length} total={totalCount} more={() => setShown(rows.length + 500)} />
          </>
        )}
      </Shown>
    </>
  )
}

const timeOf = (written: string): number | undefined => {
  const ms = Date.parse(`${written}Z`)
  return Number.isFinite(ms) ? ms : undefined
}

/** `user <uid> via …` with the e-mail in place of the uid, `api_key <uid>` with the name of the key, where it is known. */
const named = ({ actor, actorName }: Entry) => {
  if (actorName === null) return <span class="actor">{actor}</span>
  const [kind, uid = '', ...via] = actor.split(' ')
  return (
    <span class="actor" title={uid}>
      {[kind === 'user' ? actorName : words.byKey(actorName), ...via].join(' ')}
    </span>
  )
}

const Action = ({ of: { action, subject, subjectName } }: { readonly of: Entry }) => (
  <>
    <div>{action}</div>
    {subject && (
      <a class="quiet" href={to(['security'], { tab: 'audit', subject })} title={`${words.history} ${subject}`}>
        {subjectName ?? subject}
      </a>
    )}
  </>
)

const Detail = ({ of: detail }: { readonly of: unknown }) => {
  if (detail === null || typeof detail !== 'object') return null
  const { before = {}, after = {}, ...facts } = detail as Readonly<Record<string, object>>
  const members = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  if (members.length === 0 && Object.keys(facts).length === 0) return null
  return (
    <details>
      <summary>{words.show}</summary>
      {members.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>{words.member}</th>
              <th>{words.before}</th>
              <th>{words.after}</th>
            </tr>
          </thead>
          <tbody>
            {members.map((name) => (
              <tr key={name}>
                <td>{name}</td>
                <td>{valueOf(before, name)}</td>
                <td>{valueOf(after, name)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {Object.keys(facts).length > 0 && (
        <pre class="code" tabIndex={0}>
          {JSON.stringify(facts, null, 2)}
        </pre>
      )}
    </details>
  )
}

const valueOf = (members: object, name: string): string => {
  const value: unknown = (members as Readonly<Record<string, unknown>>)[name]
  return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
}
