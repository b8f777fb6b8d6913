// Data of the server on a page: loaded when the page opens and when its key changes, kept while it loads anew, with the
// reason when it could not be had. A reply that comes after the page has gone on is dropped.
import { useEffect, useRef, useState } from 'preact/hooks'
import { CoppiceError } from '../../client/client.ts'
import { back, client, organization } from './session.ts'
import type { Client, EntityName, EntityOf, Query } from '../../client/client.ts'
import { repeat } from './repeat.ts'
import { loadRows } from './rows.ts'
import type { Rows } from './rows.ts'
import { texts } from './texts.ts'

export type Loaded<T> = {
  readonly value: T | undefined
  readonly problem: string | undefined
  readonly isLoading: boolean
  readonly reload: () => void
}

export const useLoad = <T>(
  key: string,
  load: (client: Client, signal: AbortSignal) => Promise<T>,
  everyMs?: number,
  /** Loads anew when it changes, and keeps what is there until then. */
  version?: unknown,
): Loaded<T> => {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'> & { readonly key?: string }>({
    value: undefined,
    problem: undefined,
    isLoading: true,
  })
  const [turn, setTurn] = useState(0)
  const latest = useRef(load)
  latest.current = load
  const whole = `${organization.value?.uid ?? ''} ${key}`
  useEffect(() => {
    const control = new AbortController()
    setState((before) => ({ ...before, value: before.key === whole ? before.value : undefined, isLoading: true }))
    const run = async () => {
      try {
        const value = await latest.current(client.peek(), control.signal)
        if (!control.signal.aborted) setState({ value, problem: undefined, isLoading: false, key: whole })
      } catch (error) {
        if (!control.signal.aborted)
          setState((before) => ({ ...before, problem: problemOf(error), isLoading: false, key: whole }))
      }
    }
    const end = repeat(run, everyMs, isLookedAt)
    return () => {
      control.abort()
      end()
    }
  }, [whole, turn, everyMs, version, back.value])
  return { ...state, reload: () => setTurn((n) => n + 1) }
}

/** A page that nobody looks at asks for nothing. */
export const isLookedAt = (): boolean => document.visibilityState === 'visible'

/** The first entities of one kind, `count` of them. */
export const loadEntities = <Name extends EntityName>(
  calls: Client,
  entity: Name,
  query: Query,
  count: number,
  signal: AbortSignal,
): Promise<Rows<EntityOf<Name>>> =>
  loadRows(count, async (page) => {
    const given = { query: { ...query, ...page }, signal }
    const reply = await calls.call(`GET /api/${entity}` as 'GET /api/unit', given)
    const { [entity]: rows, totalCount } = reply as unknown as Record<Name, readonly EntityOf<Name>[]> & Rows<never>
    return { rows, totalCount }
  })

/** The reason for a person: the server's own words, or that it cannot be reached. */
export const problemOf = (error: unknown): string => {
  if (error instanceof CoppiceError && error.status > 0) return error.message
  return error instanceof TypeError || error instanceof CoppiceError
    ? texts.serverAway
    : error instanceof Error
      ? error.message
      : String(error)
}
