// A number that grows when samples of a chart's streams are stored, no faster than its picture can change: by a
// thousandth of its width.
import { useEffect, useState } from 'preact/hooks'
import { liveOf, useLive } from '../live.ts'
import type { StreamOf } from './window.ts'

export const useLiveTurn = (streams: readonly StreamOf[], isLive: boolean, everyMs: number): number => {
  const [turn, setTurn] = useState(0)
  const live = useLive(isLive ? liveOf(streams) : [])
  const names = streams.map(({ compId, streamId }) => `${compId}\n${streamId}`).join('\n\n')
  useEffect(() => {
    if (!isLive) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const note = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        setTurn((n) => n + 1)
      }, everyMs)
    }
    const ends = streams.map((stream) => live.listen(stream, note))
    return () => {
      for (const end of ends) end()
      clearTimeout(timer)
    }
  }, [names, isLive, everyMs])
  return turn
}

/** The time at the right edge of a chart that follows the clock. */
export const useNow = (isLive: boolean, everyMs: number): number => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isLive) return undefined
    const follow = () => document.visibilityState === 'visible' && setNow(Date.now())
    follow()
    const timer = setInterval(follow, everyMs)
    return () => clearInterval(timer)
  }, [isLive, everyMs])
  return now
}
