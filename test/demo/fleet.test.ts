// The demo fleet: the same in every run, and as an engineer would expect it.
import assert from 'node:assert/strict'
import type { DemoComponent, DemoSample } from '../../src/demo/fleet.ts'
import { demoFleet, demoTemplates, samplesOf } from '../../src/demo/fleet.ts'
import { sunHeight } from '../../src/demo/weather.ts'

const dayMs = 86_400_000
const untilMs = Date.parse('2026-11-16T00:00:00Z')

describe('the demo fleet', () => {
  const fleet = demoFleet('medium', 1)
  const find = (id: string): DemoComponent => fleet.find((component) => component.id === id)!
  const samples = (component: DemoComponent, fromMs: number, toMs: number, most?: number): DemoSample[] =>
    [...samplesOf(component, fromMs, toMs, (ms) => !component.isAway(ms), most)].flat()
  const mean = (id: string, streamId: string, isChosen: (date: Date) => boolean, from = '2026-10-10'): number => {
    const fromMs = Date.parse(`${from}T00:00:00Z`)
    const chosen = samples(find(id), fromMs, fromMs + 14 * dayMs)
      .filter((sample) => sample.streamId === streamId && isChosen(new Date(sample.time)))
      .map(({ data }) => Number(data))
    return chosen.reduce((sum, value) => sum + value, 0) / chosen.length
  }
  const always = () => true

  it('is the same for the same seed, whichever part of its history is made, and another for another', () => {
    const whole = samples(find('demo-machine-press-3'), untilMs - 20 * dayMs, untilMs)
    const again = demoFleet('medium', 1).find(({ id }) => id === 'demo-machine-press-3')!
    assert.deepEqual(
      [...samples(again, untilMs - 20 * dayMs, untilMs - 7 * dayMs), ...samples(again, untilMs - 7 * dayMs, untilMs)],
      whole,
    )
    const other = demoFleet('medium', 2).find(({ id }) => id === 'demo-machine-press-3')!
    assert.notDeepEqual(samples(other, untilMs - 20 * dayMs, untilMs), whole)
  })

  it('never parts a moment into two arrays', () => {
    const arrays = [...samplesOf(find('demo-weather-perth'), untilMs - 5 * dayMs, untilMs, () => true, 50)]
    assert.ok(arrays.length > 10)
    arrays.slice(1).forEach((array, n) => assert.ok(array[0]!.time > arrays[n]!.at(-1)!.time))
  })

  it('has summer in July in the north, in January in the south, and its warmest hours in the afternoon', () => {
    assert.ok(
      mean('demo-weather-hamburg', 'temperature', always, '2026-07-10') >
        mean('demo-weather-hamburg', 'temperature', always, '2026-01-10') + 10,
    )
    assert.ok(
      mean('demo-weather-perth', 'temperature', always, '2026-01-10') >
        mean('demo-weather-perth', 'temperature', always, '2026-07-10') + 7,
    )
    const at = (hour: number) => (date: Date) => date.getUTCHours() === hour
    // 14 and 4 o'clock in Denver.
    assert.ok(
      mean('demo-weather-denver', 'temperature', at(21)) > mean('demo-weather-denver', 'temperature', at(11)) + 5,
    )
  })

  it('has values that such devices measure', () => {
    const limits: Readonly<Record<string, readonly [number, number]>> = {
      temperature: [-25, 45],
      humidity: [10, 100],
      pressure: [960, 1060],
      wind: [0, 30],
      rain: [0, 25],
      sun: [0, 1150],
    }
    for (const component of fleet.filter(({ templateId }) => templateId === 'demo-weather')) {
      const months = samples(component, untilMs - 110 * dayMs, untilMs)
      for (const { streamId, data } of months) {
        const [least, most] = limits[streamId]!
        assert.ok(Number(data) >= least && Number(data) <= most, `${component.id} ${streamId} ${data}`)
      }
      const rain = months.filter(({ streamId }) => streamId === 'rain').reduce((sum, { data }) => sum + Number(data), 0)
      assert.ok(rain > 10 && rain < 900, `${component.id} ${rain} mm`)
    }
    // No sun at midnight in Hamburg, and no night in June in Reykjavik's noon.
    assert.ok(sunHeight({ latitude: 53.5, longitude: 10 }, Date.parse('2026-06-21T23:20:00Z')) < 0)
    assert.ok(sunHeight({ latitude: 53.5, longitude: 10 }, Date.parse('2026-06-21T11:20:00Z')) > 0.8)
  })

  it('has offices that rest at the weekend, and solar roofs that sleep at night', () => {
    const isWeekend = (date: Date) => [0, 6].includes(date.getUTCDay())
    const isNoon = (date: Date) => date.getUTCHours() === 10
    const work = mean('demo-meter-office', 'power', (date) => isNoon(date) && !isWeekend(date))
    assert.ok(work > 1.8 * mean('demo-meter-office', 'power', (date) => isNoon(date) && isWeekend(date)))
    assert.equal(
      mean('demo-meter-solar-roof', 'power', (date) => date.getUTCHours() === 0),
      0,
    )
  })

  it('has a press whose vibration grows for weeks, until it fails and is repaired', () => {
    const months = samples(find('demo-machine-press-3'), untilMs - 110 * dayMs, untilMs)
    const vibrations = months.filter(({ streamId }) => streamId === 'vibration').map(({ data }) => Number(data))
    assert.ok(Math.max(...vibrations) > 7.1)
    assert.ok(months.some(({ streamId, data }) => streamId === 'state' && data === 'fault'))
    const healthy = samples(find('demo-machine-press-4'), untilMs - 110 * dayMs, untilMs)
    assert.ok(healthy.every(({ streamId, data }) => streamId !== 'vibration' || Number(data) < 4))
  })

  it('samples streams that its templates have, and no derived ones', () => {
    for (const { id, templateId, samplers } of fleet) {
      const { stream } = demoTemplates.find((template) => template.id === templateId)!
      for (const { streamId } of samplers)
        assert.ok(
          stream.some((one) => one.id === streamId && one.expression === undefined),
          `${id} ${streamId}`,
        )
    }
  })
})
