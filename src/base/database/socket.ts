// The way to the database under postgres.js: TCP without Nagle's algorithm, TLS where the address asks for it, and a
// socket that the driver survives.
//
// In postgres.js 3.4.9 a connection whose socket closes while a query is on its way out ends the process (its issues
// 1066, 1154 and 1208) or can never write again, and one whose socket cannot be opened is lost to the pool. All of
// that begins with the 'close' event. So a DriverSocket does not report a loss by it: queries that were sent are
// refused by an 'error', those that come later by an answer such as a server would give, and the driver's state
// stays sound. The driver is then replaced as a whole (pool.ts).
//
// Node reads up to 2 MiB of one socket before it looks at the next, and the rows in them take half a second. Large answers
// on a few connections thus kept everybody waiting: a new client was not even accepted for 20 s. So a DriverSocket rests
// after 64 KiB until others have had their turn.
import { EventEmitter } from 'node:events'
import { connect as connectTcp, isIP } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { ConnectionOptions } from 'node:tls'
import { afterSilence } from './silence.ts'

export type Target = {
  readonly host: readonly string[]
  readonly port: readonly number[]
  /** The path of a Unix socket, in place of the others. */
  readonly path?: string
  /** The server that a name has led to: one name may stand for several. */
  readonly address?: string | undefined
}

export class SocketError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

const noAnswer = () => new SocketError('CONNECT_TIMEOUT', 'the database does not answer')

/** The first of the hosts that answers, within the time. */
export const openSocket = async (
  { host, port, path, address }: Target,
  tls: false | ConnectionOptions,
  timeoutMs: number,
): Promise<Socket> => {
  if (path) return connected(connectTcp(path), timeoutMs)
  let reason: unknown
  for (const [index, name] of host.entries()) {
    try {
      const socket = await connected(
        connectTcp({ host: address ?? name, port: port[index]!, noDelay: true }),
        timeoutMs,
      )
      return tls ? await secured(socket, name, tls, timeoutMs) : socket
    } catch (error) {
      reason = error
    }
  }
  throw reason
}

const connected = (socket: Socket, timeoutMs: number, event = 'connect'): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      stop()
      socket.destroy()
      reject(error)
    }
    const stop = afterSilence(timeoutMs, () => fail(noAnswer()))
    socket.once('error', fail).once(event, () => {
      stop()
      socket.off('error', fail)
      resolve(socket)
    })
  })

/** Asks the server to go on in TLS. */
const secured = async (socket: Socket, host: string, tls: ConnectionOptions, timeoutMs: number): Promise<Socket> => {
  const answer = await new Promise<Buffer>((resolve, reject) => {
    const stop = afterSilence(timeoutMs, () => socket.destroy(noAnswer()))
    const refuse = (error: Error) => {
      stop()
      reject(error)
    }
    socket.once('error', refuse).once('data', (bytes: Buffer) => {
      stop()
      resolve(bytes)
    })
    socket.once('close', () => refuse(new SocketError('CONNECTION_CLOSED', 'the database closed the connection')))
    socket.write(sslRequest)
  }).finally(() => socket.removeAllListeners())
  // More than the one letter would be an attacker's words in front of the encrypted ones.
  if (answer.toString('latin1') === 'S')
    return connected(
      connectTls({ socket, host, ...(isIP(host) ? {} : { servername: host }), ...tls }),
      timeoutMs,
      'secureConnect',
    )
  socket.destroy()
  throw new SocketError('NO_TLS', 'the database does not speak TLS')
}

const mostBytesAtOnce = 64 * 1024

/** The names by which a server knows a connection: of another server's, these are nobody's. */
export type Backend = { readonly pid: number; readonly secret: number }

