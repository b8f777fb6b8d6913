// A bar of progress among the remarks, on a terminal only: elsewhere it would fill a log.
//
//   const bar = openProgress(context, 'samples', total)
//   bar.set(done); …; bar.end()
import type { Context } from './context.ts'

export type Progress = {
  readonly set: (done: number, note?: string) => void
  /** Removes the bar. */
  readonly end: () => void
}

/** `total` undefined: nobody knows, and only the number is shown. */
export const openProgress = (
  { isErrTerminal, err, width, now }: Pick<Context, 'isErrTerminal' | 'err' | 'width' | 'now'>,
  what: string,
  total?: number,
): Progress => {
  if (!isErrTerminal) return { set: () => undefined, end: () => undefined }
  const startMs = now()
  let shownMs = Number.NEGATIVE_INFINITY
  return {
    set: (done, note = '') => {
      if (now() - shownMs < 100 && done !== total) return
      shownMs = now()
      const line = lineOf(what, done, total, now() - startMs, note)
      void err(`\r\u001B[K${line.slice(0, Math.max(10, width() - 1))}`)
    },
    end: () => void err('\r\u001B[K'),
  }
}

export const lineOf = (what: string, done: number, total: number | undefined, ms: number, note: string): string => {
  const rate = ms > 500 ? ` ${grouped(Math.round((done * 1000) / ms))}/s` : ''
  const tail = note === '' ? '' : ` ${note}`
  if (total === undefined || total <= 0) return `${grouped(done)} ${what}${rate}${tail}`
  const part = Math.min(1, done / total)
  const full = Math.floor(part * 24)
  const bar = `${'█'.repeat(full)}${'░'.repeat(24 - full)}`
  return `${bar} ${String(Math.floor(part * 100)).padStart(3)} % ${grouped(done)}/${grouped(total)} ${what}${rate}${tail}`
}

export const grouped = (count: number): string => count.toLocaleString('en-US')
