// A raw connection, for what no HTTP library would send: half requests, bare line feeds, bytes of any kind.
//
//   const wire = await openWire(service.url)
//   wire.send('GET /healthz HTTP/1.0\r\n\r\n')
//   assert.match(await wire.rest(), /^HTTP\/1.1 200 OK\r\n/)
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'

export type WireReply = {
  readonly statusLine: string
  /** Without Date, in the order and spelling they came. */
  readonly headers: readonly string[]
  readonly body: string
}

export type Wire = {
  readonly socket: Socket
  readonly send: (bytes: string | Uint8Array) => void
  /** The next reply, read by its Content-Length, which every reply must have. */
  readonly reply: () => Promise<WireReply>
  /** All that still comes, until the other side closes. */
  readonly rest: () => Promise<string>
  readonly close: () => void
}

export type WireOptions = {
  /** It is still to be closed when the other side has ended it. */
  readonly allowHalfOpen?: boolean
  /** Where it comes from, such as 127.0.0.2. */
  readonly localAddress?: string
}

export const openWire = async (url: string, options: WireOptions = {}): Promise<Wire> => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, ...options })
  let received = Buffer.alloc(0)
  let isOver = false
  let wake: (() => void) | undefined
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    wake?.()
  })
  socket.on('close', () => {
    isOver = true
    wake?.()
  })
  socket.on('error', () => {})
  await once(socket, 'connect')

  const until = async <T>(look: () => T | undefined): Promise<T> => {
    for (;;) {
      const found = look()
      if (found !== undefined) return found
      if (isOver) throw new Error(`the connection closed after: ${received.toString('latin1').slice(0, 300)}`)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return {
    socket,
    send: (bytes) => void socket.write(bytes),
    reply: () =>
      until(() => {
        const end = received.indexOf('\r\n\r\n')
        if (end < 0) return undefined
        const [statusLine = '', ...headers] = received.toString('latin1', 0, end).split('\r\n')
        const length = headers.find((header) => /^content-length: \d+$/i.test(header))
        if (length === undefined) throw new Error(`no Content-Length in: ${received.toString('latin1', 0, end)}`)
        const from = end + 4
        const size = Number(length.slice('content-length: '.length))
        if (received.length < from + size) return undefined
        const body = received.toString('utf8', from, from + size)
        received = received.subarray(from + size)
        return { statusLine, headers: headers.filter((header) => !/^date: /i.test(header)), body }
      }),
    rest: async () => {
      await until(() => (isOver ? true : undefined))
      return received.toString('utf8')
    },
    close: () => void socket.destroy(),
  }
}
