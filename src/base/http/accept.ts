// Takes more than one new connection in a turn of the loop. Since version 1.45 libuv, and thus Node, takes one: under a
// load whose turns last 0.5 s, clients that connect for each call (most devices do) came in at two a second, and waited
// for 20 s although their calls took milliseconds.
//
// Further listeners on the same port each take one. A listener needs a file descriptor of its own, and Node copies one
// only when it hands it to another process: so a child is handed the port and hands it back, as often as it is needed.
import { spawn } from 'node:child_process'
import type { SendHandle } from 'node:child_process'
import { createServer } from 'node:net'
import type { Server, ServerOpts } from 'node:net'
import type { Log } from '../log.ts'

const echo = "process.on('message', (number, handle) => process.send(number, handle))"
const patienceMs = 5000

/** Members that Node has undocumented, since long before version 20. */
type WithHandle = { readonly ['_handle']?: SendHandle }

/** Sockets as node:http makes them. */
const asForHttp: ServerOpts = { allowHalfOpen: true, noDelay: true }

/**
 * Resolves when the server, of HTTP unless its options are given, has so many listeners, and gives the further ones, to
 * be closed with it.
 */
export const listenOften = async (
  server: Server,
  listeners: number,
  backlog: number,
  options: ServerOpts = asForHttp,
): Promise<readonly Server[]> => {
  const { _handle: handle } = server as WithHandle
  if (handle === undefined) throw new Error('this version of Node does not show the handle of a port')
  return (await copies(handle, listeners - 1)).map((copy) => {
    const further = createServer(options, (socket) => server.emit('connection', socket))
    return further.listen(copy, backlog)
  })
}

/**
 * New connections that are taken in one turn of the loop. While 6,000 listeners came from three addresses, one from elsewhere waited for 5.3 s
 * at the most by 16, 2.3 to 4 by 64, and 1.5 by 256, which take twice the CPU of a call that comes alone.
 */
const listenersOfPort = 64

/** Serves on with one listener where there can be no others. */
export const listenOftenIfPossible = (
  server: Server,
  backlog: number,
  log: Log,
  options?: ServerOpts,
): Promise<readonly Server[]> =>
  listenOften(server, listenersOfPort, backlog, options).catch((error: unknown) => {
    log.warn({ err: error }, 'one new connection is taken at a time: others wait longer when there is much to do')
    return []
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
