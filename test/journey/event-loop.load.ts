// Nobody stops everybody: a few of each kind of hostile input, those that were worst among them. All of them, which takes
// minutes: npm run soak -- event-loop
import assert from 'node:assert/strict'
import { describeEventLoop, hostileInputs } from '../hostile/event-loop.ts'

const chosen: ReadonlySet<string> = new Set([
  'a LONG of 65,000 characters in JSON',
  'an integer of 15 MB in JSON',
  'an address of different parameters',
  'a Range of blanks',
  'an Accept of pairs of quotes behind an open quote, for a reading',
  '15 MB of empty objects',
  'a bomb of 60 MB',
  'a component of 9,000 other names and 200,000 streams',
  'JSON of members',
  'arrays in arrays in an upload, behind an integer beyond 2^53',
  'arrays of arrays in an upload',
  'integers beyond 2^53 in a row of an import',
  'ORDER BY of terms',
  'JSON_TABLE 25 times over one text',
  'CONNECT of properties',
  '500,000 pings',
  'SUBSCRIBE of topics',
  'CSV whose quote is never closed',
  'arguments of members',
])

describeEventLoop((title) => chosen.has(title))

describe('the short choice of hostile inputs', () => {
  it('is among all of them', () => {
    const all = new Set(Object.values(hostileInputs).flatMap((inputs) => inputs.map(({ title }) => title)))
    assert.deepEqual(
      [...chosen].filter((title) => !all.has(title)),
      [],
    )
  })
})
