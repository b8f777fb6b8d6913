// A connector that takes pushes: write its script, try it on a message, see what came.
import { useState } from 'preact/hooks'
import { CoppiceError } from '../../../client/client.ts'
import type { EntityOf, ReplyOf } from '../../../client/client.ts'
import { Editor } from '../editor/editor.tsx'
import type { ScriptError } from '../editor/editor.tsx'
import { problemOf, useLoad } from '../load.ts'
import { client, hasRole } from '../session.ts'
import { texts } from '../texts.ts'
import { showTime } from '../time.ts'
import { List } from '../ui/list.tsx'
import { Code, Field, Notice, Shown } from '../ui/parts.tsx'
import { recipes } from './connector-recipes.ts'

const words = texts.connectors
type Connector = EntityOf<'connector'>
type TriedRow = ReplyOf<'POST /api/connector/test'>['rows'][number]
type Tried = { readonly rows: readonly TriedRow[] } | { readonly problem: string; readonly error?: ScriptError }

export const HttpConnector = ({ connector, saved }: { readonly connector: Connector; readonly saved: () => void }) => {
  const [script, setScript] = useState(connector.sql ?? '')
  const [body, setBody] = useState(recipes.find(({ sql }) => sql === connector.sql)?.body ?? '')
  const [query, setQuery] = useState('')
  const [method, setMethod] = useState('POST')
  const [tried, setTried] = useState<Tried>()
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (caught) {
      const problem = problemOf(caught)
      const isPlaced = caught instanceof CoppiceError && caught.line !== undefined
      const error = isPlaced ? { message: problem, line: caught.line, column: caught.column ?? 1 } : undefined
      setTried({ problem, ...(error ? { error } : {}) })
    }
  }
  const tryIt = () =>
    attempt(async () => {
      const variables = { HTTP_BODY: body, HTTP_QUERY_STRING: query, HTTP_QUERY_RAW: query, HTTP_METHOD: method }
      const given = { sql: script, timeZone: connector.timeZone, variables }
      const { rows } = await client.peek().call('POST /api/connector/test', { body: given })
      setTried({ rows })
    })
  const save = () =>
    attempt(async () => {
      await client.peek().entities('connector').change(connector.uid, { sql: script, version: connector.version })
      saved()
    })
  return (
    <>
      <section class="card stack">
        <h2>{words.address}</h2>
        <Code text={`curl "${connector.sinkUrl}?api_key=KEY" -d '${body.replaceAll("'", String.raw`'\''`)}'`} />
      </section>
      <div class="halves">
        <section class="stack">
          <h2>{words.script}</h2>
          <div class="card flush">
            <Editor
              label={words.script}
              value={script}
              change={setScript}
              run={() => void tryIt()}
              error={tried && 'error' in tried ? tried.error : undefined}
            />
          </div>
          <div class="row">
            {hasRole('admin') && (
              <button class="first" disabled={script === connector.sql} onClick={() => void save()}>
                {texts.save}
              </button>
            )}
            <button onClick={() => void tryIt()}>{words.try}</button>
            <span class="quiet">{texts.query.shortcut}</span>
          </div>
        </section>
        <section class="stack">
          <h2>{words.message}</h2>
          <Field label={words.body}>
            <textarea rows={6} value={body} onInput={(event) => setBody(event.currentTarget.value)} />
          </Field>
          <div class="row">
            <Field label={words.method}>
              <select value={method} onChange={(event) => setMethod(event.currentTarget.value)}>
                {['POST', 'PUT', 'GET', 'DELETE'].map((each) => (
                  <option>{each}</option>
                ))}
              </select>
            </Field>
            <Field label={words.query}>
              <input value={query} onInput={(event) => setQuery(event.currentTarget.value)} />
            </Field>
          </div>
        </section>
      </div>
      {tried && <TriedRows tried={tried} />}
      <Calls
        uid={connector.uid}
        again={(call) => {
          setBody(call.body ?? '')
          setQuery(call.query ?? '')
          setMethod(call.method)
          scrollTo({ top: 0, behavior: 'smooth' })
        }}
      />
    </>
  )
}

const TriedRows = ({ tried }: { readonly tried: Tried }) =>
  'problem' in tried ? (
    <Notice kind="bad">{tried.problem}</Notice>
  ) : (
    <section class="stack">
      <h2>{words.would(tried.rows.length)}</h2>
      <List
        rows={tried.rows.slice(0, 100)}
        columns={[
          { title: 'CID', shown: ({ cid }) => cid },
          { title: 'ID', shown: ({ id }) => id },
          { title: 'TIME', shown: ({ time }) => `${time} (${showTime(time, 'UTC')})` },
          { title: 'SAMPLE', shown: ({ sample }) => String(sample), isNumber: true },
        ]}
      />
    </section>
  )

type Called = ReplyOf<'GET /api/connector/{uid}/call'>['call'][number]

const Calls = ({ uid, again }: { readonly uid: string; readonly again: (call: Called) => void }) => {
  const list = useLoad(
    `calls ${uid}`,
    (calls, signal) => calls.call('GET /api/connector/{uid}/call', { path: { uid }, query: { limit: 50 }, signal }),
    5000,
  )
  return (
    <section class="stack">
      <h2>{words.calls}</h2>
      <Shown of={list}>
        {({ call }) => (
          <List
            rows={call}
            empty={words.noCalls}
            columns={[
              { title: words.time, shown: ({ time }) => <span class="numbers">{showTime(time, 'UTC')}</span> },
              { title: words.method, shown: ({ method }) => method },
              { title: words.rows, shown: ({ rows }) => rows, isNumber: true },
              { title: words.ms, shown: ({ ms }) => ms, isNumber: true },
              { title: words.error, shown: ({ error }) => error ?? '' },
              {
                title: words.again,
                isQuiet: true,
                shown: (each) => (
                  <button class="bare" onClick={() => again(each)}>
                    {words.again}
                  </button>
                ),
              },
            ]}
          />
        )}
      </Shown>
    </section>
  )
}