/** Resolves when the server has passed it on, or does not: it ends the connection by itself then. */
export const sendCancel = (socket: Socket, { pid, secret }: Backend, timeoutMs: number): Promise<void> =>
  new Promise((resolve) => {
    const request = Buffer.alloc(16)
    for (const [n, word] of [16, cancelRequestCode, pid, secret].entries()) request.writeUInt32BE(word >>> 0, 4 * n)
    socket.setTimeout(timeoutMs, () => socket.destroy())
    socket.on('error', () => {})
    socket.once('close', () => resolve())
    socket.resume()
    socket.write(request)
  })

const sslRequest = Buffer.from([0, 0, 0, 8, 4, 0xd2, 0x16, 0x2f])
const cancelRequestCode = 80_877_102

/** The end of a socket: closed by the driver, lost, or lost before the database was ready to serve. */
export type SocketEnd = 'closed' | 'lost' | 'refused'

/** PostgreSQL's code of a write that a standby refuses. */
export const standbyCode = '25006'

/** From the connection until the database is ready to serve. */
const signInTimeoutMs = 1500

export class DriverSocket extends EventEmitter {
  readonly #socket: Socket | undefined
  readonly #onEnd: (end: SocketEnd, reason: Error) => void
  readonly #onPrepared: (bytes: number) => void
  #preparedBytes = 0
  #reason: Error | undefined
  /** Whether the driver ends it, or only sends one message on it: then the close is no loss. */
  #isEnding = false
  #hasGreeted = false
  /** Whether the driver wants to read. */
  #isWanted = true
  #isResting = false
  #bytesSinceRest = 0
  readonly #messages: MessageReader
  readonly #stopWaiting: () => void = () => {}

