// An import from a database: what it asks, how its last runs went, run it now and watch.
import { useState } from 'preact/hooks'
import type { EntityOf } from '../../../client/client.ts'
import { problemOf, useLoad } from '../load.ts'
import { client, hasRole } from '../session.ts'
import { texts } from '../texts.ts'
import { showTime } from '../time.ts'
import { List } from '../ui/list.tsx'
import { Notice, Shown } from '../ui/parts.tsx'

const words = texts.connectors.import

export const ImportConnector = ({
  connector,
  changed,
}: {
  readonly connector: EntityOf<'connector'>
  readonly changed: () => void
}) => {
  const { uid } = connector
  const [problem, setProblem] = useState('')
  const runs = useLoad(
    `runs ${uid}`,
    (calls, signal) => calls.call('GET /api/connector/{uid}/run', { path: { uid }, query: { limit: 50 }, signal }),
    2000,
  )
  const run = async () => {
    setProblem('')
    try {
      await client.peek().call('POST /api/connector/{uid}/run', { path: { uid }, query: { wait: false } })
    } catch (error) {
      setProblem(problemOf(error))
    }
    runs.reload()
    changed()
  }
  const cancel = async (one: string) => {
    await client.peek().call('DELETE /api/connector/{uid}/run/{run}', { path: { uid, run: one } })
    runs.reload()
  }
  return (
    <>
      <section class="card stack">
        <p>
          {words.schedule(connector.schedule ?? null)}
          {connector.nextRun ? ` · ${words.next(showTime(connector.nextRun, 'UTC'))}` : ''}
        </p>
        {connector.lastError && <Notice kind="bad">{connector.lastError}</Notice>}
        <h2>{words.external}</h2>
        <pre class="code">{connector.externalSql}</pre>
        <h2>{words.ingest}</h2>
        <pre class="code">{connector.ingestSql}</pre>
        {hasRole('admin') && (
          <div>
            <button class="first" onClick={() => void run()}>
              {words.run}
            </button>
          </div>
        )}
        {problem !== '' && <Notice kind="bad">{problem}</Notice>}
      </section>
      <h2>{words.runs}</h2>
      <Shown of={runs}>
        {({ run: all }) => (
          <List
            rows={all}
            keyOf={({ uid: each }) => each}
            columns={[
              { title: words.start, shown: ({ start }) => (start === null ? words.waiting : showTime(start, 'UTC')) },
              { title: words.end, shown: ({ end }) => (end === null ? words.running : showTime(end, 'UTC')) },
              { title: words.fetched, shown: ({ fetched }) => fetched.toLocaleString('en'), isNumber: true },
              { title: words.stored, shown: ({ inserted }) => inserted.toLocaleString('en'), isNumber: true },
              { title: words.error, shown: ({ error }) => error ?? '' },
              {
                title: texts.cancel,
                isQuiet: true,
                shown: ({ uid: each, end }) =>
                  end === null && (
                    <button class="bare" onClick={() => void cancel(each)}>
                      {texts.cancel}
                    </button>
                  ),
              },
            ]}
          />
        )}
      </Shown>
    </>
  )
}
