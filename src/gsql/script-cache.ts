// Compiled scripts, kept for the next time that the same text comes. They are bounded by the memory they take; when it is
// used up, the organization that holds most of it loses what it has not used for longest, so that nobody can push out
// the scripts of everybody else.
import type { Holders } from '../base/shares.ts'
import type { Compile, Compiled } from './compiler.ts'
import type { CompiledScript } from './script.ts'

export type ScriptCache = {
  readonly compile: (text: string, holders: Holders, signal?: AbortSignal) => CompiledScript | Promise<CompiledScript>
  /** What is held, for tests. */
  readonly bytes: () => number
}

type Kept = {
  bytes: number
  readonly scripts: Map<string, Compiled>
  readonly underWay: Map<string, Promise<Compiled>>
}

const usualBytes = 64 * 1024 * 1024
/** A script and its place here, besides what was made of it. */
const bytesEach = 1000

export const openScriptCache = (compile: Compile, mostBytes = usualBytes): ScriptCache => {
  /** By organization. */
  const kept = new Map<string, Kept>()
  let bytes = 0

  const costOf = (text: string, compiled: Compiled) => compiled.bytes + 2 * text.length + bytesEach
  const add = (one: Kept, amount: number) => {
    one.bytes += amount
    bytes += amount
  }
  const forget = (organization: string, one: Kept): void => {
    const [oldest] = one.scripts
    if (oldest) {
      add(one, -costOf(...oldest))
      one.scripts.delete(oldest[0])
    }
    if (one.scripts.size === 0 && one.underWay.size === 0) kept.delete(organization)
  }
  const largest = () => [...kept].reduce((most, one) => (one[1].bytes > most[1].bytes ? one : most))

  const makeRoom = (): void => {
    for (;;) {
      if (bytes <= mostBytes) return
      forget(...largest())
    }
  }

  const compileFor = async (
    one: Kept,
    text: string,
    holders: Holders,
    signal: AbortSignal | undefined,
  ): Promise<Compiled> => {
    try {
      const compiled = await compile(text, holders, signal)
      one.scripts.set(text, compiled)
      add(one, costOf(text, compiled))
      makeRoom()
      return compiled
    } finally {
      one.underWay.delete(text)
      if (one.scripts.size === 0 && one.underWay.size === 0) kept.delete(holders[0])
    }
  }

  /** One compiling for all who wait for the same text. Where its caller went away before it began, another begins it. */
  const compileOnce = async (
    text: string,
    holders: Holders,
    signal: AbortSignal | undefined,
  ): Promise<CompiledScript> => {
    for (;;) {
      const one = kept.get(holders[0]) ?? { bytes: 0, scripts: new Map(), underWay: new Map() }
      kept.set(holders[0], one)
      const underWay = one.underWay.get(text) ?? compileFor(one, text, holders, signal)
      one.underWay.set(text, underWay)
      try {
        return (await underWay).script
      } catch (error) {
        if ((error as Error).name !== 'AbortError' || signal?.aborted) throw error
      }
    }
  }

  return {
    bytes: () => bytes,
    compile: (text, holders, signal) => {
      const scripts = kept.get(holders[0])?.scripts
      const found = scripts?.get(text)
      if (!found) return compileOnce(text, holders, signal)
      scripts!.delete(text)
      scripts!.set(text, found)
      return found.script
    },
  }
}
