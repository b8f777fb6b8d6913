// The dashboard of the demo: something to look at, and to take apart. Of each kind of component it shows the first.
import type { DemoComponent } from './fleet.ts'

type Tile = {
  readonly kind: 'chart' | 'value' | 'table'
  readonly title: string
  readonly column: number
  readonly row: number
  readonly width: number
  readonly height: number
  readonly stream: { readonly componentUid: string; readonly streamId: string }[]
  readonly seconds?: number
  readonly cycleId?: string
  readonly statistic?: 'sum'
}

export const demoDashboardName = 'Demo fleet'
export const demoDashboardAbout = 'Made by the demo: weather, energy and a machine'

const day = 86_400

export const demoTiles = (fleet: readonly DemoComponent[], uids: ReadonlyMap<string, string>): readonly Tile[] => {
  const ofKind = (templateId: string) => fleet.filter((each) => each.templateId === templateId)
  const [station] = ofKind('demo-weather')
  const [machine] = ofKind('demo-machine')
  const meters = ofKind('demo-meter').slice(0, 4)
  const stream = (component: DemoComponent, streamId: string) => ({ componentUid: uids.get(component.id)!, streamId })
  if (station === undefined || machine === undefined || meters.length === 0) return []
  const value = (title: string, column: number, of: DemoComponent, streamId: string): Tile => ({
    kind: 'value',
    title,
    column,
    row: 0,
    width: 3,
    height: 2,
    stream: [stream(of, streamId)],
    seconds: day,
  })
  return [
    value('Outside temperature', 0, station, 'temperature'),
    value('Wind', 3, station, 'wind'),
    value('Power', 6, meters[0]!, 'power'),
    value('Vibration', 9, machine, 'vibration'),
    {
      kind: 'chart',
      title: 'Temperature and dew point of a week',
      column: 0,
      row: 2,
      width: 8,
      height: 4,
      stream: [stream(station, 'temperature'), stream(station, 'dewpoint')],
      seconds: 7 * day,
    },
    {
      kind: 'table',
      title: machine.name,
      column: 8,
      row: 2,
      width: 4,
      height: 4,
      stream: ['state', 'speed', 'temperature', 'vibration', 'alarm'].map((id) => stream(machine, id)),
    },
    {
      kind: 'chart',
      title: 'Energy of each day',
      column: 0,
      row: 6,
      width: 6,
      height: 4,
      stream: meters.slice(0, 1).map((meter) => stream(meter, 'energy')),
      seconds: 30 * day,
      cycleId: 'day',
      statistic: 'sum',
    },
    {
      kind: 'chart',
      title: 'Power of two days',
      column: 6,
      row: 6,
      width: 6,
      height: 4,
      stream: meters.map((meter) => stream(meter, 'power')),
      seconds: 2 * day,
    },
  ]
}
