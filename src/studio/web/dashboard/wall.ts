// A dashboard on a wall: without the frame, as large as the screen, which is kept awake where the browser can. The place
// says so (…?wall=1), so that a screen can be opened with it; the browser's own full screen needs a click.
import { useEffect } from 'preact/hooks'
import { place, replaceQuery } from '../router.ts'

export const isWall = (): boolean => place.value.path[0] === 'dashboard' && place.value.query.has('wall')

export const enterWall = (): void => {
  replaceQuery({ wall: '1' })
  document.documentElement.requestFullscreen?.().catch(() => {})
}

export const leaveWall = (): void => {
  replaceQuery({})
  if (document.fullscreenElement) document.exitFullscreen().catch(() => {})
}

/** Keeps the screen awake, and notices when Escape has left the full screen. */
export const useWall = (isOn: boolean): void => {
  useEffect(() => {
    if (!isOn) return undefined
    let lock: WakeLockSentinel | undefined
    const stayAwake = () => {
      if (document.visibilityState !== 'visible') return
      // A browser lets go of it whenever the page is hidden, and refuses it when the battery is low.
      navigator.wakeLock?.request('screen').then(
        (given) => (lock = given),
        () => {},
      )
    }
    let wasFull = document.fullscreenElement !== null
    const follow = () => {
      const isFull = document.fullscreenElement !== null
      if (wasFull && !isFull) leaveWall()
      wasFull = isFull
    }
    const press = ({ key }: KeyboardEvent) => key === 'Escape' && !document.fullscreenElement && leaveWall()
    stayAwake()
    document.addEventListener('visibilitychange', stayAwake)
    document.addEventListener('fullscreenchange', follow)
    addEventListener('keydown', press)
    return () => {
      document.removeEventListener('visibilitychange', stayAwake)
      document.removeEventListener('fullscreenchange', follow)
      removeEventListener('keydown', press)
      lock?.release().catch(() => {})
    }
  }, [isOn])
}
