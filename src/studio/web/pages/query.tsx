// GS SQL by hand: write, run, see rows as a table or a chart, keep the script.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { CoppiceError } from '../../../client/client.ts'
import type { QueryResult } from '../../../client/client.ts'
import { Picture } from '../chart/picture.tsx'
import type { Drawn } from '../chart/picture.tsx'
import type { Window } from '../chart/window.ts'
import { Editor } from '../editor/editor.tsx'
import type { ScriptError } from '../editor/editor.tsx'
import { saveCsv } from '../csv.ts'
import { problemOf } from '../load.ts'
import { place, replaceQuery } from '../router.ts'
import { client, recall, remember } from '../session.ts'
import { texts } from '../texts.ts'
import { showTime } from '../time.ts'
import { Notice, Page, Spinner } from '../ui/parts.tsx'
import { draftOf, keepDraft } from '../ui/unsaved.tsx'
import { drawnFrom, isTime } from './query-chart.ts'
import { History, SavedQueries, historyWith } from './query-kept.tsx'

const words = texts.query

const Query = () => {
  const [script, setText] = useState(firstScript)
  /** Run, or chosen, and so kept elsewhere. */
  const known = useRef(knownScript())
  const setScript = (text: string) => {
    setText(text)
    const draft = { first: place.peek().query.get('s'), value: text }
    keepDraft(draftName, text === known.current ? undefined : draft)
  }
  const choose = (text: string) => {
    known.current = text
    setScript(text)
  }
  const [result, setResult] = useState<QueryResult>()
  const [problem, setProblem] = useState('')
  const [error, setError] = useState<ScriptError>()
  const [isRunning, setRunning] = useState(false)
  const [isChart, setChart] = useState(false)
  const run = async () => {
    setRunning(true)
    setProblem('')
    setError(undefined)
    remember('script', script)
    choose(script)
    replaceQuery({ s: script })
    try {
      setResult(await client.peek().run(script))
      historyWith(script)
    } catch (caught) {
      setResult(undefined)
      setProblem(problemOf(caught))
      if (caught instanceof CoppiceError && caught.line !== undefined)
        setError({ message: caught.message, line: caught.line, column: caught.column ?? 1 })
    }
    setRunning(false)
  }
  const drawn = useMemo(() => (result ? drawnFrom(result) : undefined), [result])
  return (
    <Page title={words.title}>
      <div class="columns">
        <div class="stack later">
          <SavedQueries script={script} choose={choose} />
          <History choose={choose} />
        </div>
        <div class="stack">
          <div class="card flush">
            <Editor label={words.script} value={script} change={setScript} run={() => void run()} error={error} />
          </div>
          <div class="row">
            <button class="first" disabled={isRunning} onClick={() => void run()}>
              {words.run}
            </button>
            <span class="quiet">{words.shortcut}</span>
            {isRunning && <Spinner />}
          </div>
          {problem !== '' && <Notice kind="bad">{problem}</Notice>}
          {result && (
            <>
              <div class="row">
                <span class="quiet" role="status">
                  {result.cols.length > 0 ? words.rows(result.rows.length) : words.inserted(result.inserted)}
                </span>
                {result.cols.length > 0 && (
                  <button onClick={() => saveCsv([result.cols.map(({ name }) => name), ...result.rows], 'query.csv')}>
                    {texts.chart.csv}
                  </button>
                )}
                {drawn && (
                  <button aria-pressed={isChart} onClick={() => setChart(!isChart)}>
                    {words.chart}
                  </button>
                )}
              </div>
              {isChart && drawn ? (
                <section class="card">
                  <Result {...drawn} />
                </section>
              ) : (
                <Rows result={result} />
              )}
            </>
          )}
        </div>
      </div>
    </Page>
  )
}

export default Query

const draftName = 'query'

const knownScript = (): string => place.peek().query.get('s') ?? (recall('script') || words.example)

/** A link to another script than the one that was changed shows that. */
const firstScript = (): string => {
  const linked = place.peek().query.get('s')
  const draft = draftOf<string | null, string>(draftName)
  return draft && (linked === null || linked === draft.first) ? draft.value : knownScript()
}

/** All of it is there already: a zoom asks for nothing. */
const Result = ({ drawn, window }: { readonly drawn: readonly Drawn[]; readonly window: Window }) => {
  const [shown, setShown] = useState(window)
  useEffect(() => setShown(window), [window])
  return <Picture drawn={drawn} window={shown} zone="UTC" zoom={setShown} />
}

const mostShown = 1000

const Rows = ({ result: { cols, rows } }: { readonly result: QueryResult }) =>
  cols.length === 0 ? null : (
    <>
      <div class="card flush scroll tall whole-words" tabIndex={0} role="region" aria-label={words.result}>
        <table>
          <thead>
            <tr>
              {cols.map(({ name, valueType }) => (
                <th class={isNumber(valueType) ? 'number' : ''} title={valueType}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, mostShown).map((row, index) => (
              <tr key={index}>
                {row.map((value, column) => (
                  <td
                    class={`${isNumber(cols[column]?.valueType) ? 'number' : ''} ${isShort(value) ? 'one-line' : ''}`}
                  >
                    {value === null ? <span class="quiet">{words.none}</span> : String(value)}
                    {isTime(cols[column]) && typeof value === 'number' && <Moment ms={value} />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > mostShown && <p class="quiet">{words.cut(mostShown)}</p>}
    </>
  )

/** Times are numbers; people read dates. */
const Moment = ({ ms }: { readonly ms: number }) =>
  Math.abs(ms) < 8.64e15 ? <span class="quiet small numbers"> {showTime(ms, 'UTC').replace(' ', 'T')}Z</span> : null

/** IDs have hyphens, at which browsers break them. */
const isShort = (value: unknown): boolean => String(value).length <= 40

const isNumber = (type: string | undefined) => type === 'DOUBLE' || type === 'LONG'
