// Long work in slices: work that grows with the length of a stranger's text is a generator that yields wherever it can
// be left, and others are served in between when it has been long.
//
//   const rows = await inSlices(csvTable(text, ...), breathe)
import { setImmediate } from 'node:timers/promises'

export type Sliced<T> = Generator<void, T, void>

/** Others are served in between, when it has been long: only then is there something to wait for. */
export type Breathe = () => Promise<void> | undefined

const breathMs = 10

/** `goOn` throws when the work is not wanted any more. */
export const openBreath = (goOn: () => void, afterMs = breathMs): Breathe => {
  let sinceMs = performance.now()
  const breathe = async () => {
    await setImmediate()
    sinceMs = performance.now()
    goOn()
  }
  return () => (performance.now() - sinceMs < afterMs ? undefined : breathe())
}

const leastFairMs = 3

/**
 * For work that others wait for again and again, as a call does, which takes several turns of the loop: in slices as long as the others have
 * just taken in between, of 3 to 10 ms. In slices of 3, beside turns of 20, a body of 4 MB took 1.3 s.
 */
export const openFairBreath = (now: () => number = () => performance.now()): Breathe => {
  let sinceMs = now()
  let sliceMs = leastFairMs
  const breathe = async () => {
    const fromMs = now()
    await setImmediate()
    sinceMs = now()
    sliceMs = Math.min(breathMs, Math.max(leastFairMs, sinceMs - fromMs))
  }
  return () => (now() - sinceMs < sliceMs ? undefined : breathe())
}

export const inSlices = async <T>(work: Sliced<T>, breathe: Breathe): Promise<T> => {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    const turn = breathe()
    if (turn) await turn
  }
}

/** Does short work without a pause. */
export const atOnce = <T>(work: Sliced<T>): T => {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
