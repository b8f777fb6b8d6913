// A page that is loaded when it is opened. After an update of the server its old files are gone: the studio is loaded
// anew, once. Where the server is away, it is loaded anew when it is back: browsers do not ask twice for a file of a script.
// A page that fails says so, and the next one is shown all the same.
import type { ComponentType } from 'preact'
import { useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks'
import { Notice, Spinner } from './ui/parts.tsx'
import { texts } from './texts.ts'
import { place } from './router.ts'
import { back, isReachable } from './session.ts'

type Module = { readonly default: ComponentType }

export const Lazy = ({ load }: { readonly load: () => Promise<Module> }) => {
  const [Shown, setShown] = useState<ComponentType>()
  const [isAway, setAway] = useState(false)
  const [isWaiting, setWaiting] = useState(false)
  useEffect(() => {
    let isGone = false
    const reloadOrWait = async () => {
      const isThere = await isReachable()
      if (isGone) return
      if (!isThere) setWaiting(true)
      else if (!reloadOnce()) setAway(true)
    }
    load().then((module) => isGone || setShown(() => module.default), reloadOrWait)
    return () => {
      isGone = true
    }
  }, [])
  const [error, forget] = useErrorBoundary((failure: unknown) => reportError(failure))
  useEffect(() => forget(), [place.value])
  const first = useRef(back.value)
  useEffect(() => {
    if (isWaiting && back.value !== first.current) location.reload()
  }, [isWaiting, back.value])
  if (Shown && error === undefined && !isAway) return <Shown />
  return (
    <main class="page" id="content">
      {error !== undefined ? (
        <Notice kind="bad">{texts.pageFailed}</Notice>
      ) : isAway ? (
        <Notice kind="bad">{texts.serverAway}</Notice>
      ) : (
        <Spinner />
      )}
    </main>
  )
}

const reloadOnce = (): boolean => {
  const last = Number(sessionStorage.getItem('coppice.reloaded') ?? 0)
  if (Date.now() - last < 60_000) return false
  sessionStorage.setItem('coppice.reloaded', String(Date.now()))
  location.reload()
  return true
}
