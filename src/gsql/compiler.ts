// Compiles scripts on threads of their own: a script of 64 KB takes up to a second, in which nobody else would be
// served. A thread compiles one script at a time. A thread that takes too long, or too much memory, is ended, and its
// script is answered with an error; the next script finds a new thread.
import { deserialize } from 'node:v8'
import type { Worker } from 'node:worker_threads'
import { busy, Fault } from '../base/errors.ts'
import { openShares } from '../base/shares.ts'
import type { Holders } from '../base/shares.ts'
import { startThread } from '../base/thread.ts'
import type { Answer, Order } from './compile-thread.ts'
import { scriptFault } from './fault.ts'
import type { CompiledScript, ScriptForm } from './script.ts'

/** `bytes`: about the memory that it takes. */
export type Compiled = { readonly script: CompiledScript; readonly bytes: number }

/** Scripts of the same `holders` wait for each other. A script whose signal is aborted before its turn is not begun. */
export type Compile = (text: string, holders: Holders, signal?: AbortSignal) => Promise<Compiled>

export type Compiler = {
  readonly compile: Compile
  /** Compiles an Ingest SQL (imported.ts). */
  readonly compileImport: Compile
  /** Starts a thread before the first script comes. */
  readonly warmUp: () => void
  readonly close: () => Promise<void>
}

type Options = {
  readonly maxBytes: number
  readonly timeoutMs?: number
  readonly memoryMb?: number
  /** For the start of a thread, which is nothing that a script could be blamed for. */
  readonly startMs?: number
}

const threads = 2
const patienceMs = 10_000
/** A compiled script takes up to this many times the bytes by which it travels, by measurement. */
const memoryPerByte = 2
const start: Parameters<typeof scriptFault>[0] = { line: 1, column: 1 }

export const openCompiler = ({ maxBytes, timeoutMs = 10_000, memoryMb = 256, startMs = 30_000 }: Options): Compiler => {
  const places = openShares(threads)
  const idle: Worker[] = []
  const all = new Set<Worker>()

  const openThread = async (): Promise<Worker> => {
    const thread = startThread(new URL('compile-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    })
    all.add(thread)
    // nextAnswer() reports an error of the thread to the caller that waits; an error of an idle thread concerns nobody.
    thread.on('error', () => {})
    thread.on('exit', () => {
      all.delete(thread)
      if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1)
    })
    await nextAnswer(thread, startMs, notNow)
    return thread
  }

  const ask = (thread: Worker, text: string, form: ScriptForm): Promise<Answer> => {
    thread.postMessage({ text, maxBytes, form } satisfies Order)
    return nextAnswer(thread, timeoutMs, () => scriptFault(start, `compiling it took longer than ${timeoutMs} ms`))
  }

  const compileAs =
    (form: ScriptForm): Compile =>
    async (text, holders, signal) => {
      const place = places.open(holders)
      if (!(await place.wait(1, patienceMs, signal))) {
        signal?.throwIfAborted()
        throw busy('too many scripts to be compiled at once')
      }
      try {
        const thread = idle.pop() ?? (await openThread())
        const answer = await ask(thread, text, form)
        idle.push(thread)
        if ('fault' in answer) throw new Fault('script_error', answer.fault.message, { members: answer.fault.members })
        if ('error' in answer) throw new Error(`a script cannot be compiled: ${answer.error}`)
        const script = deserialize(answer.script) as CompiledScript
        return { script, bytes: memoryPerByte * answer.script.length }
      } finally {
        // The place is given back after the others waiting for the same script have got it and left (script-cache.ts).
        setImmediate(() => place.give())
      }
    }

  return {
    compile: compileAs('script'),
    compileImport: compileAs('import'),
    warmUp: () => {
      if (all.size > 0) return
      openThread().then(
        (thread) => idle.push(thread),
        () => {},
      )
    },
    close: async () => {
      await Promise.all(Array.from(all, (thread) => thread.terminate()))
    },
  }
}

const notNow = () => busy('a script could not be compiled just now, try again')

/**
 * The next message of the thread. The process stays alive while somebody waits for it, and not for the thread alone.
 */
const nextAnswer = (thread: Worker, withinMs: number, late: () => Fault): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const settle = (settled: () => void) => {
      clearTimeout(timer)
      thread.off('message', onMessage).off('error', onError).off('exit', onExit)
      thread.unref()
      settled()
    }
    const onMessage = (answer: Answer) => settle(() => resolve(answer))
    const onError = (error: NodeJS.ErrnoException) => {
      const needsMore = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      settle(() => reject(needsMore ? scriptFault(start, 'compiling it needs more memory than allowed', error) : error))
    }
    const onExit = () => settle(() => reject(notNow()))
    const timer = setTimeout(() => {
      settle(() => reject(late()))
      void thread.terminate()
    }, withinMs)
    thread.ref()
    thread.on('message', onMessage).on('error', onError).on('exit', onExit)
  })
