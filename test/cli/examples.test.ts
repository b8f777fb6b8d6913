// Every example of every command's help, typed one after the other against a real service.
import assert from 'node:assert/strict'
import { commands } from '../../src/cli/commands.ts'
import { startJobs } from '../../src/jobs.ts'
import { newDirectory } from '../support/directory.ts'
import type { Importing } from '../support/import.ts'
import { openImporting } from '../support/import.ts'
import type { Shell } from './shell.ts'
import { openShell } from './shell.ts'

describe('the examples of the command line', () => {
  let importing: Importing
  let jobs: ReturnType<typeof startJobs>
  let shell: Shell
  before(async () => {
    importing = await openImporting()
    const { service, target, external } = importing
    jobs = startJobs(service.service.world, service.databaseUrl)
    await external`create table reading (meter text, at timestamptz, kwh double precision)`
    await external`insert into reading values ('North', '2026-01-01T00:00:00Z', 12.5)`
    const { host, port, database, user, password } = target as Readonly<Record<string, string>>
    const directory = await newDirectory('cli')
    shell = openShell(directory, {
      URL: service.url,
      EMAIL: service.ownerEmail,
      ORG_NAME: service.service.world.config.organizationName,
      DB_HOST: host!,
      DB_PORT: String(port),
      DB_NAME: database!,
      DB_USER: user!,
    })
    const sink =
      "INSERT OR REPLACE INTO SAMPLE(CID, ID, SAMPLE) SELECT d, 'v', v FROM JSON_TABLE(@HTTP_BODY) WITH (d String '$.d', v Double '$.v')"
    const ingest =
      "INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT m, 'kwh', t, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 m STRING, 2 t LONG, 3 v DOUBLE)"
    const files: Readonly<Record<string, string>> = {
      'password.txt': `${service.ownerPassword}\n`,
      'db-password.txt': `${password}\n`,
      'key.txt': `${service.apiKey}\n`,
      'samples.ndjson':
        '{"compId":"Boiler","streamId":"temp","time":1767225600000,"data":18}\n\n{"compId":"Boiler","streamId":"temp","time":1767225660000,"data":19}',
      'script.sql': 'SELECT cid, id FROM Stream',
      'sink.sql': sink,
      'ingest.sql': ingest,
      'hello.txt': 'hello\n',
    }
    for (const [name, text] of Object.entries(files)) shell.write(name, text)
  })
  after(async () => {
    await jobs.stop()
    await importing.close()
  })

  for (const command of commands.filter(({ isHost }) => !isHost))
    it(`work as they stand in the help of ${command.name}`, async () => {
      assert.ok(command.examples.length > 0)
      for (const line of command.examples) {
        const { code, err } = await shell.type(line)
        assert.equal(code, 0, `${line}: ${err}`)
      }
    })

  it('have stored and fetched what they say', async () => {
    assert.equal(shell.read('copy.txt'), 'hello\n')
    assert.deepEqual(await importing.samples('North', 'kwh'), [[1_767_225_600_000, 12.5]])
  })
})
