// Nobody stops everybody: others have their turn beside every input of a stranger. A server as users run it, and the
// longest pause of its event loop (nodejs_eventloop_lag_max_seconds of /metrics, which begins anew with every look)
// under each hostile input that was ever found to freeze it, and its like; as a multiple of the pause under the largest
// upload that is plain and allowed.
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { shortOrLong } from '../support/soak.ts'
import { addresses } from './addresses.ts'
import { assistants } from './assistants.ts'
import { bodies } from './bodies.ts'
import { headers } from './headers.ts'
import { messages } from './messages.ts'
import { numbers } from './numbers.ts'
import { scripts } from './scripts.ts'
import { jsonShapes } from './shapes.ts'
import { openTarget } from './target.ts'
import type { Hostile, Target } from './target.ts'
import { texts } from './texts.ts'
import { transfers } from './transfers.ts'

export const hostileInputs: Readonly<Record<string, readonly Hostile[]>> = {
  numbers,
  addresses,
  headers,
  bodies,
  'shapes of JSON': jsonShapes,
  texts,
  scripts,
  messages,
  transfers,
  assistants,
}

/** How many pauses of the largest plain upload a hostile input may take, unless it says so itself. The faults that were found took hundreds. */
const usualPauses = 6

export const describeEventLoop = (isChosen: (title: string) => boolean): void =>
  void describe('the event loop', function () {
    this.timeout(300_000)
    let target: Target
    let plainPause = 0
    before(async () => {
      target = await openTarget()
      plainPause = await pauseUnderPlain(target)
    })
    after(() => target?.end())

    for (const [group, inputs] of Object.entries(hostileInputs))
      describe(`under hostile ${group}`, () => {
        for (const { title, send, mostPauses = usualPauses } of inputs.filter((one) => isChosen(one.title)))
          it(`pauses no longer than under a plain upload: ${title}`, async () => {
            // A busy machine makes pauses of its own, but not three times for the same.
            let shortest = Number.POSITIVE_INFINITY
            for (let round = 0; round < 3 && shortest > plainPause * mostPauses; round += 1)
              shortest = Math.min(
                shortest,
                await pauseUnder(target, send).catch(async (error: unknown) => {
                  await target.startAgain()
                  throw error
                }),
              )
            assert.ok(target.isRunning())
            assert.ok(shortest <= plainPause * mostPauses, `${shortest} s, a plain upload ${plainPause} s`)
          })
      })
  })

const pauseUnderPlain = async (target: Target): Promise<number> => {
  const sample = (n: number) => `{"compId":"C","streamId":"double","data":${n / 8},"time":${n}}`
  const plain = `[${Array.from({ length: 100_000 }, (_, n) => sample(n)).join()}]`
  const pauses: number[] = []
  for (let round = 0; round < shortOrLong(2, 3); round += 1)
    pauses.push(
      await pauseUnder(target, async ({ put }) => {
        const reply = await put('', plain)
        assert.equal(reply.status, 200)
        return reply
      }),
    )
  return pauses.toSorted((a, b) => a - b)[1]!
}

const pauseUnder = async (target: Target, send: Hostile['send']): Promise<number> => {
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
