// A whole organization is administered with the command line alone (docs/command-line.md): people, keys, the catalogue,
// data in and out, connectors, imports, and the end of it. The same is done in test/client/generated.test.ts with nothing
// but the generated types and fetch.
import assert from 'node:assert/strict'
import { startJobs } from '../../src/jobs.ts'
import { openShell } from '../cli/shell.ts'
import type { Shell } from '../cli/shell.ts'
import { newDirectory } from '../support/directory.ts'
import type { Importing } from '../support/import.ts'
import { openImporting } from '../support/import.ts'

describe('an organization under the command line', () => {
  let importing: Importing
  let jobs: ReturnType<typeof startJobs>
  let owner: Shell
  let ann: Shell
  before(async () => {
    importing = await openImporting()
    const { service, target, external } = importing
    jobs = startJobs(service.service.world, service.databaseUrl)
    await external`create table reading (meter text, at timestamptz, kwh double precision)`
    await external`
      insert into reading select 'Meter ' || n % 3, timestamptz '2026-01-01T00:00:00Z' + n * interval '1 minute', n
      from generate_series(0, 299) n`
    const { host, port, database, user } = target as Readonly<Record<string, string>>
    const variables = { URL: service.url, EMAIL: service.ownerEmail, HOST: host!, PORT: String(port) }
    owner = openShell(await newDirectory('cli'), { ...variables, DB: database!, DB_USER: user! })
    owner.write('password.txt', `${service.ownerPassword}\n`)
    owner.write('db.txt', `${(target as { readonly password: string }).password}\n`)
    ann = openShell(await newDirectory('cli'), variables)
    for (const shell of [owner, ann]) shell.write('ann.txt', 'correct horse battery\n')
    ann.write('password.txt', 'a wrong one\n')
  })
  after(async () => {
    await jobs.stop()
    await importing.close()
  })

  const done = async (shell: Shell, line: string): Promise<string> => {
    const { code, out, err } = await shell.type(line)
    assert.equal(code, 0, `${line}: ${err}`)
    return out
  }
  const shown = async (shell: Shell, line: string): Promise<Record<string, unknown>> =>
    JSON.parse(await done(shell, `${line} --json`)) as Record<string, unknown>
  const refused = async (shell: Shell, line: string, message: RegExp): Promise<void> => {
    const { code, err } = await shell.type(line)
    assert.equal(code, 1, line)
    assert.match(err, message)
  }

  it('gets its zone and its people, who have the rights of their role', async () => {
    await done(owner, 'coppice login $URL --email $EMAIL < password.txt')
    const [name] = (await done(owner, 'coppice organizations')).split('\t')
    assert.equal(
      (await shown(owner, `coppice organizations change "${name}" timeZone=Europe/Berlin`))['timeZone'],
      'Europe/Berlin',
    )
    await done(owner, 'coppice users make ann@example.org --role guest --password < ann.txt')
    await done(ann, 'coppice login $URL --email ann@example.org < ann.txt')
    await refused(ann, 'coppice units make celsius', /may not POST unit/)
    await done(owner, 'coppice users change ann@example.org role=admin firstName=Ann')
    assert.match(await done(owner, 'coppice users'), /ann@example\.org\tAnn\t\tadmin/)
  })

  it('asks people for their password before it gives them another e-mail, and an owner for none', async () => {
    const change = 'coppice users change ann@example.org email=ann@example.com'
    await refused(ann, `${change} < password.txt`, /currentPassword is wrong/)
    assert.equal((await shown(ann, `${change} < ann.txt`))['email'], 'ann@example.com')
    await done(owner, 'coppice users change ann@example.com email=ann@example.org')
    await done(ann, 'coppice users change ann@example.org email=ann@example.org lastName=""')
  })

  it('gets its catalogue: units, cycles, folders, templates, components, derived streams', async () => {
    await done(ann, 'coppice units make celsius symbol=" °C" numberFormat=0.0')
    await done(ann, 'coppice cycles make shift size:=8 unit=hour reference=2026-01-01T06:00:00')
    await done(ann, 'coppice folders make /Components/North')
    const streams =
      '[{"id":"temp","unitUid":"$(coppice units uid celsius)"},{"id":"kWh","kind":"interval","baseCycleId":"15minute"}]'
    ann.write('streams.json', streams.replace(/\$\(.*?\)/, (await done(ann, 'coppice units uid celsius')).trim()))
    await done(ann, 'coppice templates make heating stream:=@streams.json')
    await done(
      ann,
      'coppice components make Boiler --folder /Components/North templateUid=$(coppice templates uid heating)',
    )
    await done(
      ann,
      'coppice streams make f --of Boiler expression="t * 9 / 5 + 32" variables:=\'[{"name":"t","streamId":"temp"}]\'',
    )
    assert.deepEqual(
      (await done(ann, 'coppice streams --of Boiler')).split('\n').map((line) => line.split('\t')[0]),
      ['temp', 'kWh', 'f', ''],
    )
    assert.equal((await shown(ann, 'coppice components show Boiler'))['timeZone'], 'Europe/Berlin')
  })

  it('has a key for its devices, which may upload and nothing else', async () => {
    const { secret } = await shown(ann, "coppice keys make gateway --can 'component/*/feed:PUT'")
    assert.equal(await done(ann, 'coppice keys secret gateway'), `${String(secret)}\n`)
    const device = openShell(await newDirectory('cli'), {
      COPPICE_URL: importing.service.url,
      COPPICE_KEY: String(secret),
    })
    await done(device, 'coppice put Boiler temp=100 --time 2026-01-01T00:00Z')
    await done(device, 'coppice put Boiler temp=50 --time 2026-01-01T00:10Z')
    await refused(device, 'coppice get Boiler', /may not GET/)
    await done(ann, 'coppice keys change gateway enabled:=false')
    await refused(device, 'coppice put Boiler temp=1', /coppice login/)
  })

  it('shows its data: samples, units, statistics, derived values, scripts', async () => {
    assert.equal(await done(ann, 'coppice get Boiler temp --unit --limit 1'), 'temp\t2026-01-01T00:10:00Z\t50.0 °C\n')
    assert.match(await done(ann, 'coppice stat Boiler temp --cycle shift --statistic avg'), /\t75\n$/)
    assert.equal((await shown(ann, 'coppice derive Boiler f --from 2026-01-01T00:00Z'))['error'], null)
    assert.match(await done(ann, 'coppice get Boiler f'), /\t122\n.*\t212\n$/)
    assert.equal(
      await done(ann, `coppice query "SELECT id, lastValue FROM Stream WHERE cid = 'Boiler' AND id = 'f'"`),
      'f\t122\n',
    )
  })

  it('takes pushed data by a connector, and rows of a database by an import', async () => {
    ann.write(
      'sink.sql',
      "INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT d, 'v', 1, v FROM JSON_TABLE(@HTTP_BODY) WITH (d String '$.d', v Double '$.v')",
    )
    await done(
      ann,
      'coppice connectors make Hook type=http endpoint=hook runAsUserUid=$(coppice users uid ann@example.org) sql=@sink.sql',
    )
    const { secret } = await shown(ann, "coppice keys make hook --can 'connector/*/sink:POST'")
    const org = importing.service.organizationUid
    const push = `coppice call POST /api/conn_sink/${org}/hook --url $URL --key ${String(secret)} --data '{"d":"Pushed","v":7}'`
    assert.match(await done(openShell(await newDirectory('cli'), { URL: importing.service.url }), push), /"inserted":1/)
    assert.match(await done(ann, 'coppice connectors calls Hook'), /\tPOST\t/)
    await done(
      owner,
      'coppice connections make Plant kind=postgresql host=$HOST port:=$PORT database=$DB user=$DB_USER tls:=false --password < db.txt',
    )
    await done(owner, 'coppice connections test Plant')
    owner.write(
      'ingest.sql',
      "INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT m, 'kwh', t, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 m STRING, 2 t LONG, 3 v DOUBLE)",
    )
    await done(
      owner,
      'coppice connectors make Meters type=import connectionUid=$(coppice connections uid Plant) runningUserUid=$(coppice users uid ann@example.org) externalSql="SELECT meter, at, kwh FROM reading" ingestSql=@ingest.sql',
    )
    const run = await shown(owner, 'coppice imports run Meters')
    assert.deepEqual([run['state'], run['fetched'], run['inserted']], ['succeeded', 300, 300])
    assert.match(await done(owner, 'coppice imports'), /^Meters\ttrue\t/)
    await owner.run('connectors', 'change', 'Meters', 'externalSql=SELECT nothing')
    const { code } = await owner.type('coppice imports run Meters')
    assert.equal(code, 1)
  })

  it('is exported, and imported again to the same replies', async () => {
    const before = await done(ann, "coppice get 'Meter 1' --all --csv")
    await done(ann, 'coppice export --folder /Components --stream kwh --output history.csv')
    await done(ann, `coppice query --write "DELETE FROM SAMPLE WHERE CID = 'Meter 1' AND ID = 'kwh' AND TIME > 0"`)
    assert.equal(await done(ann, "coppice get 'Meter 1' --all"), '')
    await done(ann, 'coppice import history.csv')
    assert.equal(await done(ann, "coppice get 'Meter 1' --all --csv"), before)
  })

  it('is told by its audit log who did all that', async () => {
    const { uid } = await shown(owner, 'coppice users show ann@example.org')
    const log = await done(owner, `coppice audit --actor ${String(uid)} --limit 1000`)
    for (const action of ['unit.create', 'template.create', 'api_key.create', 'api_key.reveal', 'connector.create'])
      assert.ok(log.includes(`\t${action}\t`), action)
  })

  it('lets its people and things go', async () => {
    await done(owner, 'coppice components remove Boiler')
    await refused(owner, 'coppice get Boiler', /not found/)
    await done(owner, 'coppice keys remove gateway')
    await done(owner, 'coppice connectors remove Hook')
    await done(owner, 'coppice users remove ann@example.org')
    await refused(ann, 'coppice units', /coppice login/)
    await done(owner, 'coppice logout')
    const { code, err } = await owner.type('coppice units')
    assert.deepEqual([code, /which server/.test(err)], [2, true])
  })
})
