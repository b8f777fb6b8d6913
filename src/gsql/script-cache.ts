// Compiled scripts, kept for the next time that the same text comes. They are bounded by the memory they take; when it
// is used up, the organization that holds most of it loses the scripts unused for longest, so that nobody can push out
// the scripts of everybody else.
//
// Callers of one organization who want the same text at the same time wait each in its own turn: one who has had many
// compiled, and is refused for that, is refused alone. The first that is compiled is everybody's.
import { Fault } from '../base/errors.ts'
import { ownText } from '../base/own-text.ts'
import type { Holders } from '../base/shares.ts'
import type { Compile, Compiled } from './compiler.ts'
import type { CompiledScript } from './script.ts'

export type ScriptCache = {
  readonly compile: (text: string, holders: Holders, signal?: AbortSignal) => CompiledScript | Promise<CompiledScript>
  /** The bytes that are held, for tests. */
  readonly bytes: () => number
}

type Kept = {
  bytes: number
  /** The text that was used last. */
  newest: string | undefined
  readonly scripts: Map<string, Compiled>
  readonly underWay: Map<string, Attempts>
}

/** The attempts of callers to compile one text. */
type Attempts = { readonly byCaller: Map<string, Promise<Compiled>>; readonly over: AbortController; outcome?: Outcome }
type Outcome = { readonly compiled: Compiled } | { readonly fault: Fault }

const usualBytes = 64 * 1024 * 1024
/** For a script's text and its place here, in addition to the compiled script. */
const bytesEach = 1000

export const openScriptCache = (compile: Compile, mostBytes = usualBytes): ScriptCache => {
  /** The scripts of each organization. */
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

  const keep = (one: Kept, text: string, compiled: Compiled) => {
    one.scripts.set(text, compiled)
    one.newest = text
    add(one, costOf(text, compiled))
    makeRoom()
  }
  const compileFor = async (
    one: Kept,
    text: string,
    holders: Holders,
    attempts: Attempts,
    signal: AbortSignal | undefined,
  ): Promise<Compiled> => {
    const end = (outcome: Outcome) => {
      attempts.outcome = outcome
      if (one.underWay.get(text) === attempts) one.underWay.delete(text)
      attempts.over.abort()
    }
    try {
      const over = signal ? AbortSignal.any([attempts.over.signal, signal]) : attempts.over.signal
      const compiled = await compile(text, holders, over)
      if (!attempts.outcome) {
        end({ compiled })
        keep(one, text, compiled)
      }
      return compiled
    } catch (error) {
      // An error in a text is an error for all callers.
      if (!attempts.outcome && error instanceof Fault && error.code === 'script_error') end({ fault: error })
      if (attempts.outcome) return resultOf(attempts.outcome)
      throw error
    } finally {
      attempts.byCaller.delete(holders.at(-1)!)
      if (attempts.byCaller.size === 0 && one.underWay.get(text) === attempts) one.underWay.delete(text)
      if (one.scripts.size === 0 && one.underWay.size === 0 && kept.get(holders[0]) === one) kept.delete(holders[0])
    }
  }

  /** The next call of a caller begins anew where the call that began the attempt has left. */
  const compileOnce = async (
    text: string,
    holders: Holders,
    signal: AbortSignal | undefined,
  ): Promise<CompiledScript> => {
    const caller = holders.at(-1)!
    for (;;) {
      const one = kept.get(holders[0]) ?? { bytes: 0, newest: undefined, scripts: new Map(), underWay: new Map() }
      kept.set(holders[0], one)
      const attempts = one.underWay.get(text) ?? { byCaller: new Map(), over: new AbortController() }
      one.underWay.set(text, attempts)
      const underWay = attempts.byCaller.get(caller) ?? compileFor(one, text, holders, attempts, signal)
      attempts.byCaller.set(caller, underWay)
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
      const one = kept.get(holders[0])
      const found = one?.scripts.get(text)
      if (!one || !found) return compileOnce(ownText(text), holders, signal)
      // A Map whose entries are moved with every call rebuilds itself all the time.
      if (one.newest !== text) {
        const own = ownText(text)
        one.scripts.delete(own)
        one.scripts.set(own, found)
        one.newest = own
      }
      return found.script
    },
  }
}

const resultOf = (outcome: Outcome): Compiled => {
  if ('fault' in outcome) throw outcome.fault
  return outcome.compiled
}
