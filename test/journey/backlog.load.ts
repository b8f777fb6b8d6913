// Connections that come faster than they are taken: the kernel keeps them until then. One that finds no room is asked for
// again by its client after 1, 3, 7 and 15 s, whoever that is.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { skipWithout } from '../support/skip.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

const somaxconn = '/proc/sys/net/core/somaxconn'
const count = 700

/** Opens them all at once, and prints how many are open: all of them, or those after which none came for a while. */
const client = (port: string) => `
  let open = 0
  const end = () => { process.stdout.write(String(open)); process.exit() }
  let timer = setTimeout(end, 20_000)
  for (let n = 0; n < ${count}; n += 1)
    require('node:net').connect(${port}, '127.0.0.1', () => {
      open += 1
      clearTimeout(timer)
      timer = setTimeout(end, open === ${count} ? 0 : 20_000)
    }).on('error', () => {})`

describe('connections that come at once', () => {
  let service: TestService
  before(async function () {
    let most = 0
    try {
      most = Number(readFileSync(somaxconn, 'utf8'))
    } catch {}
    if (most < count) return skipWithout(this, `net.core.somaxconn of ${count}`)
    service = await openTestService()
  })
  after(() => service?.close())

  it('are kept until the server has time for them', () => {
    // The server is this process, and stands still until the client has ended.
    const opened = execFileSync(process.execPath, ['-e', client(new URL(service.url).port)], { encoding: 'utf8' })
    assert.equal(opened, String(count))
  })
})
