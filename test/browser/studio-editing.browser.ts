// Everything that the studio edits, in a real browser: streams and what they are derived by, templates, units, cycles,
// folders, users, connections, imports against a real external database, files.
import assert from 'node:assert/strict'
import type { Browser, Locator } from 'playwright-core'
import type { Pool } from '../../src/base/database/sql.ts'
import { addMember, addUser, testPassword } from '../support/people.ts'
import { openDerivation } from '../support/derive.ts'
import { openImporting } from '../support/import.ts'
import type { Importing } from '../support/import.ts'
import type { TestService } from '../support/service.ts'
import { skipWithout } from '../support/skip.ts'
import { openBrowser } from './browser.ts'
import { visitStudio } from './visitor.ts'
import type { Visitor } from './visitor.ts'

const minute = 60_000
const start = 1_767_225_600_000

describe('editing in the studio', function () {
  this.timeout(120_000)
  let browser: Browser | undefined
  let importing: Importing
  let service: TestService
  let external: Pool
  before(async function () {
    browser = await openBrowser()
    if (browser === undefined) return skipWithout(this, 'Chromium')
    importing = await openImporting()
    ;({ service, external } = importing)
    const f = Array.from({ length: 20 }, (_, n) => 32 + 9 * n).join()
    await service.put(`/api/feed?compId=Oven&f=${f}&freq=${minute}`)
    await external`create table reading (meter text, at timestamptz, value float8)`
    await external`
      insert into reading
      select 'meter-' || n % 3, to_timestamp(${start / 1000} + 60 * n), n from generate_series(1, 30) as n`
  })
  after(async () => {
    await browser?.close()
    await importing?.close()
  })

  const visit = (steps: (visitor: Visitor) => Promise<void>, options: Parameters<typeof visitStudio>[3] = {}) =>
    visitStudio(browser!, service, steps, options)
  const uidOf = async (id: string) => {
    const [row] = await service.sql<{ uid: string }[]>`
      select uid from component where id = ${id} and not is_template`
    return row!.uid
  }

  it('makes a stream of a component, changes it, and deletes it after a question', () =>
    visit(async ({ page, open }) => {
      await open(`component/${await uidOf('Oven')}`)
      await page.getByRole('link', { name: 'New stream' }).click()
      await page.getByLabel('ID', { exact: true }).fill('power')
      await page.getByLabel('Kind').selectOption('interval')
      await page.getByLabel('Base cycle').selectOption('15minute')
      await page.getByLabel('Value type').selectOption('LONG')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name: 'power' }).waitFor()
      await page.getByLabel('Name', { exact: true }).fill('Power of it')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name: 'Power of it' }).waitFor()
      const [row] = await service.sql`select name, kind, value_type from stream where id = 'power'`
      assert.deepEqual({ ...row }, { name: 'Power of it', kind: 'interval', value_type: 'LONG' })
      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByText('Its samples are deleted with it').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('heading', { name: 'Oven' }).waitFor()
      assert.equal((await service.sql`select from stream where id = 'power'`).length, 0)
    }))

  it('derives a stream: shows an error at its place, a preview, and derives what was there before', () =>
    visit(async ({ page, open }) => {
      await open(`stream/new?component=${await uidOf('Oven')}`)
      await page.getByLabel('ID', { exact: true }).fill('c')
      await page.getByLabel('Derived from other streams').check()
      await page.getByRole('button', { name: 'Add a variable' }).click()
      const variable = page.getByRole('group', { name: 'Variable' })
      await variable.getByLabel('Stream').fill('f')
      assert.equal(await variable.getByLabel('Name').inputValue(), 'f')
      await write(page.locator('.cm-content'), '(f - 32) * 5 / unknown')
      await page.getByRole('button', { name: 'Try it' }).click()
      await page.getByRole('alert').waitFor()
      await page.locator('.cm-lintRange-error').waitFor()
      await write(page.locator('.cm-content'), '(f - 32) * 5 / 9')
      await page.getByRole('button', { name: 'Try it' }).click()
      await page.getByText('20 samples').waitFor()
      await page.getByRole('cell', { name: '95', exact: true }).waitFor()
      await page.getByRole('button', { name: 'Chart', exact: true }).click()
      await page.locator('.picture canvas').waitFor()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('It may be behind since').waitFor()
      await page.getByRole('button', { name: 'Derive again' }).click()
      await page.getByText('It waits for its turn').waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByText('Cancelled').waitFor()
      await page.getByRole('button', { name: 'Derive again' }).click()
      await page.getByText('It waits for its turn').waitFor()
      await openDerivation(service)()
      await page.getByText('Derived.', { exact: true }).waitFor()
      await page.getByText('It is up to date').waitFor()
      assert.equal((await importing.samples('Oven', 'c')).length, 20)
    }))

  it('offers a member to try and to derive again, a guest to look, and neither to save', async () => {
    const [row] = await service.sql<{ uid: string }[]>`select uid from stream where id = 'c'`
    for (const role of ['member', 'guest'] as const) {
      const user = await addUser(service.sql, `${role}@example.org`)
      await addMember(service.sql, service.organizationUid, user, role)
      await visit(
        async ({ page, open }) => {
          await open(`stream/${row!.uid}`)
          await page.getByText('It is up to date').waitFor()
          assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
          assert.equal(await page.locator('.head').getByRole('button', { name: 'Delete' }).count(), 0)
          const offered = role === 'member' ? 1 : 0
          assert.equal(await page.getByRole('button', { name: 'Try it' }).count(), offered)
          assert.equal(await page.getByRole('button', { name: 'Derive again' }).count(), offered)
          // Those of variables: a member may try another expression.
          assert.equal((await page.getByRole('button', { name: 'Remove' }).count()) > 0, role === 'member')
          for (const place of ['catalogue?tab=units', 'catalogue?tab=templates', 'components', 'connectors', 'query']) {
            await open(place)
            await page.reload()
            await page.locator('.page').locator('table, .empty, .notice, .editor').first().waitFor()
            assert.equal(await page.getByRole('button', { name: /^New/ }).count(), 0, place)
            const isRefused = role === 'guest' && ['connectors', 'query'].includes(place)
            assert.equal(await page.getByText('Your role does not allow this.').count(), isRefused ? 1 : 0, place)
          }
        },
        { email: user.email, password: testPassword },
      )
    }
  })

  it('makes, changes and deletes units and cycles, and leaves those of every organization alone', () =>
    visit(async ({ page, open }) => {
      await open('catalogue?tab=units')
      await page.getByRole('button', { name: 'New unit' }).click()
      await page.getByLabel('ID', { exact: true }).fill('celsius')
      await page.getByLabel('Symbol', { exact: true }).fill(' °C')
      await page.getByLabel('Place of the symbol').selectOption('after')
      await page.getByLabel('Words for true and false').selectOption('ON_OFF')
      await page.getByRole('button', { name: 'Save' }).click()
      const unit = page.getByRole('row', { name: /celsius/ })
      await unit.getByRole('button', { name: 'Edit' }).click()
      assert.equal(await page.getByLabel('Words for true and false').inputValue(), 'ON_OFF')
      await page.getByLabel('Name', { exact: true }).fill('Degrees')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('cell', { name: 'Degrees' }).waitFor()
      await open('catalogue?tab=cycles')
      const stock = page.getByRole('row', { name: /15minute/ })
      await stock.waitFor()
      assert.equal(await stock.getByRole('button').count(), 0)
      await page.getByRole('button', { name: 'New cycle' }).click()
      await page.getByLabel('ID', { exact: true }).fill('shift')
      await page.getByLabel('How many').fill('8')
      await page.getByRole('button', { name: 'Save' }).click()
      const shift = page.getByRole('row', { name: /shift/ })
      await shift.getByText('8 hours').waitFor()
      await shift.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await shift.waitFor({ state: 'detached' })
    }))

  it('shows more of a list on request, beyond the thousand that one reply has', async () => {
    await service.sql`
      insert into unit (organization_key, id, name)
      select organization.key, 'unit-' || n, 'Unit ' || n from organization, generate_series(1, 1200) as n
      where uid = ${service.organizationUid}`
    await visit(async ({ page, open }) => {
      await open('catalogue?tab=units')
      for (const shown of ['100 of', '600 of', '1,100 of']) {
        await page.getByText(shown).waitFor()
        await page.getByRole('button', { name: 'Show more' }).click()
      }
      await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' })
      assert.ok((await page.locator('tbody tr').count()) >= 1200)
    })
    await service.sql`delete from unit where id like 'unit-%'`
  })

  it('shows which components a template was used for, and how far a change of it has reached', () =>
    visit(async ({ page, open }) => {
      await open('catalogue?tab=templates')
      await page.getByRole('button', { name: 'New template' }).click()
      await page.getByLabel('ID', { exact: true }).fill('kiln')
      await page.getByLabel('Like this component').fill('Oven')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name: 'Oven' }).waitFor()
      await page.getByText('No component was made from it yet').waitFor()
      const [template] = await service.sql<{ key: number; uid: string }[]>`
        select key, uid from component where is_template and id = 'kiln'`
      for (const id of ['Kiln 1', 'Kiln 2'])
        await importing.ask('POST', '/api/component', { id, templateUid: template!.uid })
      await page.reload()
      await page.getByText('2 components were made from it').waitFor()
      await page.getByRole('link', { name: 'New stream' }).click()
      await page.getByLabel('ID', { exact: true }).fill('door')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('it has reached 2 streams of components').waitFor()
      await open(`template/${template!.uid}`)
      await page.getByRole('link', { name: 'Show them' }).click()
      await page.getByText('2 components', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Kiln 2' }).click()
      await page.getByRole('link', { name: 'door' }).waitFor()
    }))

  it('makes a folder, puts a component into it, moves it with all it holds, and refuses to delete it while it is used', () =>
    visit(async ({ page, open }) => {
      await open('components')
      await page.getByRole('button', { name: 'New folder' }).click()
      await page.getByLabel('Name of the new folder').fill('North')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('link', { name: 'North', exact: true }).click()
      await page.getByText('No component matches').waitFor()
      await page.getByRole('button', { name: 'New component' }).click()
      await page.getByLabel('ID', { exact: true }).fill('Pump')
      assert.equal(await page.getByLabel('Folder', { exact: true }).inputValue(), '/Components/North')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name: 'Pump' }).waitFor()
      await open('components?folder=%2FComponents%2FNorth')
      await page.getByRole('button', { name: 'Rename or move' }).click()
      await page.getByLabel('Path').fill('/Components/South/Far')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('link', { name: 'Far' }).waitFor()
      await page.getByRole('link', { name: 'Pump' }).waitFor()
      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('alert').getByText('has components or folders in it').waitFor()
    }))

  it('renames and deletes a component', async () => {
    await service.put('/api/feed?compId=Old&a=1')
    await visit(async ({ page, open }) => {
      await open(`component/${await uidOf('Old')}?tab=properties`)
      await page.getByLabel('ID', { exact: true }).fill('Older')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved').waitFor()
      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('heading', { name: 'Components' }).waitFor()
      assert.equal((await service.sql`select from component where id = 'Older'`).length, 0)
    })
  })

  it('keeps the role of a user of whom another member is changed', () =>
    visit(async ({ page, open }) => {
      const ben = await addUser(service.sql, 'ben@example.org')
      await addMember(service.sql, service.organizationUid, ben, 'admin')
      await open('security?tab=users')
      await page.getByRole('row', { name: /ben@/ }).getByRole('button', { name: 'Edit' }).click()
      await page.getByLabel('First name').fill('Benjamin')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('row', { name: /Benjamin.*admin/ }).waitFor()
    }))

  it('names the component that a capability is limited to', async () => {
    const capabilities = [
      { resource: `component/${await uidOf('Oven')}/feed`, methods: ['GET'] },
      { resource: 'gql', methods: ['GET'] },
    ]
    await importing.ask('POST', '/api/api_key', { name: 'of the oven', capabilities })
    await visit(async ({ page, open }) => {
      await open('security?tab=keys')
      const row = page.getByRole('row', { name: /of the oven/ })
      await row.getByText('GET component/Oven/feed').waitFor()
      assert.equal(await row.getByRole('link', { name: 'Oven' }).getAttribute('title'), await uidOf('Oven'))
      await row.getByText('GET gql').waitFor()
      await row.getByRole('button', { name: 'Edit' }).click()
      await page.getByRole('dialog').locator('.tag', { hasText: 'Oven' }).waitFor()
    })
  })

  it('holds the rows in view of a long list, and fetches others as one scrolls', async () => {
    const many = Array.from({ length: 1500 }, (_, n) => ({ id: `row-${1000 + n}`, folder: '/Components/Many' }))
    assert.equal((await importing.ask('PUT', '/api/component', many)).status, 200)
    await visit(async ({ page, open }) => {
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await open('components?folder=%2FComponents%2FMany')
      await page.getByText('1,500 components', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'row-1000' }).waitFor()
      await page.locator('.endless').evaluate((list: { scrollTop: number }) => (list.scrollTop = 1e9))
      await page.getByRole('link', { name: 'row-2499' }).waitFor()
      assert.ok((await page.locator('.endless tbody tr').count()) < 100)
      // The first page and the last, and none of those between that one only passes.
      const pages = asked.filter((url) => url.includes('/api/component?'))
      assert.ok(pages.length <= 4, pages.join('\n'))
      assert.ok(pages.every((url) => url.includes('streams=false')))
    })
  })

  it('holds the streams in view of a wide component, with their values as they come, and finds others by text', async () => {
    await service.put('/api/feed?compId=Wide&first=1&time=1')
    const uid = await uidOf('Wide')
    await service.sql`
      insert into stream (component_key, id, name, value_type, kind, position)
      select component.key, 'stream-' || n, 'stream-' || n, 'DOUBLE', 'random', n + 1
      from component, generate_series(1, 3000) as n
      where component.uid = ${uid}`
    await visit(async ({ page, open, look }) => {
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await open(`component/${uid}`)
      await page.getByText('3,001 streams', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'first', exact: true }).waitFor()
      assert.ok((await page.locator('.endless tbody tr').count()) < 100)
      await look('wide-component')
      await page.getByLabel('Search by ID').fill('stream-2999')
      await page.getByText('1 stream', { exact: true }).waitFor()
      await service.put('/api/feed?compId=Wide&stream-2999=47.11')
      await page.getByRole('row', { name: /stream-2999.*47\.11/ }).waitFor()
      assert.deepEqual(
        asked.filter((url) => url.includes(`/api/component/${uid}`)),
        [],
      )
    })
  })

  it('tests a connection, and asks for the password again when it leads elsewhere', () =>
    visit(async ({ page, open }) => {
      const { host, port, database, user, password } = importing.target as Record<string, string>
      await open('connectors?tab=connections')
      await page.getByRole('button', { name: 'New connection' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Historian')
      await page.getByLabel('Host').fill(host!)
      await page.getByLabel('Port').fill(String(port))
      await page.getByLabel('Database', { exact: true }).fill(database!)
      await page.getByLabel('User').fill(user!)
      await page.getByLabel('Password').fill(password || 'x')
      await page.getByLabel('Encryption').selectOption('false')
      await page.getByRole('button', { name: 'Save' }).click()
      const row = page.getByRole('row', { name: /Historian/ })
      await row.getByRole('button', { name: 'Test' }).click()
      await row.getByText('It works').waitFor()
      await row.getByRole('button', { name: 'Edit' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Historian 2')
      assert.equal(await page.getByLabel('Password').evaluate((input: { required: boolean }) => input.required), false)
      await page.getByLabel('Host').fill('nowhere.invalid')
      await page.getByText('It leads elsewhere now').waitFor()
      assert.equal(await page.getByLabel('Password').evaluate((input: { required: boolean }) => input.required), true)
      await page.getByLabel('Password').fill('another')
      await page.getByRole('button', { name: 'Save' }).click()
      const changed = page.getByRole('row', { name: /Historian 2/ })
      await changed.getByRole('button', { name: 'Test' }).click()
      await changed.getByText("the name 'nowhere.invalid' is unknown").waitFor()
    }))

  it('writes an import: previews the external rows, tries the Ingest SQL on them, runs it, and shows the run', () =>
    visit(async ({ page, open }) => {
      await open('connectors')
      await page.getByRole('button', { name: 'New import' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Meters')
      await page.getByLabel('Connection').selectOption({ label: 'external' })
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name: 'Meters' }).waitFor()
      const statement = page.getByRole('textbox', { name: 'External SQL' })
      await write(statement, 'select meter, at, nothing from reading')
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByRole('alert').waitFor()
      await write(statement, 'select meter, at, value from reading order by at')
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByText('The first 20 rows').waitFor()
      await page.getByRole('button', { name: 'Try it on the first rows' }).click()
      await page.getByText('It would store 20 samples').waitFor()
      await page.getByLabel('Schedule').fill('0 6 1 1 *')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText(/Next run: \d{4}-01-01 06:00:00/).waitFor()
      await page.getByRole('button', { name: 'Run now' }).click()
      const run = page.getByRole('row', { name: /succeeded/ })
      await run.waitFor()
      assert.deepEqual(
        await run
          .getByRole('cell')
          .allTextContents()
          .then((cells) => cells.slice(3, 6)),
        ['30', '30', '0'],
      )
      assert.equal((await importing.samples('meter-1', 'value')).length, 10)
      await page.getByText('Last run that succeeded').waitFor()
    }))

  it('follows a run that goes on, and cancels it', () =>
    visit(async ({ page, open }) => {
      const uid = await importing.make({
        name: 'Slow',
        externalSql: 'select meter, at, value from reading, pg_sleep(600)',
        ingestSql:
          "INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT m, 'v', t, v FROM CSV_TABLE(@JDBC_RESULT) WITH (1 m STRING, 2 t LONG, 3 v DOUBLE)",
      })
      await open(`connector/${uid}`)
      await page.getByRole('button', { name: 'Run now' }).click()
      await page.getByText('runs', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByText('failed', { exact: true }).waitFor()
      await page.getByRole('cell', { name: /cancelled/ }).waitFor()
    }))

  it('begins a connector with a recipe of the cookbook, and tries a call again that was refused', () =>
    visit(async ({ page, open }) => {
      await open('connectors')
      await page.getByRole('button', { name: 'New HTTP connector' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Lorawan')
      await page.getByLabel('Endpoint').fill('ttn')
      await page.getByLabel('Begin with').selectOption('The Things Network, uplink message')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('greenhouse-1').first().waitFor()
      await page.getByRole('button', { name: 'Try it', exact: true }).click()
      await page.getByText('It would store 3 samples').waitFor()
      const { body } = await importing.ask('POST', '/api/api_key', {
        name: 'sink',
        capabilities: [{ resource: 'connector/*/sink', methods: ['POST'] }],
      })
      const { secret } = (body as { api_key: { secret: string } }).api_key
      const sink = `${service.url}/api/conn_sink/${service.organizationUid}/ttn?api_key=${secret}`
      const refused = await fetch(sink, { method: 'POST', body: '{"broken":' })
      assert.equal(refused.status, 400)
      await page.getByRole('button', { name: 'Try this call again' }).click()
      assert.equal(await page.getByLabel('@HTTP_BODY').inputValue(), '{"broken":')
      await page.getByRole('button', { name: 'Try it', exact: true }).click()
      await page.getByRole('alert').waitFor()
      await page.getByRole('button', { name: 'Settings' }).click()
      await page.getByLabel('Keep the body and query').uncheck()
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await fetch(sink, { method: 'POST', body: '{"broken":' })
      await page.getByText('Calls whose body was not kept').waitFor()
    }))

  it('finds changes in the audit log by person and entity, with the values before and after', () =>
    visit(async ({ page, open }) => {
      await open('security?tab=audit')
      await page.getByRole('combobox', { name: /^Entity/ }).selectOption('unit')
      await page.getByRole('cell', { name: /unit\.update/ }).waitFor()
      assert.equal(await page.getByRole('cell', { name: /component\./ }).count(), 0)
      assert.match(page.url(), /entity=unit/)
      const update = page.getByRole('row', { name: /unit\.update/ })
      // By its name, and not by its uid.
      await update.getByRole('link', { name: 'Degrees' }).waitFor()
      await update.getByText('Show').click()
      await update.getByRole('row', { name: 'name celsius Degrees' }).waitFor()
      await page.getByRole('combobox', { name: /^By/ }).selectOption({ label: importing.admin.user.email })
      await page.getByText('No change matches').waitFor()
    }))

  it('shows a text, a picture and a PDF over the page, and takes a file that is dropped', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    await visit(async ({ page, open }) => {
      await open(`component/${await uidOf('Oven')}?tab=files`)
      await page.setInputFiles('input[type=file]', [
        { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('as <b>written</b>') },
        { name: 'dot.png', mimeType: 'image/png', buffer: png },
        { name: 'paper.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pdf) },
      ])
      const link = (name: string) => page.getByRole('link', { name: new RegExp(name) })
      await link('paper.pdf').waitFor()
      await link('note.txt').click()
      await page.getByRole('dialog').getByText('as <b>written</b>').waitFor()
      await page.getByRole('button', { name: 'Close' }).click()
      await link('dot.png').click()
      await page.getByRole('dialog').getByRole('img').waitFor()
      await page.getByRole('button', { name: 'Close' }).click()
      await link('paper.pdf').click()
      await page.getByRole('dialog').locator('iframe[src^="blob:"]').waitFor()
      await page.getByRole('button', { name: 'Close' }).click()
      const dropped = await page.evaluateHandle(
        "(() => { const given = new DataTransfer(); given.items.add(new File(['x'], 'dropped.bin')); return given })()",
      )
      await page.locator('.drop').dispatchEvent('drop', { dataTransfer: dropped })
      await link('dropped.bin').waitFor()
    })
  })

  for (const size of ['light', 'dark', 'phone'] as const)
    it(`has pages without anything that axe finds serious: ${size}`, () =>
      visit(
        async ({ page, open, look }) => {
          const [stream] = await service.sql<{ uid: string }[]>`
            select stream.uid from stream join component on component.key = component_key
            where stream.id = 'c' and not is_template`
          const [template] = await service.sql<{ uid: string }[]>`select uid from component where is_template`
          const [meters] = await service.sql<{ uid: string }[]>`select uid from connector where name = 'Meters'`
          const [http] = await service.sql<{ uid: string }[]>`select uid from connector where name = 'Lorawan'`
          for (const [name, place] of [
            ['components', 'components'],
            ['component', `component/${await uidOf('Oven')}`],
            ['files', `component/${await uidOf('Oven')}?tab=files`],
            ['properties', `component/${await uidOf('Oven')}?tab=properties`],
            ['stream', `stream/${stream!.uid}`],
            ['templates', 'catalogue'],
            ['units', 'catalogue?tab=units'],
            ['cycles', 'catalogue?tab=cycles'],
            ['template', `template/${template!.uid}`],
            ['connectors', 'connectors'],
            ['connections', 'connectors?tab=connections'],
            ['import', `connector/${meters!.uid}`],
            ['http', `connector/${http!.uid}`],
            ['audit', 'security?tab=audit'],
          ] as const) {
            await open(place)
            await page.locator('main h1').waitFor()
            await look(name)
          }
          await open('connectors?tab=connections')
          await page.getByRole('button', { name: 'New connection' }).click()
          await look('connection-dialog')
        },
        { size },
      ))
})

/** As a person does: the editor itself replaces what was there. */
const write = async (editor: Locator, text: string): Promise<void> => {
  await editor.click()
  await editor.press('Control+a')
  await editor.press('Delete')
  await editor.page().keyboard.insertText(text)
}

const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Root 1 0 R>>
%%EOF`
