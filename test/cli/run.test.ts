// The command line itself: help, exit codes, forms of output, the file of servers, and that no secret is shown.
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { commands } from '../../src/cli/commands.ts'
import { optionsOf } from '../../src/cli/command.ts'
import { paintOf, wantsColours } from '../../src/cli/context.ts'
import { lineOf, openProgress } from '../../src/cli/progress.ts'
import { cellOf } from '../../src/cli/table.ts'
import { readTime, showTime } from '../../src/cli/time.ts'
import { createClient, signIn } from '../../src/client/client.ts'
import { newDirectory } from '../support/directory.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import type { Shell } from './shell.ts'
import { openShell } from './shell.ts'

describe('the command line', () => {
  let service: TestService
  let shell: Shell
  let directory: string
  before(async () => {
    service = await openTestService()
    directory = await newDirectory('cli')
    shell = openShell(directory, { URL: service.url, EMAIL: service.ownerEmail })
    shell.write('password.txt', `${service.ownerPassword}\n`)
    shell.write('wrong.txt', 'wrong password\n')
    await shell.type('coppice login $URL --name home --email $EMAIL < password.txt')
    await shell.run('put', 'Boiler', 'temp=20.5', 'mode=a "b", c', '--time', '1767225600000')
  })
  after(() => service.close())

  const terminal = { isTerminal: true, isErrTerminal: true, paint: paintOf(true) }

  it('shows help for all commands and for each, with its options and examples', async () => {
    const { out } = await shell.type('coppice help')
    for (const command of commands) {
      assert.match(out, new RegExp(`^  ${command.name} +\\S`, 'm'))
      const page = (await shell.type(`coppice ${command.name} --help`)).out
      assert.equal((await shell.type(`coppice help ${command.name}`)).out, page)
      for (const example of command.examples) assert.ok(page.includes(example), example)
      for (const name of Object.keys(optionsOf(command))) assert.ok(command.isHost || page.includes(`--${name}`), name)
    }
  })

  it('has examples of each command that use it', () => {
    for (const { name, examples } of commands)
      assert.ok(
        examples.some((line) => line.startsWith(`coppice ${name}`)),
        name,
      )
  })

  it('ends with 2 where it is used wrongly, and says how it is used', async () => {
    const wrong = [
      'coppice nothing',
      'coppice put --nonsense',
      'coppice get',
      'coppice get Boiler --json --csv',
      'coppice get Boiler --from soon',
      'coppice get Boiler --limit many',
      'coppice put Boiler temp',
      'coppice units make a symbol',
      'coppice units paint',
      'coppice units change celsius',
      'coppice units make --data [1]',
      'coppice units make --data {',
      'coppice keys make a --can GET',
      'coppice call PATCH /api/unit',
      'coppice call GET /api/feed?asPut',
      'coppice get Boiler --server nowhere',
      'coppice login nowhere',
      'coppice completion tcsh',
      'coppice export --what',
      'coppice stat Boiler temp month avg',
      'coppice get Boiler temp flow',
      'coppice query SELECT 1',
      'coppice whoami really',
      'coppice units show celsius kelvin',
      'coppice units list some more',
    ]
    for (const line of wrong) {
      const { code, err, out } = await shell.type(line)
      assert.deepEqual([code, out], [2, ''], `${line}: ${err}`)
      assert.match(err, /coppice (\w+ --)?help/, line)
    }
  })

  it('ends with 1 where the server refuses, and shows its message', async () => {
    assert.deepEqual(await shell.type('coppice get Nobody'), {
      code: 1,
      out: '',
      err: "coppice get: component 'Nobody' not found\n",
    })
    const { code, err } = await shell.type('coppice query "SELECT nothing"')
    assert.deepEqual([code, err.match(/line 1, column 8/g)?.length], [1, 1], err)
    assert.match((await shell.type('coppice units list colour=red')).err, /colour/)
    assert.match((await shell.type('coppice units show Nobody')).err, /there is no 'Nobody' among the units/)
    assert.equal((await shell.type('coppice login $URL --email $EMAIL < wrong.txt')).code, 1)
    assert.equal((await shell.type('coppice login $URL --name wrong --with-key < wrong.txt')).code, 1)
    const unknown = await shell.type('coppice get Boiler --key wrong')
    assert.deepEqual([unknown.code, /coppice login/.test(unknown.err)], [1, true])
    assert.equal((await shell.type('coppice query --file missing.sql')).code, 1)
  })

  it('lists by filters of the server, and by a word', async () => {
    assert.equal(await shell.run('streams', 'list', 'componentId=Boiler', 'id=temp', '--csv').then(countLines), 2)
    assert.equal(await shell.run('streams', 'list', 'temp', 'componentId=Nobody', '--csv').then(countLines), 1)
    assert.equal(await shell.run('streams', 'list', 'text=temp', '--csv').then(countLines), 2)
  })
  const countLines = (text: string) => text.split(/\r?\n/).filter((line) => line !== '').length

  it('ends with 3 where the server is away', async () => {
    const away = { client: async () => createClient({ url: 'http://127.0.0.1:1', retries: 0 }) }
    const { code, err } = await shell.type('coppice get Boiler', away)
    assert.deepEqual([code, /no answer from http:\/\/127\.0\.0\.1:1/.test(err)], [3, true], err)
  })

  it('ends with 130 where it is interrupted, without a complaint', async () => {
    const { code, err } = await shell.type('coppice get Boiler', {
      signal: AbortSignal.abort(new Error('interrupted')),
    })
    assert.deepEqual([code, err], [130, ''])
  })

  it('prints lines with tabs in a pipe, a table on a terminal, CSV and JSON', async () => {
    const line = 'coppice get Boiler'
    assert.equal(
      (await shell.type(line)).out,
      'temp\t2026-01-01T00:00:00Z\t20.5\nmode\t2026-01-01T00:00:00Z\ta "b", c\n',
    )
    assert.equal(
      (await shell.type(line, terminal)).out,
      '\u001B[1mstream  time                  value\u001B[0m\n' +
        'temp    2026-01-01T00:00:00Z  20.5\nmode    2026-01-01T00:00:00Z  a "b", c\n',
    )
    assert.equal(
      (await shell.type(`${line} --csv`)).out,
      'stream,time,value\r\ntemp,2026-01-01T00:00:00Z,20.5\r\nmode,2026-01-01T00:00:00Z,"a ""b"", c"\r\n',
    )
    assert.equal(
      (await shell.type(`${line} --json`)).out,
      '{"streamId":"temp","time":1767225600000,"data":20.5}\n{"streamId":"mode","time":1767225600000,"data":"a \\"b\\", c"}\n',
    )
    assert.equal((await shell.type('coppice units --csv')).out, 'id,name,symbol,numberFormat,uid\r\n')
  })

  it('writes CSV that no spreadsheet takes for formulas', async () => {
    await shell.run('put', 'Sheet', 'a=-5', 'b==1+1', '--time', '1767225600000')
    assert.equal(
      (await shell.type('coppice get Sheet --csv')).out,
      "stream,time,value\r\na,2026-01-01T00:00:00Z,-5\r\nb,2026-01-01T00:00:00Z,'=1+1\r\n",
    )
  })

  it('keeps values from steering the terminal', async () => {
    await shell.run('put', 'Boiler', 'note=a\u001B[31m\tb\u0007')
    const { out } = await shell.type('coppice get Boiler note')
    assert.match(out, /\ta\[31m b\n$/)
  })

  it('keeps messages, and all other results, from steering it, and leaves results for the next program as they are', async () => {
    const { err } = await shell.type('coppice get --no\u001B]0;one\u0007\u009B2J', terminal)
    assert.match(err, /^\u001B\[31mcoppice get:\u001B\[0m Unknown option '--no\]0;one2J'\n/)
    await shell.run('put', 'Tank', 'note=\u009B31ma')
    const json = 'coppice get Tank note --json'
    assert.match((await shell.type(json, terminal)).out, /"data":"31ma"/)
    assert.match((await shell.type(json)).out, /"data":"\u009B31ma"/)
    for (const type of ['application/json', 'text/csv']) {
      const { out } = await shell.type(`coppice call GET /api/comp/Tank/feed --accept ${type}`, terminal)
      assert.match(out, /31ma/)
      assert.doesNotMatch(out, /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/, type)
    }
  })

  it('colours only on a terminal, and not where NO_COLOR is set', () => {
    const cases = [
      [true, {}, true],
      [true, { NO_COLOR: '1' }, false],
      [true, { NO_COLOR: '' }, true],
      [true, { TERM: 'dumb' }, false],
      [false, {}, false],
    ] as const
    for (const [isTerminal, environment, expected] of cases)
      assert.equal(wantsColours(isTerminal, environment), expected, JSON.stringify(environment))
    assert.equal(paintOf(true)('red', 'a'), '\u001B[31ma\u001B[0m')
    assert.equal(paintOf(false)('red', 'a'), 'a')
  })

  it('shows bars on a terminal only', () => {
    const said: string[] = []
    const surroundings = { err: async (text: string) => void said.push(text), width: () => 80, now: () => 0 }
    openProgress({ ...surroundings, isErrTerminal: false }, 'rows', 10).set(5)
    assert.deepEqual(said, [])
    openProgress({ ...surroundings, isErrTerminal: true }, 'rows', 10).set(5)
    assert.equal(said.join(''), '\r\u001B[K████████████░░░░░░░░░░░░  50 % 5/10 rows')
    assert.equal(lineOf('rows', 2000, undefined, 1000, 'waiting'), '2,000 rows 2,000/s waiting')
  })

  it('reads times as people type them', () => {
    const nowMs = Date.parse('2026-01-31T12:00:00Z')
    const cases: readonly [string, number][] = [
      ['now', nowMs],
      ['2h', nowMs - 7_200_000],
      ['7d', nowMs - 604_800_000],
      ['1767225600000', 1_767_225_600_000],
      ['2026-01-01T00:00Z', 1_767_225_600_000],
      ['2026-01-01T01:00+01:00', 1_767_225_600_000],
      ['2026-01-01', new Date(2026, 0, 1).getTime()],
      ['2026-01-01T08:30', new Date(2026, 0, 1, 8, 30).getTime()],
    ]
    for (const [text, expected] of cases) assert.equal(readTime(text, nowMs), expected, text)
    for (const text of ['', 'soon', 'Jan 1', '2026-13-01', '2026-02-30', '2026-02-29T08:00Z', '9999999h'])
      assert.throws(() => readTime(text, nowMs), /is no time/, text)
    assert.deepEqual(
      [showTime(1_767_225_600_000), showTime(1_767_225_600_001), showTime(Number.MAX_SAFE_INTEGER)],
      ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.001Z', String(Number.MAX_SAFE_INTEGER)],
    )
    assert.deepEqual([cellOf(null), cellOf('a'), cellOf([1, 'a'])], ['', 'a', '[1,"a"]'])
  })

  it('keeps sessions in a file that only its owner can read, and shows none', async () => {
    const path = join(directory, '.config/coppice/config.json')
    assert.equal(statSync(path).mode & 0o777, 0o600)
    const { servers } = JSON.parse(readFileSync(path, 'utf8')) as { servers: { home: { session: string } } }
    const { session } = servers.home
    assert.ok(session.length > 20)
    shell.write('key.txt', `${service.apiKey}\n`)
    const lines = [
      'coppice servers --help',
      'coppice servers',
      'coppice whoami --json',
      'coppice login $URL --name devices --with-key < key.txt',
      'coppice get Nobody --server devices',
      'coppice units list',
    ]
    for (const line of lines) {
      const { out, err } = await shell.type(line)
      for (const secret of [session, service.apiKey, service.ownerPassword])
        assert.ok(!`${out}${err}`.includes(secret), line)
    }
  })

  it('takes the server of an option before that of the environment, and that before the file', async () => {
    const other = openShell(directory, { COPPICE_URL: service.url, COPPICE_KEY: service.apiKey })
    assert.match(await other.run('whoami'), /by\tan API key/)
    assert.match(await other.run('whoami', '--server', 'home'), /by\ta session/)
    assert.match(await openShell(directory, { COPPICE_URL: `${service.url}/` }).run('whoami'), /by\ta session/)
    assert.match(await shell.run('whoami', '--key', service.apiKey), /by\tan API key/)
    const { code, err } = await openShell(await newDirectory('cli'), {}).type('coppice whoami')
    assert.deepEqual([code, /which server/.test(err)], [2, true])
  })

  it('refuses a configuration that is none', async () => {
    const broken = await newDirectory('cli')
    const own = openShell(broken, { COPPICE_CONFIG: join(broken, 'config.json') })
    own.write('config.json', '{"servers":')
    const { code, err } = await own.type('coppice whoami')
    assert.deepEqual([code, /is no configuration/.test(err)], [2, true])
  })

  it('asks for the streams of a list only where it shows them', async () => {
    const asked: string[] = []
    const { sessionUid: session } = await signIn(
      { email: service.ownerEmail, password: service.ownerPassword },
      { url: service.url },
    )
    const client = createClient({
      url: service.url,
      session,
      fetch: (url, init) => {
        asked.push(new URL(url).searchParams.get('streams') ?? 'all')
        return fetch(url, init)
      },
    })
    for (const [line, shown] of [
      ['coppice components list --limit 0', 'false'],
      ['coppice templates list --csv', 'false'],
      ['coppice components list --json', 'all'],
      ['coppice components list streams=true', 'true'],
    ] as const) {
      const { code, err } = await shell.type(line, { client: async () => client })
      assert.deepEqual([code, asked.splice(0)], [0, [shown]], `${line}: ${err}`)
    }
  })

  it('takes no word that means several for one of them', async () => {
    await shell.run('templates', 'make', 'one', 'name=twin')
    await shell.run('templates', 'make', 'two', 'name=twin')
    const { code, err } = await shell.type('coppice templates show twin')
    assert.deepEqual([code, /'twin' means several templates/.test(err)], [2, true], err)
    assert.match(await shell.run('templates', 'show', 'two'), /^id\ttwo$/m)
  })

  it('completes commands, actions and options in bash', async () => {
    const script = await shell.run('completion', 'bash')
    const ask = (words: string) =>
      spawnSync(
        'bash',
        [
          '-c',
          `${script}\nCOMP_WORDS=(${words})\nCOMP_CWORD=$((\${#COMP_WORDS[@]} - 1))\n_coppice\necho "\${COMPREPLY[@]}"`,
        ],
        { encoding: 'utf8' },
      ).stdout.trim()
    assert.equal(ask('coppice compo'), 'components')
    assert.match(ask('coppice units ma'), /^make$/)
    assert.match(ask('coppice get --fr'), /^--from$/)
    assert.match(await shell.run('completion', 'zsh'), /^#compdef coppice\n/)
    assert.match(await shell.run('completion', 'fish'), /-a units -d /)
  })

  it('stores lines of samples, names a line that is none, and says how many are stored', async () => {
    shell.write('bad.ndjson', '{"compId":"L","streamId":"x","time":1,"data":1}\n{"compId":\n')
    const { code, err } = await shell.type('coppice put < bad.ndjson')
    assert.deepEqual([code, /line 2 is no JSON/.test(err)], [2, true])
    const lines = Array.from(
      { length: 7000 },
      (_, n) => `{"compId":"L","streamId":"y","time":${n + 1},"data":${n}}\r\n`,
    )
    shell.write('good.ndjson', lines.join(''))
    assert.equal((await shell.type('coppice put < good.ndjson')).err, '7000 samples stored\n')
    assert.equal((await shell.run('get', 'L', 'y', '--all')).split('\n').length, 7001)
  })

  it('goes on with an import that was left, and reports refused rows', async () => {
    shell.write('history.csv', 'compId,streamId,time,data\nH,x,1,1\nH,x,soon,2\nH,x,3,3\n')
    const first = await shell.type(`coppice import ${join(directory, 'history.csv')}`)
    assert.deepEqual([first.code, first.err.split('\n').at(-2)], [1, '2 samples stored, 1 refused'])
    assert.match(first.err, /^line 3: /)
    const again = await shell.type('coppice import history.csv --json')
    assert.equal((JSON.parse(again.out) as { stored: number }).stored, 2)
    assert.equal(await shell.run('export', 'H', '--stream', 'x').then((csv) => csv.split('\r\n').length), 4)
  })

  it('takes a file under a name of its own once, goes on with it when it has grown, and refuses another', async () => {
    const head = 'compId,streamId,time,data\n'
    shell.write('monday.csv', `${head}N,x,1,1\n`)
    shell.write('tuesday.csv', `${head}N,x,2,2\nN,x,3,3\n`)
    const type = async (line: string) => {
      const { code, err } = await shell.type(`coppice import ${line}`)
      return [code, err.split('\n').at(-2)]
    }
    assert.deepEqual(await type('monday.csv --id nightly'), [0, '1 samples stored, 0 refused'])
    assert.deepEqual(await type('tuesday.csv --id nightly'), [
      1,
      "coppice import: the import 'nightly' has stored 34 bytes of another body: choose another importId",
    ])
    assert.deepEqual(await type('monday.csv --id nightly'), [0, '1 samples stored, 0 refused'])
    shell.write('monday.csv', `${head}N,x,1,1\nN,x,4,4\n`)
    assert.deepEqual(await type('monday.csv --id nightly'), [0, '2 samples stored, 0 refused'])
    assert.match(
      (await shell.type('coppice import monday.csv --id nightly --again')).err,
      /--again needs another --id, or none/,
    )
    assert.equal(await shell.run('export', 'N', '--stream', 'x').then((csv) => csv.split('\r\n').length), 4)
  })
})
