// The rules of db/README.md that a machine can keep. A database that has applied a migration never sees a later edit of it,
// so what landed stays as it is: a new migration adds its line here, and no line changes.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

/** The beginning of each file's SHA-256. */
const landed: readonly (readonly [name: string, fingerprint: string])[] = [
  ['0001_installation', '519b42a091e28655'],
  ['0002_access_change', '7728fd706c77de60'],
  ['0003_organization', 'bc2c0f2ca8ca3b7f'],
  ['0004_user', 'e08c0eb6ed477b66'],
  ['0005_api_key', '76570d428b395a51'],
  ['0006_oauth', 'b43160037e97a2b9'],
  ['0007_audit', '18a12e41cc0abf6b'],
  ['0008_limit', '540375150b8f50bc'],
  ['0009_component', '10d7dd4bdbb4caf7'],
  ['0010_stream', '8b3d313c9363386b'],
  ['0011_sample', '34c11e27b4fffa04'],
  ['0012_chunk', '078d20753b6d9754'],
  ['0013_statistic', '06bae01624d51007'],
  ['0014_archive', '4c1821608b8efe3d'],
  ['0015_gate', 'befe8c1e6d629ab3'],
  ['0016_script_turn', 'd06f37d60ea75b43'],
  ['0017_file', 'ffedbc604b088a58'],
  ['0018_connector', '982d5b5cfad459ec'],
  ['0019_gsql', 'bb0fe33f3d708bf3'],
  ['0020_gsql_type', '59cae42346ad0e92'],
  ['0021_gsql_comparison', '86713705369e926e'],
  ['0022_gsql_arithmetic', 'aeed5711216f4b83'],
  ['0023_gsql_number', '7429bfd919dcd397'],
  ['0024_gsql_text', '2a6229aceb35534f'],
  ['0025_gsql_time', '9d3a3755eb1795ea'],
  ['0026_gsql_json', '82b84c3f6e341118'],
  ['0027_gsql_aggregate', '6d591854102fcd42'],
  ['0028_gsql_stream', '992245226cf0af1b'],
  ['0029_tile_layout', 'c40a62e1d904f7a1'],
  ['0030_connection', 'b0a9b2cfd1e62f32'],
  ['0031_import', 'ec1d4447fa31d333'],
  ['0032_derivation', 'c0f8c02a1bc1249a'],
  ['0033_history_import', '7574445ab5ec90ba'],
  ['0034_live', 'd44077a8c43a0b35'],
  ['0035_sql_view', 'e08105c6c41c3c69'],
  ['0036_reset_link', '9d106be463fff6ae'],
  ['0037_catalog', 'ebaf3b78db78b5f3'],
  ['0038_import_result', '5a4b34102b9df8d9'],
  ['0039_dashboard', '15af0e3b9101198c'],
  ['0040_tenant', 'e5664abe1f40bf0b'],
  ['0041_day_tiles', '949e824602a41549'],
  ['0042_stale_group', 'cfc040d139ede769'],
  ['0043_tile_zone', '36742dff5e066ca0'],
  ['0044_own_gate', '5d3a4b65d8b9ddb6'],
  ['0045_derive_mark', 'a52407f93ea0797c'],
  ['0046_import_checksum', 'e5084b3b7cadbe44'],
  ['0047_view_order', '82f5160e7f5268d5'],
  ['0048_lane_gate', '47b0a0ac1835b415'],
  ['0049_view_text', 'ba7e26a96b0e16aa'],
  ['0050_removal_turn', '3a3979d59a6ecdca'],
  ['0051_retention_queue', '66b7825d65527251'],
  ['0052_reference_index', '5e4255f80ec0b80c'],
  ['0053_audit_day', '617c1751d8af1037'],
  ['0054_sql_role', 'aea4745cd306e47e'],
]

describe('the migrations in db/', () => {
  const texts = new Map<string, string>()
  before(async () => {
    for (const file of (await readdir('db')).filter((name) => name.endsWith('.sql')).toSorted())
      texts.set(file.replace(/\.sql$/, ''), await readFile(`db/${file}`, 'utf8'))
  })

  it('are those that have landed, unchanged', () => {
    const found = [...texts].map(([name, text]) => [name, createHash('sha256').update(text).digest('hex').slice(0, 16)])
    assert.deepEqual(found, landed)
  })

  it('have numbers without a gap', () => {
    const numbers = [...texts.keys()].map((name) => name.slice(0, 5))
    assert.deepEqual(
      numbers,
      numbers.map((_, n) => `${String(n + 1).padStart(4, '0')}_`),
    )
  })

  it('cite no file of src, which may move', () => {
    const citing = [...texts].filter(([, text]) => /[\w-]\.ts\b|\bsrc\//.test(text)).map(([name]) => name)
    assert.deepEqual(citing, [])
  })
})
