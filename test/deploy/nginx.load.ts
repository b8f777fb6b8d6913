// The lines for nginx in docs/operations.md under an nginx of Debian's, in front of a service.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { readConfig } from '../../src/base/config.ts'
import { newDirectory } from '../support/directory.ts'
import { freePort } from '../support/free-port.ts'
import { proxyPrograms, startProxy } from '../support/proxies.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { skipWithout } from '../support/skip.ts'
import { root as project } from './files.ts'

describe('nginx in front of a server', () => {
  let service: TestService
  let port = 0
  let stop: (() => Promise<void>) | undefined
  before(async function () {
    const root = (await proxyPrograms()) ?? skipWithout(this, 'nginx')
    service = await openTestService()
    port = await freePort()
    const [, block] = /```nginx\n([^`]*)```/.exec(readFileSync(join(project, 'docs/operations.md'), 'utf8'))!
    const server = block!.replace('443 ssl', `127.0.0.1:${port}`).replaceAll('http://127.0.0.1:8080', service.url)
    const directory = await newDirectory('nginx')
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${join(directory, name)};`,
    )
    const path = join(directory, 'nginx.conf')
    await writeFile(
      path,
      `daemon off; master_process off; pid ${join(directory, 'pid')}; error_log stderr;
       events {}
       http { access_log off; ${temporary.join(' ')}\n${server} }`,
    )
    stop = await startProxy(
      root,
      'nginx',
      ['-p', directory, '-e', 'stderr', '-c', path],
      `http://127.0.0.1:${port}/readyz`,
    )
  })
  after(async () => {
    await stop?.()
    await service?.close()
  })

  /** The status for a request without a credential whose body would have so many bytes: the server's own is 401. */
  const statusFor = async (target: string, bytes: number, method = 'POST'): Promise<string> => {
    const socket = connect(port, '127.0.0.1')
    socket.write(`${method} ${target} HTTP/1.1\r\nHost: data.example\r\nContent-Length: ${bytes}\r\n\r\n[`)
    const [reply] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    return reply.toString('latin1', 9, 12)
  }

  it('passes on a URL of 32 KB, the largest file with its form, and an import of any size', async () => {
    assert.equal(await statusFor(`/api/unit?x=${'x'.repeat(32 * 1024 - 20)}`, 1), '401')
    const { fileMaxBytes } = readConfig({})
    assert.equal(await statusFor('/api/comp/A/stream/b/feed/file/c', fileMaxBytes + 65_536, 'PUT'), '401')
    assert.equal(await statusFor('/api/import', 2 ** 40), '401')
    assert.equal(await statusFor('/api/unit', 2 ** 40), '413')
  })
})
