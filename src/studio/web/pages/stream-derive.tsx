// How far a derived stream is, and deriving it again (docs/derived.md#derive-on-request): with progress, and a way to stop.
import { useState } from 'preact/hooks'
import type { Stream } from '../catalogue.ts'
import { problemOf, useLoad } from '../load.ts'
import { localText, timeOfLocal } from '../local-time.ts'
import { client, hasRole } from '../session.ts'
import { texts } from '../texts.ts'
import { showTime } from '../time.ts'
import { Field, Notice, Shown, Spinner } from '../ui/parts.tsx'

const words = texts.catalogue.stream

export const DeriveAgain = ({ stream, zone }: { readonly stream: Stream; readonly zone: string }) => {
  const uid = stream.uid ?? ''
  const [from, setFrom] = useState('')
  const [problem, setProblem] = useState('')
  const state = useLoad(
    `derive ${uid}`,
    async (calls, signal) => {
      const [now, { derive }] = await Promise.all([
        calls.entities('stream').show(uid, { signal }),
        calls.call('GET /api/stream/{uid}/derive', { path: { uid }, signal }),
      ])
      return { staleFrom: now.staleFrom ?? null, failed: now.deriveError ?? null, derive }
    },
    1000,
  )
  const attempt = async (work: Promise<unknown>) => {
    setProblem('')
    try {
      await work
    } catch (error) {
      setProblem(problemOf(error))
    }
    state.reload()
  }
  const start = () => {
    const ms = timeOfLocal(from, zone)
    const body = ms === undefined ? {} : { from: ms }
    return attempt(
      client.peek().call('POST /api/stream/{uid}/derive', { path: { uid }, query: { wait: false }, body, retries: 0 }),
    )
  }
  const cancel = () => attempt(client.peek().call('DELETE /api/stream/{uid}/derive', { path: { uid } }))
  return (
    <section class="card stack">
      <h2>{words.state}</h2>
      <Shown of={state}>
        {({ staleFrom, failed, derive }) => (
          <>
            {failed && <Notice kind="bad">{words.failed(showTime(failed.time, zone, true), failed.message)}</Notice>}
            {staleFrom === null
              ? !failed && <p>{words.fresh}</p>
              : !isGoing(derive) && <Notice kind="warn">{words.stale(showTime(staleFrom, zone, true))}</Notice>}
            <Request of={derive} zone={zone} isFailing={failed !== null} />
            {hasRole('member') &&
              (isGoing(derive) ? (
                <div>
                  <button onClick={() => void cancel()}>{texts.cancel}</button>
                </div>
              ) : (
                <div class="row">
                  <Field label={words.from(zone)}>
                    <input
                      type="datetime-local"
                      step={1}
                      value={from}
                      placeholder={staleFrom === null ? '' : localText(staleFrom, zone)}
                      onInput={(event) => setFrom(event.currentTarget.value)}
                    />
                  </Field>
                  <button class="low" onClick={() => void start()}>
                    {words.again}
                  </button>
                </div>
              ))}
          </>
        )}
      </Shown>
      {problem !== '' && <Notice kind="bad">{problem}</Notice>}
    </section>
  )
}

type Derive = {
  readonly from: number
  readonly to: number
  readonly reached: number | null
  readonly start: number
  readonly end: number | null
  readonly cancelled: boolean
  readonly error: string | null
} | null

const isGoing = (derive: Derive) => derive !== null && derive.end === null

/** The request that goes on, or how the last one ended. */
const Request = ({
  of: derive,
  zone,
  isFailing,
}: {
  readonly of: Derive
  readonly zone: string
  readonly isFailing: boolean
}) => {
  if (derive === null) return null
  if (derive.error !== null) return isFailing ? null : <p class="quiet">{words.ended(derive.error)}</p>
  if (derive.cancelled) return <p class="quiet">{words.stopped}</p>
  if (derive.end !== null) return <p role="status">{words.done}</p>
  return (
    <p class="row" role="status">
      <Spinner />
      {derive.reached === null ? words.waiting : words.reached(showTime(derive.reached, zone))}
    </p>
  )
}
