// Nobody stops everybody: others have their turn beside every input of a stranger. A server as users run it, and the
// longest pause of its event loop (nodejs_eventloop_lag_max_seconds of /metrics, which begins anew with every look)
// under each hostile input that was ever found to freeze it, and its like; as a multiple of the time that the largest upload that is
// plain and allowed takes when it is read at once.
import assert from 'node:assert/strict'
import { addresses } from './addresses.ts'
import { assistants } from './assistants.ts'
import { bodies } from './bodies.ts'
import { headers } from './headers.ts'
import { messages } from './messages.ts'
import { numbers } from './numbers.ts'
import { pauseUnder, readPlain } from './pause.ts'
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

/** How many times as long as the reading of the largest plain upload a pause may be, unless it says so itself. The faults that were found took hundreds. */
const usualPauses = 10

export const describeEventLoop = (isChosen: (title: string) => boolean): void =>
  void describe('the event loop', function () {
    this.timeout(300_000)
    let target: Target
    let plainTime = 0
    before(async () => {
      target = await openTarget()
      plainTime = readPlain()
    })
    after(() => target?.end())

    for (const [group, inputs] of Object.entries(hostileInputs))
      describe(`under hostile ${group}`, () => {
        for (const { title, send, mostPauses = usualPauses } of inputs.filter((one) => isChosen(one.title)))
          it(`pauses no longer than a plain upload takes: ${title}`, async () => {
            // A busy machine makes pauses of its own, but not three times for the same.
            let shortest = Number.POSITIVE_INFINITY
            for (let round = 0; round < 3 && shortest > plainTime * mostPauses; round += 1) {
              // It may have become busier.
              if (round > 0) plainTime = Math.max(plainTime, readPlain())
              shortest = Math.min(
                shortest,
                await pauseUnder(target, send).catch(async (error: unknown) => {
                  await target.startAgain()
                  throw error
                }),
              )
            }
            assert.ok(target.isRunning())
            assert.ok(shortest <= plainTime * mostPauses, `${shortest} s, a plain upload ${plainTime} s`)
          })
      })
  })
