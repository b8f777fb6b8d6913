// Takes more than one new connection in a turn of the loop. Since version 1.45 libuv, and thus Node, takes one: under a
// load whose turns last 0.5 s, clients that connect for each call (most devices do) came in at two a second, and waited
// for 20 s although their calls took milliseconds.
//
// Further listeners on the same port each take one. A listener needs a file descriptor of its own, and Node copies one
// only when it hands it to another process: so a child is handed the port and hands it back, as often as it is needed.
import { spawn } from 'node:child_process'
import type { SendHandle } from 'node:child_process'
import type { Server as HttpServer } from 'node:http'
import { createServer } from 'node:net'
import type { Server } from 'node:net'

const echo = "process.on('message', (number, handle) => process.send(number, handle))"
const patienceMs = 5000

/** Members that Node has undocumented, since long before version 20. */
type WithHandle = { readonly ['_handle']: SendHandle }

/** Resolves when the server has so many listeners, and gives the further ones, to be closed with it. */
export const listenOften = async (server: HttpServer, listeners: number, backlog: number): Promise<readonly Server[]> =>
  (await copies((server as unknown as WithHandle)['_handle'], listeners - 1)).map((handle) => {
    const further = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
    return further.listen(handle, backlog)
  })

const copies = (handle: SendHandle, count: number): Promise<readonly SendHandle[]> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['-e', echo], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    const got: SendHandle[] = []
    const end = (settle: () => void) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      settle()
    }
    const fail = (reason: Error) => end(() => reject(reason))
    const timer = setTimeout(() => fail(new Error('the port was not handed back in time')), patienceMs)
    child.once('error', fail)
    child.once('exit', () => fail(new Error('the port was not handed back')))
    child.on('message', (_, copy: SendHandle | undefined) => {
      // Listening on nothing would be listening on any port.
      if (copy === undefined) return fail(new Error('the port was not handed back'))
      got.push(copy)
      if (got.length === count) end(() => resolve(got))
    })
    for (let number = 1; number <= count; number += 1) child.send(number, handle)
  })
