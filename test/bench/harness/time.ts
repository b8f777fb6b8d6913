// The time of one call after the other, on one connection.
import { Agent, request } from 'node:http'
import { median } from './table.ts'

/** The median of as many as there is time for, two at least; the first warms up. */
export const timeOf = async (seconds: number, work: () => Promise<unknown>): Promise<number> => {
  await work()
  const tookMs: number[] = []
  for (const untilMs = performance.now() + seconds * 1000; tookMs.length < 2 || performance.now() < untilMs;) {
    const startedMs = performance.now()
    await work()
    tookMs.push(performance.now() - startedMs)
  }
  return median(tookMs)
}

const agent = new Agent({ keepAlive: true })

/** A whole reply; node:http adds less than fetch. */
export const ask = (url: string, method = 'GET', body?: string) =>
  new Promise<void>((resolve, reject) => {
    const failed = () => reject(new Error(`${method} ${url} failed`))
    request(url, { agent, method }, (reply) => {
      reply
        .on('end', () => (reply.statusCode === 200 ? resolve() : failed()))
        .on('error', reject)
        .resume()
    })
      .on('error', reject)
      .end(body)
  })
