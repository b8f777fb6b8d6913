import assert from 'node:assert/strict'
import { complaint } from '../../src/embedded/complaint.ts'

describe('embedded/complaint', () => {
  const cases: [string, string, string][] = [
    [
      'a full disk',
      'FATAL:  could not write lock file "postmaster.pid": No space left on device\n',
      'The disk that holds /d is full: make room and start again.',
    ],
    [
      'a full disk that we met ourselves',
      'ENOSPC: no space left on device, write',
      'The disk that holds /d is full: make room and start again.',
    ],
    [
      'a missing library',
      '2026-01-01 00:00:00.000 UTC [7] FATAL:  could not access file "timescaledb": No such file or directory\n',
      'This PostgreSQL cannot load TimescaleDB: could not access file "timescaledb": No such file or directory.',
    ],
    [
      'anything else, by its last fatal line',
      '2026 UTC [7] LOG:  starting\n2026 UTC [7] FATAL:  data directory "/d/data" has invalid permissions\n2026 UTC [7] LOG:  shut down\n',
      'The embedded database in /d does not start: data directory "/d/data" has invalid permissions.',
    ],
    [
      "initdb's words",
      'initdb: error: could not look up effective user ID 1234: user does not exist\n',
      'The embedded database in /d does not start: could not look up effective user ID 1234: user does not exist.',
    ],
  ]
  for (const [what, output, sentence] of cases)
    it(`reports ${what}`, () => {
      const error = complaint(output, '/d')
      assert.equal(error.name, 'StartError')
      assert.equal(error.message, sentence)
    })
})
