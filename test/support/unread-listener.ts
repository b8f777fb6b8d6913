// Listeners without connections: a reply that keeps what is written to it, and is read when the test says so.
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Call } from '../../src/base/http/call.ts'
import type { Caller } from '../../src/core/caller.ts'
import { holdersOf } from '../../src/core/caller.ts'
import { Listener } from '../../src/live/listener.ts'

const show = { componentId: true, streamId: true, intervalStart: false, formatted: false, unit: false } as const

export class UnreadReply extends EventEmitter {
  text = ''
  /** Bytes that its client has not read. */
  writableLength = 0
  destroyed = false

  write(text: Buffer | string): boolean {
    this.text += text.toString()
    return true
  }

  end(text: string): void {
    this.write(text)
  }

  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }

  /** Its client reads all. */
  drain(): void {
    this.writableLength = 0
    this.emit('drain')
  }
}

export type UnreadListener = { readonly listener: Listener; readonly reply: UnreadReply }

type Facts = {
  readonly caller: Caller
  readonly componentKeys?: readonly number[]
  readonly judgeAgain?: Call['judgeAgain']
  readonly onEnd?: (listener: Listener) => void
}

export const openUnreadListener = ({ caller, componentKeys = [], judgeAgain, onEnd }: Facts): UnreadListener => {
  const reply = new UnreadReply()
  const call = { socket: new EventEmitter(), judgeAgain } as unknown as Call
  const subscription = { streamKeys: [], componentKeys, folders: [] }
  const query = { pairs: [], folders: [], show, seconds: undefined, lastEventId: undefined }
  const listener: Listener = new Listener(
    { caller, subscription, componentKeys, show },
    query,
    call,
    holdersOf(caller, ''),
    reply as unknown as ServerResponse,
    () => onEnd?.(listener),
  )
  return { listener, reply }
}
