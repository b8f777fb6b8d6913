// The lines of a chart for its window. What was loaded before is drawn in the new window at once, the best of it that is
// there (kept.ts); what is missing is asked for when the window rests, and a question that is outdated is cancelled.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Client } from '../../../client/client.ts'
import { back, client, organization } from '../session.ts'
import { problemOf } from '../load.ts'
import { bestOf, isEnough, marginOf } from './kept.ts'
import type { Kept } from './kept.ts'
import type { Drawn, Window } from './window.ts'

export type LoadDrawn = (calls: Client, window: Window, signal: AbortSignal) => Promise<readonly Drawn[]>

/** A window that changes all the time is asked for when it has rested so long. */
const restMs = 90
const mostKept = 24

/** A question that is under way. */
type Asked = { readonly control: AbortController; readonly key: string; readonly part: Kept }

/** `turn` is a number: a new one loads anew. */
export const useDrawn = (key: string, window: Window | undefined, load: LoadDrawn, turn = 0) => {
  const whole = `${organization.value?.uid ?? ''} ${key}`
  const version = `${turn} ${back.value}`
  const [kept, setKept] = useState<{ readonly key: string; readonly turn: string; readonly list: readonly Kept[] }>({
    key: whole,
    turn: version,
    list: [],
  })
  const [problem, setProblem] = useState<string>()
  const [isLoading, setLoading] = useState(true)
  const latest = useRef(load)
  latest.current = load
  const asked = useRef<Asked | undefined>(undefined)
  const own = kept.key === whole ? kept.list : []
  const stop = () => {
    asked.current?.control.abort()
    asked.current = undefined
  }
  useEffect(() => stop, [])
  useEffect(() => {
    if (window === undefined) return
    const best = bestOf(own, window)
    if (best && kept.turn === version && isEnough(best, window)) {
      stop()
      setLoading(false)
      return
    }
    // A live chart moves on and hears of new samples all the time: the question under way serves it, and the next follows.
    const running = asked.current
    if (running?.key === whole && own.length > 0 && isEnough(running.part, window)) return
    stop()
    const control = new AbortController()
    const part: Kept = { loaded: marginOf(window), length: window.to - window.from, drawn: statistics }
    asked.current = { control, key: whole, part }
    setLoading(true)
    const run = async () => {
      try {
        const drawn = await latest.current(client.peek(), part.loaded, control.signal)
        if (control.signal.aborted) return
        asked.current = undefined
        // With new samples, or after an outage, those before may be old.
        setKept((before) => {
          const others = before.key === whole && before.turn === version ? before.list : []
          return { key: whole, turn: version, list: [...others, { ...part, drawn }].slice(-mostKept) }
        })
        setProblem(undefined)
      } catch (error) {
        if (control.signal.aborted) return
        asked.current = undefined
        setProblem(problemOf(error))
      }
      setLoading(false)
    }
    setTimeout(() => control.signal.aborted || void run(), own.length === 0 ? 0 : restMs)
  }, [whole, window?.from, window?.to, version, kept])
  const drawn = useMemo(() => (window && bestOf(own, window)?.drawn) ?? [], [own, window?.from, window?.to])
  return { drawn, problem, isLoading }
}

/** Before it is there, as if it were made of statistics: a closer window asks for finer ones. */
const statistics: readonly Drawn[] = [
  {
    label: '',
    unit: '',
    series: { times: [], values: [], least: undefined, most: undefined, cycle: 'any', isInterval: true },
  },
]
