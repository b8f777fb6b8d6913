// A body without a length: all that comes until its client closes its sending side, kept until then (short.ts). It is
// refused when that does not come in time, or when it grows too large.
import { badRequest, tooLarge } from '../errors.ts'
import type { Fault } from '../errors.ts'
import type { Reply } from './reply.ts'

export type Unmeasured = {
  readonly answer: (body: Buffer, reply: (reply: Reply) => void) => void
  /** The part of the body that came with the head. */
  readonly begin: Buffer
}

/** Such a body counts among the incomplete heads (client-connections.ts), and is thus bounded over all connections. */
const mostUnmeasuredBytes = 64 * 1024

export class UnmeasuredBody {
  readonly #request: Unmeasured
  readonly #refuse: (fault: Fault) => void
  readonly #parts: Buffer[]
  readonly #timer: NodeJS.Timeout
  #bytes: number

  constructor(request: Unmeasured, patienceMs: number, refuse: (fault: Fault) => void) {
    this.#request = request
    this.#refuse = refuse
    this.#parts = [request.begin]
    this.#bytes = request.begin.length
    this.#timer = setTimeout(() => refuse(badRequest(lengthIsMissing)), patienceMs)
  }

  add(chunk: Buffer): void {
    this.#bytes += chunk.length
    this.#parts.push(chunk)
    if (this.#bytes <= mostUnmeasuredBytes) return
    this.drop()
    this.#refuse(tooLarge(`${lengthIsMissing}, and has ${mostUnmeasuredBytes} bytes at most`))
  }

  end(reply: (reply: Reply) => void): void {
    clearTimeout(this.#timer)
    this.#request.answer(Buffer.concat(this.#parts), reply)
  }

  drop(): void {
    clearTimeout(this.#timer)
    this.#parts.length = 0
  }
}

const lengthIsMissing = 'Content-Length is missing: a body without it ends when its client closes its sending side'