  /** With an error in place of a socket, it stands for one that could not be opened, and fails at the first write. */
  constructor(
    socket: Socket | Error,
    onEnd: (end: SocketEnd, reason: Error) => void = () => {},
    /** Gets the bytes of all statements that the connection has prepared so far. */
    onPrepared: (bytes: number) => void = () => {},
    mayBeStandby = true,
  ) {
    super()
    this.#messages = new MessageReader(mayBeStandby)
    this.#onEnd = onEnd
    this.#onPrepared = onPrepared
    if (socket instanceof Error) {
      this.#reason = socket
      return
    }
    this.#socket = socket
    this.#stopWaiting = afterSilence(signInTimeoutMs, () => socket.destroy(noAnswer()))
    socket.on('data', (chunk: Buffer) => {
      const messages = this.#messages.take(chunk)
      if (this.#messages.isReady) this.#stopWaiting()
      if (this.#messages.isRefused) socket.destroy()
      else if (messages) this.emit('data', messages)
      this.#bytesSinceRest += chunk.length
      if (this.#bytesSinceRest >= mostBytesAtOnce) this.#rest(socket)
    })
    socket.on('drain', () => this.emit('drain'))
    socket.on('error', (error) => this.#lose(error))
    socket.on('close', () => this.#lose(new SocketError('CONNECTION_CLOSED', 'the database closed the connection')))
  }

  get readyState(): string {
    return this.#socket === undefined || this.#reason ? 'closed' : this.#socket.readyState
  }

  write(chunk: Buffer, done?: () => void): boolean {
    const isFirst = !this.#hasGreeted
    this.#hasGreeted = true
    const isCancel = chunk.length === 16 && chunk.readInt32BE(4) === cancelRequestCode
    if (this.#reason === undefined) {
      this.#isEnding ||= isCancel
      if (!isFirst) this.#count(chunk)
      return this.#socket!.write(chunk, done)
    }
    const refuse = () => {
      // The error of a cancellation that cannot be sent has no listener: it would end the process.
      if (isCancel) this.emit('close', false)
      else if (this.#socket) this.#answer(rest)
      else this.#refuseToOpen()
    }
    // The greeting has a length and no letter; it is not answered.
    const rest = isFirst ? chunk.subarray(chunk.readInt32BE(0)) : chunk
    process.nextTick(refuse)
    return true
  }

  end(chunk: Buffer): void {
    this.#isEnding = true
    this.#socket?.end(chunk)
  }

  destroy(): void {
    this.#socket?.destroy()
  }

  pause(): void {
    this.#isWanted = false
    this.#socket?.pause()
  }

  resume(): void {
    this.#isWanted = true
    if (!this.#isResting) this.#socket?.resume()
  }

  #rest(socket: Socket): void {
    this.#bytesSinceRest = 0
    this.#isResting = true
    socket.pause()
    setImmediate(() => {
      this.#isResting = false
      if (this.#isWanted) socket.resume()
    })
  }

  #count(chunk: Buffer): void {
    const { bytes, readies } = countsIn(chunk)
    this.#messages.readies += readies
    if (bytes === 0) return
    this.#preparedBytes += bytes
    this.#onPrepared(this.#preparedBytes)
  }

  #lose(reason: Error): void {
    if (this.#reason) return
    this.#stopWaiting()
    this.#reason = this.#messages.refusal ?? (this.#messages.isReady ? reason : notReady(reason))
    if (this.#isEnding) this.emit('close', false)
    else {
      this.#refuse()
      this.emit('data', refusalText(this.#reason))
    }
    this.#onEnd(this.#isEnding ? 'closed' : this.#messages.isReady ? 'lost' : 'refused', this.#reason)
  }

  #answer(chunk: Buffer): void {
    const refusals = Array.from({ length: questionsIn(chunk) }, () => refusalText(this.#reason!))
    if (refusals.length > 0) this.emit('data', Buffer.concat(refusals))
  }

  #refuseToOpen(): void {
    this.#refuse()
    // A safe time to close: the driver has nothing left to write.
    this.emit('close', true)
  }

  #refuse(): void {
    if (this.listenerCount('error') > 0) this.emit('error', this.#reason)
  }
}

/** The code distinguishes it from the loss of a connection that had served (sql.ts). */
const notReady = (reason: Error) => new SocketError('08001', reason.message)

/** A letter and the length of the rest. */
const headerBytes = 5

/** Hands on whole messages of the server only: after half of one, the driver would understand nothing more. */
class MessageReader {
  #held: Buffer[] = []
  #heldBytes = 0
  #neededBytes = headerBytes
  /** Whether the server has said that it is ready for a query. */
  isReady = false
  /** How often it will say so again, by what it has been asked. */
  readies = 0
  /** The server's reason not to become ready, in its own words. */
  refusal: SocketError | undefined
  /** Whether it is we who do not want the server. */
  isRefused = false
  readonly #mayBeStandby: boolean

  constructor(mayBeStandby: boolean) {
    this.#mayBeStandby = mayBeStandby
  }

  take(chunk: Buffer): Buffer | undefined {
    this.#held.push(chunk)
    this.#heldBytes += chunk.length
    if (this.#heldBytes < this.#neededBytes) return undefined
    const bytes = this.#held.length === 1 ? chunk : Buffer.concat(this.#held)
    let at = 0
    let neededBytes = headerBytes
    /** The last message, while it is one that reports a success. */
    let doneAt = -1
    let unknown: { readonly from: number; readonly to: number } | undefined
    while (at + headerBytes <= bytes.length) {
      neededBytes = 1 + bytes.readInt32BE(at + 1)
      if (at + neededBytes > bytes.length) break
      const message = bytes.subarray(at, at + neededBytes)
      if (!this.isReady) this.#greet(message)
      else if (message[0] === readyForQuery[0]) this.readies -= 1
      else if (isUnreplicatedNotice(message)) unknown = { from: doneAt < 0 ? at : doneAt, to: at + neededBytes }
      doneAt = message[0] === doneLetter ? at : -1
      at += neededBytes
      neededBytes = headerBytes
    }
    // The driver takes a query for stored as soon as it is done, and the warning comes behind that. Where the server will
    // say that it is ready, something is behind it in any case.
    if (doneAt >= 0 && this.readies > 0) {
      neededBytes += at - doneAt
      at = doneAt
    }
    this.#held = at === bytes.length ? [] : [bytes.subarray(at)]
    this.#heldBytes = bytes.length - at
    this.#neededBytes = neededBytes
    if (unknown)
      return Buffer.concat([bytes.subarray(0, unknown.from), unreplicatedText, bytes.subarray(unknown.to, at)])
    return at === 0 ? undefined : bytes.subarray(0, at)
  }

  /** Until the server is ready, it reports its settings. */
  #greet(message: Buffer): void {
    if (message[0] === readyForQuery[0]) this.isReady = !this.isRefused
    else if (message[0] === errorLetter) this.refusal = refusalFrom(message)
    else if (!this.#mayBeStandby && message[0] === settingLetter && message.equals(standbySetting)) {
      this.refusal = new SocketError(standbyCode, 'it is a standby')
      this.isRefused = true
    }
  }
}

const errorLetter = 'E'.charCodeAt(0)
const doneLetter = 'C'.charCodeAt(0)
const noticeLetter = 'N'.charCodeAt(0)

/**
 * The function of PostgreSQL in which a commit waits for a standby. Where that wait is cancelled, it warns, and reports
 * success, although the commit is lost if the primary is. By its name, because the words are in the server's language.
 */
export const unreplicatedRoutine = 'SyncRepWaitForLSN'

const isUnreplicatedNotice = (message: Buffer): boolean =>
  message[0] === noticeLetter && message.includes(`\0R${unreplicatedRoutine}\0`)

/** Fields of an error: a letter, a text, and a zero each. */
const refusalFrom = (error: Buffer): SocketError => {
  const fields = error.toString('utf8', headerBytes).split('\0')
  const field = (letter: string) => fields.find((text) => text.startsWith(letter))?.slice(1) ?? ''
  return new SocketError(field('C'), field('M'))
}

/** The number of answers that the driver waits for: one for each query, Sync and Flush. */
const questionsIn = (chunk: Buffer): number => {
  let questions = 0
  for (let at = 0; at + headerBytes <= chunk.length; at += 1 + chunk.readInt32BE(at + 1))
    if (questionLetters.has(chunk[at]!)) questions += 1
  return questions
}

/**
 * The bytes of statements with a name, under which the server keeps them, and the number of messages after which it says
 * that it is ready: queries and Syncs. The driver writes whole messages.
 */
const countsIn = (chunk: Buffer): { readonly bytes: number; readonly readies: number } => {
  let [bytes, readies] = [0, 0]
  for (let at = 0; at + headerBytes <= chunk.length; at += 1 + chunk.readInt32BE(at + 1)) {
    if (chunk[at] === parseLetter && chunk[at + headerBytes] !== 0) bytes += chunk.readInt32BE(at + 1)
    if (readyLetters.has(chunk[at]!)) readies += 1
  }
  return { bytes, readies }
}

const parseLetter = 0x50

const questionLetters = new Set(Buffer.from('QSH'))
const readyLetters = new Set(Buffer.from('QS'))

const message = (letter: string, body: string): Buffer => {
  const bytes = Buffer.from(`${letter}0000${body}`, 'latin1')
  bytes.writeInt32BE(bytes.length - 1, 1)
  return bytes
}

const readyForQuery = message('Z', 'I')
const settingLetter = 'S'.charCodeAt(0)
const standbySetting = message('S', 'in_hot_standby\0on\0')
/** "The transaction's resolution is unknown". */
const unreplicatedText = message('E', 'SERROR\0VERROR\0C08007\0Mthe commit is not known to be on a standby\0\0')
// An error always comes before "ready": without it the driver would take the query for a success.
const refusalText = (reason: Error): Buffer => {
  const code = reason instanceof SocketError && /^[0-9A-Z]{5}$/.test(reason.code) ? reason.code : '08006'
  return Buffer.concat([
    message('E', `SERROR\0VERROR\0C${code}\0Mthe connection to the database was lost\0\0`),
    readyForQuery,
  ])
}
