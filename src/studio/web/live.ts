// Samples as they are stored, by one connection for all that a page shows. It comes back by itself when it is lost. A page
// that nobody looks at listens to nothing: browsers open few connections to one server, and each listener holds one.
import { signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { CoppiceError } from '../../client/client.ts'
import type { LiveOf } from '../../client/client.ts'
import { nameOf } from './catalogue.ts'
import { openLastValues } from './last-values.ts'
import type { LastValues, LiveSample, Named } from './last-values.ts'
import { client, endSession, organization } from './session.ts'

export type { LiveSample } from './last-values.ts'

export type Live = {
  /** The last values, by name; changed a few times a second at most, however many samples come. */
  readonly values: ReadonlySignal<ReadonlyMap<string, LiveSample>>
  /** The components whose streams are too many for the page: it has the values of some. */
  readonly cut: ReadonlySignal<ReadonlySet<string>>
  readonly state: ReadonlySignal<'starting' | 'live' | 'lost'>
  /** Calls for every sample of the stream; without one when some are missing, or were deleted. */
  readonly listen: (of: Named, hear: (sample?: LiveSample) => void) => () => void
}

const showEveryMs = 250
const startAgainMs = 2000
const longestWaitMs = 60_000

/** `changed` is called when one of them is gone, and the page should look again. */
export const useLive = (of: readonly LiveOf[], changed: () => void = () => {}): Live => {
  const [hub] = useState(openHub)
  useEffect(() => {
    if (of.length === 0) return undefined
    let control = new AbortController()
    const start = (waitMs = startAgainMs) => {
      const own = (control = new AbortController())
      void hub.run(of, own.signal).then((end) => {
        if (end !== 'gone') return
        changed()
        // The page looks again and names others then, unless it finds the same.
        setTimeout(() => own.signal.aborted || start(Math.min(waitMs * 2, longestWaitMs)), waitMs)
      })
    }
    const followView = () => (document.visibilityState === 'visible' ? start() : control.abort())
    start()
    document.addEventListener('visibilitychange', followView)
    return () => {
      document.removeEventListener('visibilitychange', followView)
      control.abort()
    }
  }, [JSON.stringify(of), organization.value?.uid])
  return hub
}

/** An address has an end. */
const mostCharacters = 20_000
const mostNames = 1000

/** As many as one call takes; of the others a page shows what it loads. */
export const liveOf = (streams: readonly Named[]): readonly LiveOf[] => {
  const byComponent = new Map<string, string[]>()
  let [characters, names] = [0, 0]
  for (const { compId, streamId } of streams) {
    const known = byComponent.get(compId)
    if (known?.includes(streamId)) continue
    characters += encodeURIComponent(streamId).length + (known ? 0 : encodeURIComponent(compId).length) + 20
    names += known ? 1 : 2
    if (characters > mostCharacters || names > mostNames) break
    byComponent.set(compId, [...(known ?? []), streamId])
  }
  return [...byComponent].map(([compId, ids]) => ({ compId, streams: ids }))
}

/** Components, as many as one call takes. */
export const liveOfComponents = (compIds: readonly string[]): readonly LiveOf[] => {
  let characters = 0
  return compIds
    .slice(0, mostNames)
    .filter((compId) => (characters += encodeURIComponent(compId).length + 8) < mostCharacters)
    .map((compId) => ({ compId }))
}

/** Of several components, in equal shares: one with so many streams is looked at by itself. */
const mostValues = 20_000

const form = { retFData: true, retUnit: true }

/** Asks for last values that were deleted, one after the other: somebody may delete from thousands of streams at once. */
const openAsking = (lasts: LastValues, ending: AbortSignal, show: () => void) => {
  let isAsking = false
  return async (): Promise<void> => {
    if (isAsking) return
    isAsking = true
    try {
      for (;;) {
        const lost = lasts.nextLost()
        if (lost === undefined) return
        try {
          const reading = { ...form, stream: lost.streamId, signal: ending }
          const [last] = (await client.peek().lastValues(lost.compId, reading)) as readonly LiveSample[]
          lasts.answer(lost, last)
          show()
        } catch {
          return lasts.askAgain(lost)
        }
      }
    } finally {
      isAsking = false
    }
  }
}

const openHub = () => {
  const values = signal<ReadonlyMap<string, LiveSample>>(new Map())
  const cut = signal<ReadonlySet<string>>(new Set())
  const state = signal<'starting' | 'live' | 'lost'>('starting')
  const listeners = new Map<string, Set<(sample?: LiveSample) => void>>()
  const tell = (name: string, sample?: LiveSample) => {
    for (const hear of listeners.get(name) ?? []) hear(sample)
  }
  const tellAll = () => {
    for (const name of listeners.keys()) tell(name)
  }

  /** Until it is ended; gone: one of them does not exist. */
  const run = async (of: readonly LiveOf[], ending: AbortSignal): Promise<'ended' | 'gone'> => {
    const wanted = new Set(of.map((one) => ('compId' in one ? one.compId : '')))
    const before = new Map([...values.peek()].filter(([, { compId }]) => wanted.has(compId ?? '')))
    // The page of one component has all of its streams anyway.
    const isNamed = of.every((one) => 'compId' in one && one.streams !== undefined)
    const lasts = openLastValues(before, isNamed || of.length === 1 ? undefined : Math.floor(mostValues / of.length))
    const showNow = () => {
      values.value = lasts.shown()
      const now = lasts.cut()
      if (now.size > 0 || cut.peek().size > 0) cut.value = now
    }
    // Samples may have come while nobody listened.
    tellAll()
    let isDue = false
    const show = () => {
      if (isDue) return
      isDue = true
      setTimeout(() => {
        isDue = false
        if (!ending.aborted) showNow()
      }, showEveryMs)
    }
    const askForLost = openAsking(lasts, ending, show)
    const options = {
      query: form,
      signal: ending,
      onLost: () => void (state.value = 'lost'),
    }
    try {
      for await (const event of client.peek().live(of, options)) {
        state.value = 'live'
        if (event.kind === 'deleted') {
          lasts.forget(event)
          show()
          tell(nameOf(event.compId, event.streamId))
        }
        if (event.kind === 'gap') {
          lasts.begin()
          tellAll()
        }
        if (event.kind === 'live') {
          // The last values are complete: the page shows them at once.
          lasts.complete()
          showNow()
        }
        // After an outage, too.
        if (event.kind === 'deleted' || event.kind === 'live') void askForLost()
        if (event.kind !== 'sample') continue
        const sample = event.sample
        const name = nameOf(sample.compId, sample.streamId)
        lasts.take(sample)
        show()
        tell(name, sample)
      }
    } catch (error) {
      if (ending.aborted) return 'ended'
      state.value = 'lost'
      // The end of the session is for the frame to say. Without the right to read there is nothing to listen to.
      if (error instanceof CoppiceError && error.status === 401) endSession()
      if (error instanceof CoppiceError && error.status === 404) return 'gone'
    }
    return 'ended'
  }
  return {
    values,
    cut,
    state,
    run,
    listen: ({ compId, streamId }: Named, hear: (sample?: LiveSample) => void) => {
      const name = nameOf(compId, streamId)
      const heard = listeners.get(name) ?? new Set()
      listeners.set(name, heard.add(hear))
      return () => {
        heard.delete(hear)
        if (heard.size === 0) listeners.delete(name)
      }
    },
  }
}
