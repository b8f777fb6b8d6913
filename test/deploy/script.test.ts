// deploy/cluster/cluster.sh with stand-ins for the programs that it starts, each of which answers as such a one does. With
// the programs themselves: npm run soak -- cluster.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { newDirectory } from '../support/directory.ts'
import { freePort } from '../support/free-port.ts'
import { root } from './files.ts'

/** Listens where it is told to. Of the nodes of Patroni the second is the primary. */
const standIn = `
  import { createServer } from 'node:http'
  import { readFileSync } from 'node:fs'
  const [kind, ...words] = process.argv.slice(2)
  const { PATRONI_RESTAPI_LISTEN: listen, PATRONI_NAME: name, PORT: own } = process.env
  const port =
    kind === 'patroni' ? listen.split(':')[1]
    : kind === 'haproxy' ? /bind 127.0.0.1:(\\d+)/.exec(readFileSync(words.at(-1), 'utf8'))[1]
    : kind === 'etcd' ? 0 : own
  const role = name === 'node2' ? '/primary' : '/replica'
  const isRight = (path) => kind !== 'patroni' || path === role
  createServer((asked, reply) => reply.writeHead(isRight(asked.url) ? 200 : 503).end()).listen(port, '127.0.0.1')
  console.log(kind, 'listens')`

describe('cluster.sh', () => {
  it('waits for whichever node is the primary, and leaves no log that others may read', async () => {
    const directory = await newDirectory('script')
    const program = join(directory, 'stand-in.mjs')
    await writeFile(program, standIn)
    const place = join(directory, 'cluster')
    // All of them were there before it was stopped.
    for (const n of [1, 2, 3]) await mkdir(join(place, `node${n}`), { recursive: true })
    const as = (kind: string) => `${process.execPath} ${program} ${kind}`
    const env = {
      PATH: process.env['PATH'],
      COPPICE_TEST_RUN: process.env['COPPICE_TEST_RUN'],
      BASE_PORT: String(await freePort()),
      PATRONI: as('patroni'),
      ETCD: as('etcd'),
      HAPROXY: as('haproxy'),
      NODE: process.execPath,
      COPPICE: program,
      RUN_AS: 'nobody',
    }
    const run = (word: string) =>
      promisify(execFile)('sh', [join(root, 'deploy/cluster/cluster.sh'), place, word], { env, timeout: 100_000 })
    try {
      const { stdout } = await run('up')
      assert.equal(stdout, `http://127.0.0.1:${env.BASE_PORT}\n`)
      const names = (await readdir(place)).filter((name) => /\.log$|^secret-/.test(name))
      assert.equal(names.length, 13)
      for (const name of names) assert.equal((await stat(join(place, name))).mode & 0o077, 0, name)
    } finally {
      await run('down')
    }
  })
})
