// A parser as it is fuzzed: an input is refused by an error of ours, or read; nothing else may happen.
import { Fault } from '../../src/base/errors.ts'
import { FrameError } from '../../src/mqtt/frame.ts'

export type FuzzTarget = {
  readonly name: string
  readonly seeds: readonly (string | Buffer)[]
  /** Throws what it finds. */
  readonly run: (bytes: Buffer) => void | Promise<void>
}

/** Errors that are an answer. */
export const isRefusal = (error: unknown): error is Error => error instanceof Fault || error instanceof FrameError

export const orRefuses = <T>(work: () => T): T | string => {
  try {
    return work()
  } catch (error) {
    if (isRefusal(error)) return `refused: ${error.message}`
    throw error
  }
}

export const textTarget = (name: string, seeds: readonly string[], read: (text: string) => unknown): FuzzTarget => ({
  name,
  seeds,
  run: (bytes) => void orRefuses(() => read(bytes.toString())),
})
