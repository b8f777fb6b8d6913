// The driver that takes wrk's place where it is not installed: a process of its own that reads a load from its
// standard input, sends it over plain sockets and writes what it measured as JSON. See load.ts.
import { connect } from 'node:net'
import type { Batch, Drive, Driven, Load } from './load.ts'
import { summaryOf } from './raw.ts'

type Order = Drive & { readonly baseUrl: string; readonly load: Load }

const read = async (): Promise<Order> => {
  let text = ''
  for await (const chunk of process.stdin) text += String(chunk)
  return JSON.parse(text) as Order
}

const requestMaker = (host: string, { method, path, headers = {}, body, devices, times }: Load) => {
  const value = (k: number) => (20 + ((k * 7919) % 1000) / 100).toFixed(2)
  const ms = (k: number) => times.fromMs + times.stepMs * (times.cycle === undefined ? k : k % times.cycle)
  const time = (k: number) => String(ms(k))
  const date = (k: number) => new Date(ms(k)).toISOString()
  const fill = (text: string, n: number) =>
    text.replace(/\$(DEVICE|VALUE|TIME|DATE)/g, (mark) => {
      if (mark === '$DEVICE') return String((n * 7919) % devices)
      return mark === '$VALUE' ? value(n) : mark === '$TIME' ? time(n) : date(n)
    })
  const split = typeof body === 'object' ? body.slices.map((slice) => slice.split('$SAMPLE')) : []
  const batch = ({ open, blocks, sample, between, close }: Batch, n: number) => {
    const round = Math.floor(n / split.length)
    const parts = Array.from({ length: blocks }, (_, block) => {
      const k = round * blocks + block
      return split[n % split.length]!.join(
        sample.replace('$VALUE', value(k)).replace('$TIME', time(k)).replace('$DATE', date(k)),
      )
    })
    return open + parts.join(between) + close
  }
  const fixed = Object.entries({ Host: host, ...headers })
    .map(([name, text]) => `${name}: ${text}\r\n`)
    .join('')
  return (n: number): string => {
    const content = body === undefined ? '' : typeof body === 'string' ? fill(body, n) : batch(body, n)
    const length = content === '' ? '' : `Content-Length: ${Buffer.byteLength(content)}\r\n`
    return `${method} ${fill(path, n)} HTTP/1.1\r\n${fixed}${length}\r\n${content}`
  }
}

/** The status of the reply that text begins with, and where it ends; undefined while it is not whole. */
const wholeReply = (text: string): { readonly status: number; readonly end: number } | undefined => {
  const head = text.indexOf('\r\n\r\n')
  if (head < 0) return undefined
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head))?.[1] ?? 0)
  const end = head + 4 + length
  return text.length < end ? undefined : { status: Number(text.slice(9, 12)), end }
}

const run = async ({ baseUrl, load, connections, seconds, from }: Order): Promise<Driven> => {
  const { host, hostname, port } = new URL(baseUrl)
  const make = requestMaker(host, load)
  const latenciesMs: number[] = []
  let failures = 0
  let next = from
  const beganMs = performance.now()
  const untilMs = beganMs + seconds * 1000
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      let sentMs = 0
      let text = ''
      const send = () => {
        sentMs = performance.now()
        if (sentMs >= untilMs) {
          socket.destroy()
          resolve()
          return
        }
        socket.write(make(next))
        next += 1
      }
      socket.on('connect', send)
      socket.on('error', reject)
      socket.setEncoding('latin1')
      socket.on('data', (chunk: string) => {
        text += chunk
        const reply = wholeReply(text)
        if (reply === undefined) return
        text = text.slice(reply.end)
        latenciesMs.push(performance.now() - sentMs)
        if (reply.status > 399) failures += 1
        send()
      })
    })
  await Promise.all(Array.from({ length: connections }, one))
  const took = (performance.now() - beganMs) / 1000
  return { ...summaryOf(latenciesMs), seconds: took, failures, next }
}

process.stdout.write(JSON.stringify(await run(await read())))
