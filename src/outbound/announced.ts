// The lengths that PostgreSQL and MySQL put in front of their messages. A driver keeps a message until it is whole, several times
// over, and its length is known with its first bytes: by then it can be refused, or made to wait until there is room.
import type { Socket } from 'node:net'

/** Called with the length of each long message as soon as that is known, and perhaps again while its bytes come. */
export type Announce = (socket: Socket, bytes: number) => void

const headBytes = 5

/** Messages of PostgreSQL: a letter, and a length that counts itself. Heard from the first byte that the driver hears. */
export const announceMessages = (socket: Socket, announce: Announce): void => {
  const hear = messageLengths((bytes) => announce(socket, bytes))
  const begin = (event: string | symbol) => {
    if (event !== 'data') return
    socket.off('newListener', begin)
    socket.on('data', hear)
  }
  socket.on('newListener', begin)
}

/** A length that cannot be is endless: the driver would read the bytes that follow in its own way. */
export const messageLengths = (hear: (bytes: number) => void): ((bytes: Buffer) => void) => {
  const head = Buffer.alloc(headBytes)
  let headFilled = 0
  /** Of a message whose head was read. */
  let rest = 0
  return (bytes) => {
    for (let at = 0; at < bytes.length;) {
      if (rest > 0) {
        const passed = Math.min(rest, bytes.length - at)
        rest -= passed
        at += passed
        continue
      }
      let length: number
      if (headFilled === 0 && bytes.length - at >= headBytes) {
        length = bytes.readUInt32BE(at + 1)
        at += headBytes
      } else {
        const copied = bytes.copy(head, headFilled, at, at + headBytes - headFilled)
        headFilled += copied
        at += copied
        if (headFilled < headBytes) return
        headFilled = 0
        length = head.readUInt32BE(1)
      }
      hear(length < 4 ? Infinity : 1 + length)
      rest = Math.max(0, length - 4)
    }
  }
}

/** The part of MySQL's driver that cuts packets, which its types do not show: the length of the one that it gathers. */
export type PacketParser = { readonly length: number }

/** Packets of MySQL, as its driver cuts them. Its socket is another one once it is encrypted. */
export const announcePackets = (socket: Socket, parser: PacketParser, announce: Announce): void => {
  socket.on('data', () => announce(socket, parser.length))
}
