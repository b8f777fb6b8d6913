import assert from 'node:assert/strict'
import { nextRunMs, schedule } from '../../src/core/import/schedule.ts'
import { broughtBack } from '../../src/import/schedules.ts'
import { countSteps } from '../support/steps.ts'

const after = (cron: string, zone: string, from: string, count: number) => {
  const found: string[] = []
  let ms: number | null = Date.parse(from)
  while (found.length < count && (ms = nextRunMs(cron, zone, ms)) !== null)
    found.push(new Date(ms).toISOString().slice(5, 16))
  return found
}

describe('the times of a schedule', () => {
  it('refuses a text that is no cron text of five or six fields, or never comes', () => {
    for (const wrong of [
      '',
      '* * * *',
      '* * * * * * *',
      '60 * * * *',
      'a b c d e',
      '0 0 31 2 *',
      '2026-01-01T00:00:00',
    ])
      assert.throws(() => schedule('schedule', wrong), /schedule/, wrong)
    assert.equal(schedule('schedule', ' */5 * * * * '), '*/5 * * * *')
    assert.equal(schedule('schedule', '30 */5 * * * *'), '30 */5 * * * *')
  })

  it('looks for a time through no more years than the rarest one lets be waited for', async () => {
    const module = new URL('../../src/core/import/schedule.ts', import.meta.url)
    const [usual, never] = await countSteps(module, 'schedule', [
      ['schedule', '0 0 29 2 +1'],
      ['schedule', '0 0 31 4,6,9,11 *'],
    ])
    assert.ok(never! < 30 * usual!, `${never} steps, and ${usual} for the 29th of February on a Monday`)
    for (const weekday of [0, 1, 2, 3, 4, 5, 6])
      for (const rare of [`0 0 29 2 +${weekday}`, `0 0 29 2 +${weekday}#5`, `0 0 0 29 2 +${weekday}L`])
        assert.equal(schedule('schedule', rare), rare)
  })

  it('gives way after each schedule of those that are looked through', () => {
    const some = Array.from({ length: 3 }, (_, connectorKey) => ({
      connectorKey,
      timeZone: 'UTC',
      schedule: '0 0 29 2 +1',
      nextRunMs: Date.UTC(2200, 0, 1),
    }))
    const looking = broughtBack(some, Date.UTC(2026, 0, 1))
    for (const _ of some) assert.equal(looking.next().done, false)
    const { value } = looking.next()
    assert.deepEqual(
      (value as readonly { readonly toMs: number }[]).map(({ toMs }) => toMs),
      some.map(() => Date.UTC(2044, 1, 29)),
    )
  })

  it('is in the zone of the connector', () => {
    assert.deepEqual(after('30 6 * * *', 'Asia/Kolkata', '2026-01-01T00:00:00Z', 2), ['01-01T01:00', '01-02T01:00'])
  })

  it('has every day once where the clocks leave its time out', () => {
    assert.deepEqual(after('30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00:00Z', 3), [
      '03-28T01:30',
      '03-29T01:00',
      '03-30T00:30',
    ])
  })

  it('has every day once where the clocks repeat its time', () => {
    assert.deepEqual(after('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2), ['10-25T00:30', '10-26T01:30'])
    assert.deepEqual(after('0 2,3 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 3), [
      '10-25T00:00',
      '10-25T02:00',
      '10-26T01:00',
    ])
    assert.deepEqual(after('45 1,2 * * *', 'Australia/Lord_Howe', '2026-04-04T00:00:00Z', 3), [
      '04-04T14:45',
      '04-04T16:15',
      '04-05T15:15',
    ])
  })

  it('leaves out all times of an hour that clocks repeat at once, though there are thousands', async () => {
    for (const cron of ['* * 2 * * *', '*/7 * 1,2 * * *'])
      assert.deepEqual(after(cron, 'Europe/Berlin', '2026-10-25T01:00:00Z', 1), [
        cron.startsWith('*/7') ? '10-26T00:00' : '10-26T01:00',
      ])
    const module = new URL('../../src/core/import/schedule.ts', import.meta.url)
    const from = (text: string) => Date.parse(text)
    const [usual, repeated] = await countSteps(module, 'nextRunMs', [
      ['* * 2 * * *', 'Europe/Berlin', from('2026-10-24T00:59:59Z')],
      ['* * 2 * * *', 'Europe/Berlin', from('2026-10-25T00:59:59Z')],
    ])
    assert.ok(repeated! < 10 * usual!, `${repeated} steps, and ${usual} on another day`)
  })

  it('goes on every half hour through both changes', () => {
    for (const day of ['2026-03-28T23:00:00Z', '2026-10-24T22:00:00Z']) {
      const found = after('*/30 * * * *', 'Europe/Berlin', day, 10).map((text) => Date.parse(`2026-${text}:00Z`))
      assert.deepEqual(
        found.slice(1).map((ms, at) => ms - found[at]!),
        Array.from({ length: 9 }, () => 1_800_000),
      )
    }
  })
})
