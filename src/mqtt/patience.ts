// How long a connection waits for its client: for CONNECT, the rest of a packet, the next packet, a reader of its answers.
// The one that is waited for by us, because its messages are being stored, has all the time. Bytes that trickle in do not
// begin it anew: else a connection could be had for ever, and CONNECT take a year.
const connectMs = 10_000
/** For each further kibibyte of a packet, as for bodies over HTTP. */
const packetMs = 30_000
const paceBytes = 1024
const unreadMs = 30_000
/** From the last answer until the client has closed its side, too. */
const endMs = 5000

export type Patience = {
  readonly setKeepalive: (ms: number) => void
  /** A whole packet came. */
  readonly onPacket: () => void
  /** Waits for the client, of whose next packet so many bytes are there. */
  readonly onWaiting: (bytes: number) => void
  /** Its messages are being stored. */
  readonly onWork: () => void
  /** The client does not read. */
  readonly onUnread: () => void
  readonly onEnd: () => void
  readonly isOver: () => boolean
}

export const openPatience = (nowMs: () => number): Patience => {
  let keepaliveMs = 0
  let untilMs = nowMs() + connectMs
  let reason: 'connect' | 'packet' | 'idle' | 'work' | 'unread' | 'end' = 'connect'
  /** Of the packet that is under way, when its time last began. */
  let paced = 0
  const wait = (why: typeof reason, ms: number): void => {
    if (reason === 'end') return
    reason = why
    untilMs = nowMs() + ms
  }
  return {
    setKeepalive: (ms) => void (keepaliveMs = ms),
    onPacket: () => {
      if (reason !== 'connect') wait('idle', keepaliveMs)
    },
    onWaiting: (bytes) => {
      if (bytes === 0) wait('idle', keepaliveMs)
      else if (reason !== 'packet' || bytes - paced >= paceBytes) {
        paced = bytes
        wait('packet', packetMs)
      }
    },
    onWork: () => wait('work', Number.POSITIVE_INFINITY),
    onUnread: () => {
      if (reason !== 'unread') wait('unread', unreadMs)
    },
    onEnd: () => wait('end', endMs),
    isOver: () => nowMs() >= untilMs,
  }
}
