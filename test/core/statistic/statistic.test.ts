// The table of statistics. Their values are the oracle's matter (test/core/statistic).
import assert from 'node:assert/strict'
import { findStatistic, isPlainStatistic, statistics, typeOfStatistic } from '../../../src/core/statistic/statistic.ts'
import { filesBelow } from '../../support/tree.ts'

describe('core/statistic', () => {
  it('finds a statistic by its name in any case, and nothing by another word', () => {
    assert.equal(findStatistic('NonGapMillisecCount'), 'nongapmilliseccount')
    assert.equal(findStatistic('toString'), undefined)
    assert.equal(findStatistic('average'), undefined)
  })

  it('decides by the name of a statistic in one file', () => {
    const names = statistics.filter(isPlainStatistic).map((name) => `'${name}'`)
    const deciding = filesBelow('src', '.ts').filter(
      ({ name, text }) => name !== 'core/statistic/statistic.ts' && names.some((each) => text.includes(each)),
    )
    assert.deepEqual(
      deciding.map(({ name }) => name),
      [],
    )
    const [own] = filesBelow('src/core/statistic', 'statistic.ts')
    for (const statistic of statistics) assert.match(own!.text, new RegExp(`^  ${statistic}: \\{`, 'm'))
  })

  it('has values of the type of the stream, but for sums and averages of BOOLEANs, averages, counts and times', () => {
    const rows = [
      ['first', 'BOOLEAN', 'BOOLEAN'],
      ['last', 'STRING', 'STRING'],
      ['min', 'LONG', 'LONG'],
      ['max', 'BOOLEAN', 'BOOLEAN'],
      ['sum', 'BOOLEAN', 'LONG'],
      ['sum', 'DOUBLE', 'DOUBLE'],
      ['avg', 'BOOLEAN', 'DOUBLE'],
      ['avg', 'LONG', 'DOUBLE'],
      // All nulls.
      ['avg', 'STRING', 'STRING'],
      ['minoccurrence', 'STRING', 'LONG'],
      ['maxoccurrence', 'DOUBLE', 'LONG'],
      ['gapcount', 'FILE', 'LONG'],
    ] as const
    for (const [statistic, valueType, expected] of rows)
      assert.equal(typeOfStatistic(statistic, valueType), expected, `${statistic} of ${valueType}`)
  })
})
