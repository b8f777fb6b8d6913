// Servers that send without end, or texts that nobody could store: a session takes no more memory than its limits say.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { testConnection } from '../../src/outbound/fetch.ts'
import { holdRows } from '../../src/outbound/held-rows.ts'
import { copyFrames } from '../../src/outbound/row-frames.ts'
import type { Kind } from '../../src/outbound/target.ts'
import { fetchAll, holders, targetFrom } from '../support/outbound.ts'
import { eventually } from '../support/within.ts'
import { refuses } from './contract.ts'
import { actMysql, mysql } from './lying-mysql.ts'
import { askForRounds } from './lying-postgresql.ts'

const megabyte = 1024 * 1024

describe('a server that lies', () => {
  let server: Server | undefined
  const listen = async (serve: (socket: Socket) => void): Promise<number> => {
    server = createServer((socket) => serve(socket.on('error', () => {}))).listen(0, '127.0.0.1')
    await new Promise((resolve) => server!.once('listening', resolve))
    return (server.address() as AddressInfo).port
  }
  afterEach(() => void server?.close())

  /** The bytes that it says first, and that begin a message which never ends. */
  const beginnings: Readonly<Record<'postgresql' | 'mysql', Buffer>> = {
    // An authentication of 1 GB.
    postgresql: Buffer.from('524000000000000000', 'hex'),
    // A greeting of 16 MB, and of as many packets as follow.
    mysql: Buffer.from('ffffff00', 'hex'),
  }
  for (const [kind, beginning] of Object.entries(beginnings))
    it(`is given up when it announces more than 4 MB at once before its first row: ${kind}`, async () => {
      let sent = 0
      const piece = Buffer.alloc(64 * 1024)
      const port = await listen((socket) => {
        const send = () => {
          // It stops by itself at some time, so that the test fails and the machine does not.
          if (sent >= 512 * megabyte || !socket.writable) return
          sent += piece.length
          socket.write(piece, send)
        }
        socket.write(beginning)
        if (kind === 'postgresql') socket.once('data', send)
        else send()
      })
      const target = targetFrom(kind as Kind, `postgres://reader:secret@127.0.0.1:${port}/plant`)
      const { ok, error } = await testConnection(target, { timeoutMs: 60_000, holders })
      assert.deepEqual([ok, error], [false, 'the server announces more than 4 MB at once before its first row'])
      // All of them but the first stand between the two sides.
      assert.ok(sent < 12 * megabyte, `${sent}`)
    })

  it('is given up when it sends more than 8 MB of short messages before its first row', async () => {
    const notice = Buffer.from('4e0000000800000000', 'hex')
    const piece = Buffer.concat(Array.from({ length: 7000 }, () => notice))
    let sent = 0
    const port = await listen((socket) => {
      const send = () => {
        if (sent >= 512 * megabyte || !socket.writable) return
        sent += piece.length
        socket.write(piece, send)
      }
      socket.once('data', send)
    })
    const target = targetFrom('postgresql', `postgres://reader:secret@127.0.0.1:${port}/plant`)
    const { ok, error } = await testConnection(target, { timeoutMs: 60_000, holders })
    assert.deepEqual([ok, error], [false, 'the server sends more than 8 MB before its first row'])
  })

  it('is refused when it asks a password to be hashed for an hour', async () => {
    // In a process of its own, which ended only after that: here after one or more minutes.
    const port = await listen((socket) => askForRounds(socket, '300000000'))
    const program = `
      import { testConnection } from '../../src/outbound/fetch.ts'
      import { holders, targetFrom } from '../support/outbound.ts'
      const target = targetFrom('postgresql', 'postgres://reader:secret@127.0.0.1:${port}/plant')
      const { error } = await testConnection(target, { timeoutMs: 20_000, holders })
      process.stdout.write(error, () => process.exit())`
    const args = ['--import', 'tsx', '--input-type=module', '--eval', program]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname, timeout: 40_000 })
    assert.equal(stdout, 'the server asks for more than 1,000,000 rounds of hashing the password')
  })

  it('is quoted in one line without control characters', async () => {
    const message = Buffer.from('\u00ff\u0010\u0004too bad\0\n\u0007: go away', 'latin1')
    const port = await listen((socket) => void socket.write(Buffer.from([message.length, 0, 0, 0, ...message])))
    const target = targetFrom('mysql', `mysql://reader:secret@127.0.0.1:${port}/plant`)
    const { ok, error } = await testConnection(target, { timeoutMs: 60_000, holders })
    assert.equal(ok, false)
    assert.match(error!, /too bad : go away$/)
  })

  describe('as a MySQL', () => {
    const url = async (answer: (socket: Socket) => void) =>
      `mysql://reader:secret@127.0.0.1:${await listen((socket) => actMysql(socket, () => answer(socket)))}/plant`
    const ask = async (answer: (socket: Socket) => void) =>
      fetchAll(targetFrom('mysql', await url(answer)), 'select 1', { timeoutMs: 20_000 })

    it('is given up with its second result', async () => {
      const result = Buffer.concat([mysql.columns, mysql.row('x'.repeat(60_000)), mysql.notLast])
      let sent = 0
      const lying = ask((socket) => {
        const send = () => {
          if (sent >= 512 * megabyte || !socket.writable) return
          sent += result.length
          socket.write(result, send)
        }
        send()
      })
      await refuses(lying, { reason: 'sql', message: /^External SQL must give one result$/ })
      assert.ok(sent < 12 * megabyte, `${sent}`)
    })

    for (const [what, answer] of [
      ['that all is well', mysql.ok],
      ['by asking for a file of ours', mysql.infile],
    ] as const)
      it(`is refused when it answers a statement ${what}`, () =>
        refuses(
          ask((socket) => void socket.write(answer)),
          { reason: 'sql', message: /^External SQL must be one statement that gives rows$/ },
        ))

    it('writes nothing into our log, however it numbers its packets', async () => {
      const rows = Array.from({ length: 1000 }, () => mysql.row('x'))
      const given = await url((socket) => void socket.write(Buffer.concat([mysql.columns, ...rows, mysql.last])))
      const program = `
        import { fetchAll, targetFrom } from '../support/outbound.ts'
        const { rows } = await fetchAll(targetFrom('mysql', process.argv[1]), 'select 1')
        process.stdout.write(String(rows.length))`
      const args = ['--import', 'tsx', '--input-type=module', '--eval', program, given]
      const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname })
      assert.deepEqual([stdout, stderr], ['1000', ''])
    })

    it('is quoted with its first words, and without the password, however often it repeats it', async () => {
      const message = `✓${'\nsecret'.repeat(550_000)}`
      await refuses(
        ask((socket) => void socket.write(mysql.error(message))),
        { reason: 'sql', message: /^External SQL: ✓( \*\*\*)+[ *]*…$/ },
      )
    })
  })

  it('is not listened to while nobody has decided about rows that are held', async () => {
    const message = (letter: string, body: string) => {
      const head = Buffer.from(`${letter}....`)
      head.writeUInt32BE(4 + body.length, 1)
      return Buffer.concat([head, Buffer.from(body)])
    }
    const rows = Buffer.concat([message('H', '\0\0\0'), message('d', '1\t2\n'), message('c', '')])
    const notices = message('N', 'x'.repeat(megabyte))
    let flood: () => void = () => {}
    const port = await listen((socket) => {
      socket.write(rows)
      flood = () => void socket.write(notices, () => flood())
    })
    const hold = (blocks: Uint8Array | undefined) => {
      const socket = connect(port, '127.0.0.1')
      let heard = 0
      socket.on('data', ({ length }) => (heard += length))
      const held = holdRows(socket, copyFrames(), { directory: tmpdir(), blocks })
      return { socket, held, heard: () => heard }
    }
    const first = hold(undefined)
    await eventually(() => Promise.resolve(first.held.print() !== undefined))
    first.socket.destroy()
    const { socket, held, heard } = hold(first.held.print()!.blocks)
    try {
      assert.equal(await held.areSame, true)
      flood()
      assert.equal(socket.isPaused(), true)
      held.drop()
      // The driver hears all that comes after the rows.
      await eventually(() => Promise.resolve(heard() > 2 * megabyte))
    } finally {
      flood = () => {}
      socket.destroy()
    }
  })
})
