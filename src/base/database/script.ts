// A script: prepared statements, and the data of those that copy, sent to Postgres one behind another before a single sync,
// and answered in one go. They are one transaction.
//
//   const script = new Script([{ kind: 'execute', name: 'set-level', values: ['7'] }])
//   await client.query(script).done
//
// Steps that take much memory are made as they are sent: no more of them than `mostAheadBytes` wait for the network. The
// driver's own way to write a parameter copies it up to three times, and keeps it until the collector comes.
import type { Connection, Submittable } from 'pg'
import { free } from '../free.ts'

/** The buffers of a step are the script's: large ones are empty once they were sent. */
export type Step =
  | { readonly kind: 'prepare'; readonly name: string; readonly text: string }
  /** A text is in the text form of its type, a buffer in the binary one. */
  | { readonly kind: 'execute'; readonly name: string; readonly values: readonly (string | Buffer)[] }
  /** For a COPY that was executed, in any number of pieces. */
  | { readonly kind: 'data'; readonly bytes: Buffer }
  | { readonly kind: 'end-of-data' }

/** Steps that succeed or fail as one. After a failed one Postgres skips the others, the data of a COPY included. */
export class Script implements Submittable {
  readonly done: Promise<void>
  readonly #steps: Iterator<Step>
  readonly #mostAheadBytes: number
  /** Whether Postgres has executed a statement of it. */
  isBegun = false
  #connection: Connection | undefined
  #isEnded = false
  #resolve!: () => void
  #reject!: (error: Error) => void

  constructor(steps: Iterable<Step>, mostAheadBytes = Infinity) {
    this.#steps = steps[Symbol.iterator]()
    this.#mostAheadBytes = mostAheadBytes
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  submit(connection: Connection): void {
    this.#connection = connection
    this.#send(connection)
  }

  #send(connection: Connection): void {
    const { stream } = connection
    stream.cork()
    try {
      while (!this.#isEnded && stream.writable) {
        if (stream.writableLength > this.#mostAheadBytes && stream.writableNeedDrain) {
          // Where the network takes all at once, others have their turn in between.
          stream.once('drain', () => setImmediate(() => this.#send(connection)))
          return
        }
        const step = this.#steps.next()
        if (step.done) this.#end()
        else write(connection, step.value)
      }
    } catch (error) {
      // Half a transaction has been sent: without a connection it is none.
      stream.destroy(error as Error)
    } finally {
      stream.uncork()
    }
  }

  /** Without a sync nothing is committed, and behind a failed step nothing but a sync is read. */
  #end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#steps.return?.()
    this.#connection?.sync()
  }

  // pg calls these as the answers come in, and the first one when the connection is lost, too.
  handleError(error: Error): void {
    this.#end()
    this.#reject(error)
  }
  handleReadyForQuery(): void {
    this.#resolve()
  }
  handleDataRow(): void {}
  handleCommandComplete(): void {
    this.isBegun = true
  }
  handleCopyInResponse(): void {}
}

const write = (connection: Connection, step: Step): void => {
  const { stream } = connection
  const give = (bytes: Buffer) => stream.write(bytes, () => free(bytes))
  switch (step.kind) {
    case 'prepare':
      connection.parse({ name: step.name, text: step.text, types: [] }, true)
      break
    case 'execute':
      give(bindMessage(step.name, step.values))
      connection.execute(null, true)
      break
    case 'data': {
      const head = Buffer.from('d0000', 'latin1')
      head.writeInt32BE(step.bytes.length + 4, 1)
      stream.write(head)
      give(step.bytes)
      break
    }
    case 'end-of-data':
      stream.write(copyDone)
      break
  }
}

const copyDone = Buffer.from('c\0\0\0\x04', 'latin1')

/** The letter, the length, the ends of two names, three counts; of each value its form and its length. */
const bindBytes = 1 + 4 + 1 + 1 + 3 * 2
const valueBytes = 2 + 4

/** Into the unnamed portal, with results as texts. */
const bindMessage = (name: string, values: readonly (string | Buffer)[]): Buffer => {
  let size = bindBytes + Buffer.byteLength(name) + valueBytes * values.length
  for (const value of values) size += Buffer.byteLength(value)
  const message = Buffer.allocUnsafe(size)
  message.write('B', 'latin1')
  let at = message.writeInt32BE(size - 1, 1)
  at = message.writeUInt8(0, at)
  at += message.write(name, at)
  at = message.writeUInt8(0, at)
  at = message.writeUInt16BE(values.length, at)
  for (const value of values) at = message.writeUInt16BE(typeof value === 'string' ? 0 : 1, at)
  at = message.writeUInt16BE(values.length, at)
  for (const value of values) {
    const length = typeof value === 'string' ? message.write(value, at + 4) : value.copy(message, at + 4)
    message.writeInt32BE(length, at)
    at += 4 + length
    if (typeof value !== 'string') free(value)
  }
  message.writeUInt16BE(0, at)
  return message
}
