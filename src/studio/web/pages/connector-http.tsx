// A connector that takes pushes: write its script, try it on a message, see what came.
import { useEffect, useState } from 'preact/hooks'
import { CoppiceError } from '../../../client/client.ts'
import type { EntityOf } from '../../../client/client.ts'
import { Editor } from '../editor/editor.tsx'
import type { ScriptError } from '../editor/editor.tsx'
import { problemOf } from '../load.ts'
import { client, hasRole } from '../session.ts'
import { curlLine } from '../shell.ts'
import { texts } from '../texts.ts'
import { saveEntity } from '../ui/managed.tsx'
import { Code, Field, Notice } from '../ui/parts.tsx'
import { Unsaved, useDraft } from '../ui/unsaved.tsx'
import { Calls } from './connector-calls.tsx'
import { beginnings, loadCookbook } from './connector-recipes.ts'
import type { Recipe } from './cookbook.ts'
import { ConnectorSettings } from './connector-settings.tsx'
import { WouldStore } from './would-store.tsx'
import type { WouldRow } from './would-store.tsx'

const words = texts.connectors
type Connector = EntityOf<'connector'>
type Tried =
  | { readonly rows: readonly WouldRow[]; readonly updated: number; readonly deleted: number }
  | { readonly problem: string; readonly error?: ScriptError }

export const HttpConnector = ({ connector, saved }: { readonly connector: Connector; readonly saved: () => void }) => {
  const draft = useDraft(`connector ${connector.uid}`, connector, scriptOf)
  const { script } = draft.value
  const [body, setBody] = useState(messageOf(beginnings, connector).body)
  const [query, setQuery] = useState(messageOf(beginnings, connector).query)
  const [isSetting, setSetting] = useState(false)
  const [method, setMethod] = useState('POST')
  const [tried, setTried] = useState<Tried>()
  useEffect(() => {
    void loadCookbook().then((cookbook) => {
      const message = messageOf(cookbook, connector)
      setBody((typed) => typed || message.body)
      setQuery((typed) => typed || message.query)
    })
  }, [])
  const attempt = async (work: () => Promise<void>, stale?: () => void) => {
    try {
      await work()
    } catch (caught) {
      const problem = problemOf(caught)
      const isPlaced = caught instanceof CoppiceError && caught.line !== undefined
      const error = isPlaced ? { message: problem, line: caught.line, column: caught.column ?? 1 } : undefined
      setTried({ problem, ...(error ? { error } : {}) })
      if (caught instanceof CoppiceError && caught.code === 'stale_version') stale?.()
    }
  }
  const tryIt = () =>
    attempt(async () => {
      const variables = {
        HTTP_BODY: body === '' ? null : body,
        HTTP_QUERY_STRING: decoded(query),
        HTTP_QUERY_RAW: query,
        HTTP_METHOD: method,
      }
      const given = { sql: script, timeZone: connector.timeZone, variables }
      const reply = await client.peek().call('POST /api/connector/test', { body: given })
      const { rows, updated = 0, deleted = 0 } = reply
      setTried({ rows, updated, deleted })
    })
  const save = () =>
    attempt(async () => {
      draft.saved(await saveEntity('connector', draft.first, { sql: script }))
      setTried(undefined)
      saved()
    }, saved)
  return (
    <>
      <section class="card stack">
        <div class="head">
          <h2>{words.address}</h2>
          {hasRole('admin') && (
            <div class="actions">
              <button onClick={() => setSetting(true)}>{texts.importing.http.settings}</button>
            </div>
          )}
        </div>
        <Code text={curlLine(connector.sinkUrl ?? '', query, method, body)} />
        <p class="quiet">
          {words.keyLead} {hasRole('admin') ? <a href="#/security?tab=keys">{words.keyLink}</a> : words.keyAsk}
        </p>
      </section>
      {isSetting && (
        <ConnectorSettings
          of={connector}
          close={() => setSetting(false)}
          saved={(made) => {
            setSetting(false)
            draft.goOnFrom(made)
            saved()
          }}
        />
      )}
      <div class="halves">
        <section class="stack">
          <h2>{words.script}</h2>
          <div class="card flush">
            <Editor
              label={words.script}
              value={script}
              change={(sql) => draft.change({ script: sql })}
              run={() => void tryIt()}
              error={tried && 'error' in tried ? tried.error : undefined}
            />
          </div>
          <div class="row">
            {hasRole('admin') && (
              <button class="first" disabled={!draft.isChanged} onClick={() => void save()}>
                {texts.save}
              </button>
            )}
            <button onClick={() => void tryIt()}>{words.try}</button>
            <span class="quiet">{texts.query.shortcut}</span>
          </div>
          <Unsaved of={draft} />
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
      {tried && <Outcome tried={tried} />}
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

const Outcome = ({ tried }: { readonly tried: Tried }) => {
  if ('problem' in tried) return <Notice kind="bad">{tried.problem}</Notice>
  const { rows, updated, deleted } = tried
  return (
    <>
      {updated + deleted > 0 && <Notice>{texts.importing.http.changed(updated, deleted)}</Notice>}
      <WouldStore rows={rows} />
    </>
  )
}

const scriptOf = ({ sql }: Connector) => ({ script: sql ?? '' })

/** A script that is still as its recipe had it is tried on the recipe's message. */
const messageOf = (recipes: readonly Recipe[], connector: Connector) => {
  const { body = '', query = '' } = recipes.find(({ sql }) => sql === connector.sql) ?? {}
  return { body, query }
}

const decoded = (query: string): string => {
  try {
    return decodeURIComponent(query.replaceAll('+', ' '))
  } catch {
    return query
  }
}
