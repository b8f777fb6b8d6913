import assert from 'node:assert/strict'
import { settingsFor, settingsText } from '../../src/embedded/settings.ts'

const giga = 1024 ** 3

describe('embedded/settings', () => {
  const cases = [
    { memoryBytes: 0.25 * giga, diskBytes: 2 * giga, shared_buffers: '128MB', max_wal_size: '512MB' },
    { memoryBytes: 4 * giga, diskBytes: 20 * giga, shared_buffers: '1024MB', max_wal_size: '2048MB' },
    { memoryBytes: 64 * giga, diskBytes: 2000 * giga, shared_buffers: '2048MB', max_wal_size: '4096MB' },
  ]
  for (const { memoryBytes, diskBytes, shared_buffers, max_wal_size } of cases)
    it(`gives a machine of ${memoryBytes / giga} GB buffers of ${shared_buffers} and a log of ${max_wal_size}`, () => {
      const settings = settingsFor({ memoryBytes, diskBytes, cores: 2 })
      assert.deepEqual(
        { shared_buffers: settings['shared_buffers'], max_wal_size: settings['max_wal_size'] },
        { shared_buffers, max_wal_size },
      )
    })

  it('has room for all connections that its servers may open, and for others beside them', () => {
    const most = (connections: number) =>
      settingsFor({ memoryBytes: giga, diskBytes: giga, cores: 2 }, connections)['max_connections']
    assert.deepEqual([40, 75, 2183].map(most), ['100', '105', '2213'])
  })

  it('commits to the disk before a call is answered', () => {
    const settings = settingsFor({ memoryBytes: giga, diskBytes: giga, cores: 1 })
    assert.equal(settings['synchronous_commit'], 'on')
    assert.equal(settings['fsync'], undefined)
  })

  it('writes every value in quotes, and doubles a quote within', () => {
    assert.equal(settingsText({ a: '1MB', b: "it's" }), "a = '1MB'\nb = 'it''s'\n")
  })
})
