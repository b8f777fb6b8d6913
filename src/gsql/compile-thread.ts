// The thread that compiles scripts (compiler.ts), one after another. A compiled script travels as bytes, and the cache
// counts it by their number.
import { serialize } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import { Fault } from '../base/errors.ts'
import { compileScript, warmUp } from './script.ts'
import type { ScriptForm } from './script.ts'

const ready = { error: 'nothing was asked' } as const

export type Order = { readonly text: string; readonly maxBytes: number; readonly form: ScriptForm }

export type Answer =
  | { readonly script: Uint8Array }
  /** The error of the script. */
  | { readonly fault: { readonly message: string; readonly members: Readonly<Record<string, unknown>> } }
  /** An error of ours. */
  | { readonly error: string }
  /** The first message: the thread is listening. */
  | typeof ready

const answer = ({ text, maxBytes, form }: Order): Answer => {
  try {
    return { script: serialize(compileScript(text, maxBytes, form)) }
  } catch (error) {
    if (error instanceof Fault && error.code === 'script_error')
      return { fault: { message: error.message, members: error.members } }
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

warmUp()
parentPort!.on('message', (order: Order) => parentPort!.postMessage(answer(order)))
parentPort!.postMessage(ready)
