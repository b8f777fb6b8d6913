import assert from 'node:assert/strict'
import { toJson } from '../../src/base/http/reply.ts'
import type { Unit } from '../../src/core/unit.ts'
import type { Show, ShownSample } from '../../src/feed/wire.ts'
import { presentSample } from '../../src/feed/wire.ts'

const nothing: Show = { componentId: false, streamId: false, intervalStart: false, formatted: false, unit: false }
const everything: Show = { componentId: true, streamId: true, intervalStart: true, formatted: true, unit: true }
const celsius: Unit = {
  key: 1,
  uid: 'u',
  id: 'c',
  name: 'Celsius',
  symbol: '°C',
  symbolLocation: 'after',
  numberFormat: '0.00',
  booleanStyle: 'ON_OFF',
  version: 1,
}
const sample: ShownSample = { streamId: 's', startMs: 5, timeMs: 10, value: 21.5, valueType: 'DOUBLE', unit: undefined }
const shown = (more: Partial<ShownSample>, show: Show) => toJson(presentSample('C', { ...sample, ...more }, show))

describe('feed/wire', () => {
  const table: readonly [more: Partial<ShownSample>, show: Show, json: string][] = [
    [{}, nothing, '{"time":10,"data":21.5}'],
    [{}, everything, '{"compId":"C","streamId":"s","sdTime":5,"time":10,"data":21.5,"fData":"21.5","unit":""}'],
    [
      { unit: celsius },
      everything,
      '{"compId":"C","streamId":"s","sdTime":5,"time":10,"data":21.5,"fData":"21.50°C","unit":"°C"}',
    ],
    [{}, { ...nothing, streamId: true }, '{"streamId":"s","time":10,"data":21.5}'],
    [{ streamId: null }, { ...nothing, streamId: true }, '{"streamId":"","time":10,"data":21.5}'],
    [{ value: null, unit: celsius }, { ...nothing, formatted: true }, '{"time":10,"data":null,"fData":""}'],
    [
      { value: true, valueType: 'BOOLEAN', unit: celsius },
      { ...nothing, formatted: true },
      '{"time":10,"data":true,"fData":"On"}',
    ],
    [
      { value: false, valueType: 'BOOLEAN' },
      { ...nothing, formatted: true },
      '{"time":10,"data":false,"fData":"false"}',
    ],
    [
      { value: 9007199254740993n, valueType: 'LONG' },
      { ...nothing, formatted: true },
      '{"time":10,"data":9007199254740993,"fData":"9007199254740993"}',
    ],
    [
      { value: 'a"b', valueType: 'STRING', unit: celsius },
      { ...nothing, formatted: true },
      '{"time":10,"data":"a\\"b","fData":"a\\"b"}',
    ],
    [{ more: { fileName: 'x', size: 1 } }, nothing, '{"time":10,"data":21.5,"fileName":"x","size":1}'],
  ]
  for (const [more, show, json] of table) it(`shows ${json}`, () => assert.equal(shown(more, show), json))
})
