// The program itself, started: its input, its output, its signals and its terminal.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newDirectory } from '../support/directory.ts'
import { program } from '../support/program.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { skipWithout } from '../support/skip.ts'
import { eventually } from '../support/within.ts'

describe('the program coppice', function () {
  let service: TestService
  let env: Record<string, string>
  before(async () => {
    service = await openTestService()
    env = {
      PATH: process.env['PATH']!,
      HOME: await newDirectory('cli'),
      COPPICE_URL: service.url,
      COPPICE_KEY: service.apiKey,
    }
    const times = Array.from({ length: 5000 }, (_, n) => ({ compId: 'Clock', streamId: 'tick', time: n, data: n }))
    await service.put('/api/feed', JSON.stringify(times))
  })
  after(() => service.close())

  const start = (args: readonly string[]) => {
    const child = spawn(program[0]!, [...program.slice(1), ...args], { env, cwd: '/' })
    const heard = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (heard.out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (heard.err += text))
    return { child, heard }
  }

  it('is built by its first call in a clone, and says so', async () => {
    const clone = await newDirectory('clone')
    await mkdir(join(clone, 'bin'))
    await copyFile('bin/coppice.js', join(clone, 'bin/coppice.js'))
    const run = () =>
      spawnSync(process.execPath, [join(clone, 'bin/coppice.js'), 'word'], { env, cwd: '/', encoding: 'utf8' })
    const scripts = { build: 'mkdir -p dist/cli && echo "console.log(process.argv[2])" > dist/cli/main.js' }
    await writeFile(join(clone, 'package.json'), JSON.stringify({ type: 'module', scripts: { build: 'exit 3' } }))
    const failed = run()
    assert.equal(failed.status, 1)
    assert.match(failed.stderr, /^coppice could not be built: run npm ci && npm run build in \//m)
    await writeFile(join(clone, 'package.json'), JSON.stringify({ type: 'module', scripts }))
    const first = run()
    assert.deepEqual([first.status, first.stdout], [0, 'word\n'])
    assert.match(first.stderr, /built first/)
    const second = run()
    assert.deepEqual([second.status, second.stdout, second.stderr], [0, 'word\n', ''])
  })

  it('prints the version of package.json, without a server', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { readonly version: string }
    const { status, stdout, stderr } = spawnSync(program[0]!, [...program.slice(1), '--version'], {
      env: { PATH: env['PATH'] },
      cwd: '/',
      encoding: 'utf8',
    })
    assert.deepEqual([status, stdout, stderr], [0, `${version}\n`, ''])
  })

  it('works from any directory, with its input, and ends with the exit code', async () => {
    const { child, heard } = start(['put'])
    child.stdin.end('{"compId":"Piped","streamId":"x","time":1,"data":2}\n')
    assert.deepEqual(await once(child, 'close'), [0, null], heard.err)
    assert.deepEqual(heard, { out: '', err: '1 samples stored\n' })
  })

  it('ends quietly when its reader has seen enough', async () => {
    const words = [...program, 'get', 'Clock', 'tick', '--all'].map((word) => `'${word}'`).join(' ')
    const child = spawn('sh', ['-c', `{ ${words}; echo "code $?" >&2; } | head -n 1`], { env, cwd: '/' })
    let heard = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (heard += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (heard += text))
    await once(child, 'close')
    assert.equal(heard.split('\n').toSorted().join('\n'), '\ncode 0\ntick\t1970-01-01T00:00:04.999Z\t4999')
  })

  it('ends with 130 and without a complaint at Ctrl-C', async () => {
    const { child, heard } = start(['tail', 'Clock'])
    await eventually(async () => heard.out.includes('4999'))
    child.kill('SIGINT')
    assert.deepEqual(await once(child, 'close'), [130, null])
    assert.equal(heard.err, '')
  })

  it('asks for a password on a terminal without showing it', async function () {
    if (spawnSync('sh', ['-c', 'command -v script']).status !== 0) return skipWithout(this, 'script (util-linux)')
    const words = [...program, 'login', service.url, '--email', service.ownerEmail].join(' ')
    const child = spawn('script', ['-qec', words, '/dev/null'], { env: { ...env, TERM: 'xterm' } })
    let shown = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text))
    await eventually(async () => shown.includes('password: '))
    child.stdin.write(`${service.ownerPassword}\n`)
    const [code] = (await once(child, 'close')) as [number]
    assert.equal(code, 0, shown)
    assert.match(shown, /signed in as/)
    assert.ok(!shown.includes(service.ownerPassword), shown)
  })

  it('leaves no cut file under the name that was asked for where there is no room, and does not end with 0', async () => {
    await service.put('/api/comp/Store/stream/notes/feed/file/long.txt?time=1', 'x'.repeat(6000))
    const directory = await newDirectory('full')
    // 4 KiB: the first write of 6,000 bytes takes these, and says so as a success.
    const within = async (line: string) => {
      const words = program.map((word) => `'${word}'`).join(' ')
      const child = spawn('sh', ['-c', `ulimit -f 8; exec ${words} ${line}`], {
        env,
        cwd: directory,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let err = ''
      child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
      const [status] = (await once(child, 'close')) as [number]
      return [status, err]
    }
    for (const [line, error] of [
      ['file get Store notes long.txt -o copy.txt', 'coppice file: EFBIG: file too large, write\n'],
      ['export Clock --stream tick -o history.csv', 'coppice export: EFBIG: file too large, write\n'],
      ['file get Store notes long.txt > piped.txt', 'coppice file: EFBIG: file too large, write\n'],
    ] as const) {
      assert.deepEqual(await within(line), [1, error], line)
    }
    assert.deepEqual(await readdir(directory), ['piped.txt'])
  })
})
