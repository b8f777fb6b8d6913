// Releases of Node that a stranger's texts can hold up are known by a try (src/base/hashes.ts). Seen to be right on 20.19.5, 20.20.1,
// 20.20.2, 22.12.0, 24.14.1 and 24.21.0; a distribution that has mended an older one differs.
import assert from 'node:assert/strict'
import { hasForeseeableHashes } from '../../src/base/hashes.ts'

describe('hashes of texts', () => {
  const release = process.versions.node.split('.').map(Number) as [number, number, number]
  const mended = new Map([
    [20, [20, 2]],
    [22, [22, 2]],
    [24, [14, 1]],
    [25, [8, 2]],
  ])
  const isMended = ([major, minor, patch]: readonly [number, number, number]) => {
    const [leastMinor, leastPatch] = mended.get(major) ?? (major > 25 ? [0, 0] : [Infinity, 0])
    return minor > leastMinor! || (minor === leastMinor && patch >= leastPatch!)
  }

  it('are found foreseeable on releases of Node before March 2026, and on no other', () =>
    assert.equal(hasForeseeableHashes(), !isMended(release)))
})
