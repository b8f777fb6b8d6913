import assert from 'node:assert/strict'
import { draftOf, membersOf, variableName } from '../../src/studio/web/pages/stream-draft.ts'

describe('the draft of a stream', () => {
  it('names a variable after its stream, as an expression can write it, and no two alike', () => {
    for (const [streamId, taken, name] of [
      ['temp', [], 'temp'],
      ['supply temp °C', [], 'supply_temp_C'],
      ['2nd', [], 'v2nd'],
      ['温度', [], '_'],
      ['', [], 'v'],
      ['temp', ['Temp'], 'temp2'],
      ['temp', ['temp', 'temp2'], 'temp3'],
    ] as const)
      assert.equal(variableName(streamId, taken), name, streamId)
  })

  it('leaves out what does not go with the kind, and what it is no longer derived by', () => {
    const draft = { ...draftOf(undefined), id: 'a', baseCycleId: 'hour', expression: 'v', isDerived: false }
    assert.deepEqual(membersOf(draft), {
      id: 'a',
      name: 'a',
      description: '',
      kind: 'random',
      valueType: 'DOUBLE',
      baseCycleId: null,
      unitUid: null,
      expression: null,
      variables: [],
    })
  })
})
