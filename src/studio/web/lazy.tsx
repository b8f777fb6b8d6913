// A page that is loaded when it is opened. After an update of the server its old files are gone: the studio is loaded
// anew, once.
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Notice, Spinner } from './ui/parts.tsx'
import { texts } from './texts.ts'

type Module = { readonly default: ComponentType }

export const Lazy = ({ load }: { readonly load: () => Promise<Module> }) => {
  const [Shown, setShown] = useState<ComponentType>()
  const [isAway, setAway] = useState(false)
  useEffect(() => {
    let isGone = false
    load().then(
      (module) => isGone || setShown(() => module.default),
      () => (reloadOnce() ? undefined : isGone || setAway(true)),
    )
    return () => {
      isGone = true
    }
  }, [])
  if (isAway) return <Notice kind="bad">{texts.serverAway}</Notice>
  return Shown ? <Shown /> : <Spinner />
}

const reloadOnce = (): boolean => {
  const last = Number(sessionStorage.getItem('coppice.reloaded') ?? 0)
  if (Date.now() - last < 60_000) return false
  sessionStorage.setItem('coppice.reloaded', String(Date.now()))
  location.reload()
  return true
}
