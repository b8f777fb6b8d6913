// The last values of a component, as they are stored. A page that nobody looks at listens to nothing: browsers open few
// connections to one server, and each listener holds one.
import { useEffect, useState } from 'preact/hooks'
import type { Sample } from '../../client/client.ts'
import { CoppiceError } from '../../client/client.ts'
import { client, endSession, organization } from './session.ts'

export type LastValues = ReadonlyMap<string, Sample>

export const useLastValues = (compId: string): LastValues | undefined => {
  const [values, setValues] = useState<LastValues>()
  useEffect(() => {
    let control = new AbortController()
    const listen = async (signal: AbortSignal) => {
      const known = new Map<string, Sample>()
      let isDue = false
      // Many samples may come at once; the page is drawn once for all of them.
      const show = () => {
        if (isDue) return
        isDue = true
        requestAnimationFrame(() => {
          isDue = false
          if (!signal.aborted) setValues(new Map(known))
        })
      }
      const events = client.peek().live([{ compId }], { query: { retFData: true }, signal })
      for await (const event of events) {
        if (event.kind === 'live') show()
        if (event.kind !== 'sample') continue
        const { streamId, time } = event.sample
        const before = known.get(streamId)
        // A late sample is no last value.
        if (before === undefined || before.time <= time) known.set(streamId, event.sample)
        show()
      }
    }
    const start = () => {
      control = new AbortController()
      void listen(control.signal).catch(endWithSession)
    }
    const followView = () => (document.visibilityState === 'visible' ? start() : control.abort())
    start()
    document.addEventListener('visibilitychange', followView)
    return () => {
      document.removeEventListener('visibilitychange', followView)
      control.abort()
    }
  }, [compId, organization.value?.uid])
  return values
}

/** A listener ends with its page, with the component, or with the session: that the frame says. */
export const endWithSession = (error: unknown): void => {
  if (error instanceof CoppiceError && error.status === 401) endSession()
}
