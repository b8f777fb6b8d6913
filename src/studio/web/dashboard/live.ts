// Samples of all tiles of a page, as they are stored, by one connection for all of them. It comes back by itself when it
// is lost; a page that nobody looks at has none.
import { signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { CoppiceError } from '../../../client/client.ts'
import type { LiveOf, Sample } from '../../../client/client.ts'
import { endWithSession } from '../live.ts'
import { client, organization } from '../session.ts'
import type { FoundStream } from './streams.ts'

export type LiveSample = Sample & { readonly fData?: string; readonly unit?: string }
type Named = Pick<FoundStream, 'compId' | 'streamId'>

export type Live = {
  /** By name; changed a few times a second at most, however many samples come. */
  readonly values: ReadonlySignal<ReadonlyMap<string, LiveSample>>
  readonly state: ReadonlySignal<'starting' | 'live' | 'lost'>
  /** Calls for every sample of the stream; without one when some are missing, or were deleted. */
  readonly listen: (of: Named, hear: (sample?: LiveSample) => void) => () => void
}

export const nameOf = ({ compId, streamId }: Named): string =>
  `${encodeURIComponent(compId)}/${encodeURIComponent(streamId)}`

const showEveryMs = 250

/** `changed` is called when one of the streams is gone, and the page should look again. */
export const useLive = (streams: readonly FoundStream[], changed: () => void): Live => {
  const [hub] = useState(openHub)
  const names = streams.map(nameOf).toSorted().join(' ')
  useEffect(() => {
    let control = new AbortController()
    const start = () => {
      if (streams.length === 0) return
      control = new AbortController()
      void hub.run(liveOf(streams), control.signal, changed)
    }
    const followView = () => (document.visibilityState === 'visible' ? start() : control.abort())
    start()
    document.addEventListener('visibilitychange', followView)
    return () => {
      document.removeEventListener('visibilitychange', followView)
      control.abort()
    }
  }, [names, organization.value?.uid])
  return hub
}

/** An address has an end. */
const mostCharacters = 20_000
const mostNames = 1000

/** As many as one call takes; of the others the tiles show what they load. */
const liveOf = (streams: readonly FoundStream[]): readonly LiveOf[] => {
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
  return [...byComponent].map(([compId, of]) => ({ compId, streams: of }))
}

const openHub = () => {
  const values = signal<ReadonlyMap<string, LiveSample>>(new Map())
  const state = signal<'starting' | 'live' | 'lost'>('starting')
  const listeners = new Map<string, Set<(sample?: LiveSample) => void>>()
  const tell = (name: string, sample?: LiveSample) => {
    for (const hear of listeners.get(name) ?? []) hear(sample)
  }
  const tellAll = () => {
    for (const name of listeners.keys()) tell(name)
  }

  const run = async (of: readonly LiveOf[], ending: AbortSignal, changed: () => void): Promise<void> => {
    const known = new Map(values.peek())
    // Samples may have come while nobody listened.
    tellAll()
    let isDue = false
    const show = () => {
      if (isDue) return
      isDue = true
      setTimeout(() => {
        isDue = false
        if (!ending.aborted) values.value = new Map(known)
      }, showEveryMs)
    }
    const options = {
      query: { retFData: true, retUnit: true },
      signal: ending,
      onLost: () => void (state.value = 'lost'),
    }
    try {
      for await (const event of client.peek().live(of, options)) {
        state.value = 'live'
        if (event.kind === 'deleted') tell(nameOf(event))
        if (event.kind === 'gap') tellAll()
        // The last values are complete: the page shows them at once.
        if (event.kind === 'live') values.value = new Map(known)
        if (event.kind !== 'sample') continue
        const sample = event.sample
        const name = nameOf(sample)
        const before = known.get(name)
        // A late sample is no last value.
        if (before === undefined || before.time <= sample.time) known.set(name, sample)
        show()
        tell(name, sample)
      }
    } catch (error) {
      if (ending.aborted) return
      state.value = 'lost'
      endWithSession(error)
      // One of them was deleted. Without the right to read there is nothing to listen to.
      if (error instanceof CoppiceError && error.status === 404) changed()
    }
  }
  return {
    values,
    state,
    run,
    listen: (of: Named, hear: (sample?: LiveSample) => void) => {
      const name = nameOf(of)
      const heard = listeners.get(name) ?? new Set()
      listeners.set(name, heard.add(hear))
      return () => {
        heard.delete(hear)
        if (heard.size === 0) listeners.delete(name)
      }
    },
  }
}
