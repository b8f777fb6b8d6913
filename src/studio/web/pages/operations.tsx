// How the server is doing, for admins of the operator's organization: the figures of /metrics, with the words that say
// when to worry. Their history is kept while the studio is open. Admins of others see those of their organization.
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Plot } from '../chart/plot.tsx'
import { isLookedAt, problemOf } from '../load.ts'
import { useCallers, useConnectors } from '../names.ts'
import { readFigures } from '../operations/exposition.ts'
import type { Figure, FigureName, Reading, State } from '../operations/figures.ts'
import { errorsOf, failingImportsOf, figures, refusalsOf, refusedCallersOf } from '../operations/figures.ts'
import { to } from '../router.ts'
import { repeat } from '../repeat.ts'
import { client, hasRole, isOperator } from '../session.ts'
import { texts } from '../texts.ts'
import { List } from '../ui/list.tsx'
import { Notice, Page, Spinner } from '../ui/parts.tsx'
import { OwnFigures } from './operations-own.tsx'

const words = texts.operations

const everyMs = 5000
/** An hour. */
const mostPoints = 720

type Point = { readonly atMs: number; readonly value: number | null }

type History = {
  readonly first: Reading
  readonly now: Reading
  readonly points: ReadonlyMap<FigureName, readonly Point[]>
}

const history = signal<History | undefined>(undefined)
const problem = signal('')

const readAll: readonly Figure[] = figures

const read = async (ending: AbortSignal): Promise<void> => {
  try {
    const reply = await client.peek().fetch('GET /api/server_metrics', { signal: ending })
    const now = { atMs: Date.now(), figures: readFigures(await reply.text()) }
    const before = history.peek()
    const points = readAll.map(({ name, read: value }) => {
      const known = before?.points.get(name) ?? []
      const point = { atMs: now.atMs, value: value(now, before?.now) ?? null }
      return [name, [...known, point].slice(-mostPoints)] as const
    })
    history.value = { first: before?.first ?? now, now, points: new Map(points) }
    problem.value = ''
  } catch (error) {
    if (!ending.aborted) problem.value = problemOf(error)
  }
}

const Operations = () => {
  useEffect(() => {
    if (!isOperator()) return undefined
    const control = new AbortController()
    const end = repeat(() => read(control.signal), everyMs, isLookedAt)
    return () => {
      control.abort()
      end()
    }
  }, [])
  const known = history.value
  return (
    <Page title={words.title} lead={isOperator() && <span class="quiet">{words.lead}</span>}>
      {!hasRole('admin') ? (
        <Notice kind="warn">{texts.notAllowed}</Notice>
      ) : !isOperator() ? (
        <OwnFigures lead={words.own.lead} />
      ) : (
        <>
          {problem.value !== '' && <Notice kind="bad">{problem.value}</Notice>}
          {known ? <Overview {...known} /> : problem.value === '' && <Spinner />}
          <h2>{words.own.beside}</h2>
          <OwnFigures />
        </>
      )}
    </Page>
  )
}

export default Operations

const latestOf = (points: readonly Point[] | undefined): number | undefined =>
  points?.findLast(({ value }) => value !== null)?.value ?? undefined

const stateOf = (figure: Figure, value: number | undefined): State =>
  value === undefined ? 'fine' : (figure.state?.(value) ?? 'fine')

const Overview = ({ first, now, points }: History) => {
  const worries = readAll.filter((figure) => stateOf(figure, latestOf(points.get(figure.name))) !== 'fine')
  const errors = errorsOf(now.figures)
  const newErrors = errors - errorsOf(first.figures)
  const isWell = worries.length === 0 && newErrors <= 0
  return (
    <>
      <section class={`notice ${isWell ? '' : 'warn'}`} role="status">
        {isWell ? (
          words.well
        ) : (
          <ul class="worries">
            {newErrors > 0 && <li>{words.newErrors(newErrors)}</li>}
            {worries.map(({ name }) => (
              <li key={name}>
                <strong>{words.figures[name].title}:</strong> {words.figures[name].worry}
              </li>
            ))}
          </ul>
        )}
      </section>
      <div class="figures">
        {readAll.map((figure) => (
          <FigureCard key={figure.name} figure={figure} points={points.get(figure.name) ?? []} />
        ))}
      </div>
      <Refused first={first} now={now} errors={errors} />
    </>
  )
}

const FigureCard = ({ figure, points }: { readonly figure: Figure; readonly points: readonly Point[] }) => {
  const { title, worry } = words.figures[figure.name]
  const value = latestOf(points)
  const state = stateOf(figure, value)
  const from = points[0]?.atMs ?? 0
  return (
    <section class={`card figure state-${state}`} aria-label={title}>
      <h2>{title}</h2>
      <strong class="numbers">{value === undefined ? words.unknown : figure.show(value)}</strong>
      {state !== 'fine' && <span class="tag">{words.states[state]}</span>}
      {points.length > 1 && (
        <Plot
          drawn={[
            {
              label: title,
              unit: '',
              series: {
                times: points.map(({ atMs }) => atMs),
                values: points.map((point) => point.value),
                least: undefined,
                most: undefined,
                cycle: undefined,
                isInterval: false,
              },
            },
          ]}
          window={{ from, to: Math.max(points.at(-1)!.atMs, from + 60_000) }}
          zone="UTC"
          label={words.historyOf(title)}
          look="bare"
        />
      )}
      <p class="quiet">{worry}</p>
    </section>
  )
}

const Refused = ({
  first,
  now,
  errors,
}: {
  readonly first: Reading
  readonly now: Reading
  readonly errors: number
}) => {
  const imports = failingImportsOf(now)
  const callers = useCallers().value ?? {}
  const connectors = useConnectors().value ?? {}
  return (
    <>
      <section class="stack">
        <h2>{words.refused}</h2>
        <p class="quiet">
          {words.refusedLead} {words.errors(errors)}
        </p>
        <List
          rows={refusalsOf(now, first)}
          keyOf={({ code }) => code}
          empty={words.noRefusals}
          columns={[
            { title: words.code, shown: ({ code }) => <code>{code}</code> },
            { title: words.lately, isNumber: true, shown: ({ lately }) => lately.toLocaleString('en') },
            { title: words.all, isNumber: true, shown: ({ count }) => count.toLocaleString('en') },
            {
              title: words.meaning,
              shown: ({ code }) => (
                <span class="quiet">{words.codes[code] ?? (code.endsWith('not_found') ? words.notFound : '')}</span>
              ),
            },
          ]}
        />
      </section>
      {refusedCallersOf(now).length > 0 && (
        <section class="stack">
          <h2>{words.callers}</h2>
          <List
            rows={refusedCallersOf(now)}
            keyOf={({ caller }) => caller}
            columns={[
              { title: words.caller, shown: ({ caller }) => callers[caller] ?? <code>{caller}</code> },
              { title: words.requests, isNumber: true, shown: ({ count }) => count.toLocaleString('en') },
            ]}
          />
        </section>
      )}
      {imports.length > 0 && (
        <section class="stack">
          <h2>{words.imports}</h2>
          <List
            rows={imports}
            keyOf={({ uid }) => uid}
            columns={[
              {
                title: words.connector,
                shown: ({ uid }) => <a href={to(['connector', uid])}>{connectors[uid] ?? uid}</a>,
              },
              { title: words.inARow, isNumber: true, shown: ({ failures }) => failures },
              { title: words.error, shown: ({ error }) => error },
            ]}
          />
        </section>
      )}
    </>
  )
}
