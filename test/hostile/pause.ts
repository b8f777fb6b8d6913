// The longest pause of the event loop of a server under an input, and what it is measured by, in seconds.
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Hostile, Target } from './target.ts'

/** How long the largest upload that is plain and allowed takes when it is read at once: here, for the server reads it in slices. */
export const readPlain = (): number => {
  const sample = (n: number) => `{"compId":"C","streamId":"double","data":${n / 8},"time":${n}}`
  const plain = `[${Array.from({ length: 100_000 }, (_, n) => sample(n)).join()}]`
  const times = Array.from({ length: 3 }, () => {
    const begin = performance.now()
    JSON.parse(plain)
    return (performance.now() - begin) / 1000
  })
  return times.toSorted((one, other) => one - other)[1]!
}

export const pauseUnder = async (target: Target, send: Hostile['send']): Promise<number> => {
  await longestPause(target)
  await pause(30)
  const reply = await send(target)
  await reply.arrayBuffer()
  assert.notEqual(reply.status, 500)
  // The pause that is going on is counted when it is over.
  await pause(30)
  return longestPause(target)
}

const longestPause = async ({ ask }: Target): Promise<number> => {
  const text = await (await ask('GET', '/metrics')).text()
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)![1])
}
