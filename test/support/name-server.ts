// A name server for tests: answers questions for addresses from a table, or nobody at all.
import { createSocket } from 'node:dgram'

export type NameServer = {
  /** As dns.setServers() takes it. */
  readonly address: string
  /** The names that were asked for, each once. */
  readonly asked: ReadonlySet<string>
  /** From now on it answers. */
  readonly wake: () => void
  readonly close: () => void
}

const codes = { none: 3, failure: 2 }

/** IPv4 addresses by name; a name that fails has 'failure' in their place. */
export const openNameServer = async (
  known: Readonly<Record<string, readonly string[] | 'failure'>>,
  isAwake = true,
): Promise<NameServer> => {
  const socket = createSocket('udp4')
  const asked = new Set<string>()
  let answers = isAwake
  socket.on('message', (message, from) => {
    const labels: string[] = []
    let at = 12
    for (let length = message[at]!; length > 0; length = message[at]!) {
      labels.push(message.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const name = labels.join('.').toLowerCase()
    asked.add(name)
    if (!answers) return
    const type = message.readUInt16BE(at + 1)
    const found = known[name]
    const addresses = Array.isArray(found) && type === 1 ? (found as readonly string[]) : []
    const code = found === undefined ? codes.none : found === 'failure' ? codes.failure : 0
    const head = Buffer.alloc(12)
    head.writeUInt16BE(message.readUInt16BE(0), 0)
    head.writeUInt16BE(0x8180 | code, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(addresses.length, 6)
    // The name is that of the question; type A, class IN, a minute.
    const records = addresses.map((one) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...one.split('.').map(Number)]),
    )
    socket.send(Buffer.concat([head, message.subarray(12, at + 5), ...records]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    wake: () => void (answers = true),
    close: () => void socket.close(),
  }
}
