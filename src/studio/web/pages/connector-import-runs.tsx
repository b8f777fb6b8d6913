// The runs of an import: begun by hand, followed while they go on, cancelled, and what became of them.
import { useState } from 'preact/hooks'
import type { ReplyOf } from '../../../client/client.ts'
import { problemOf, useLoad } from '../load.ts'
import { client, hasRole } from '../session.ts'
import { texts } from '../texts.ts'
import { showTime } from '../time.ts'
import { List } from '../ui/list.tsx'
import { Notice, Shown } from '../ui/parts.tsx'

const words = texts.importing.import
type Run = ReplyOf<'GET /api/connector/{uid}/run'>['run'][number]

const isGoing = ({ state }: Run) => state === 'waiting' || state === 'running'

export const Runs = ({ uid, changed }: { readonly uid: string; readonly changed: () => void }) => {
  const [problem, setProblem] = useState('')
  const [pauseMs, setPauseMs] = useState(5000)
  const runs = useLoad(
    `runs ${uid}`,
    async (calls, signal) => {
      const path = { uid }
      const { run } = await calls.call('GET /api/connector/{uid}/run', { path, query: { limit: 50 }, signal })
      const goesOn = run.some(isGoing)
      setPauseMs(goesOn ? 700 : 5000)
      // The state of the import itself is another once a run has ended.
      if (!goesOn && pauseMs < 5000) changed()
      return run
    },
    pauseMs,
  )
  const attempt = async (work: Promise<unknown>) => {
    setProblem('')
    try {
      await work
    } catch (error) {
      setProblem(problemOf(error))
    }
    setPauseMs(700)
    runs.reload()
  }
  const start = () =>
    attempt(client.peek().call('POST /api/connector/{uid}/run', { path: { uid }, query: { wait: false }, retries: 0 }))
  const cancel = (run: string) =>
    attempt(client.peek().call('DELETE /api/connector/{uid}/run/{run}', { path: { uid, run } }))
  const isAdmin = hasRole('admin')
  return (
    <section class="stack">
      <div class="row">
        <h2>{words.runs}</h2>
        {isAdmin && (
          <button class="first" disabled={runs.value?.some(isGoing) ?? false} onClick={() => void start()}>
            {words.run}
          </button>
        )}
      </div>
      {problem !== '' && <Notice kind="bad">{problem}</Notice>}
      <Shown of={runs}>
        {(all) => (
          <List
            rows={all}
            keyOf={({ uid: each }) => each}
            empty={words.noRuns}
            columns={[
              {
                title: words.start,
                shown: ({ start: at }) => <span class="numbers">{at === null ? '' : showTime(at, 'UTC')}</span>,
              },
              { title: words.state, shown: (run) => <StateOf run={run} /> },
              { title: words.elapsed, shown: ({ elapsed }) => words.seconds(elapsed), isNumber: true },
              { title: words.fetched, shown: ({ fetched }) => fetched.toLocaleString('en'), isNumber: true },
              { title: words.stored, shown: ({ inserted }) => inserted.toLocaleString('en'), isNumber: true },
              { title: words.skipped, shown: ({ skipped }) => skipped.toLocaleString('en'), isNumber: true },
              { title: words.error, shown: ({ error }) => error ?? '' },
              {
                title: texts.cancel,
                isQuiet: true,
                shown: (run) =>
                  isAdmin &&
                  isGoing(run) && (
                    <button class="bare" onClick={() => void cancel(run.uid)}>
                      {texts.cancel}
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

const colours = { waiting: '', running: 'warn', succeeded: 'good', failed: 'bad' } as const

const StateOf = ({ run: { state, place, truncated, scheduled } }: { readonly run: Run }) => (
  <>
    <span class={`tag ${colours[state]}`}>{words.states[state]}</span>{' '}
    <span class="quiet one-line">
      {[place === null ? '' : words.place(place), scheduled ? words.scheduled : '', truncated ? words.cut : '']
        .filter(Boolean)
        .join(', ')}
    </span>
  </>
)
