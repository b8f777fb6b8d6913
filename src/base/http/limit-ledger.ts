// The part of the rate limits that several WORKERS share (limit.ts): kept by the primary process, lent out over
// the cluster's message channel. A loan shrinks as a bucket empties; when nothing is left, the unused
// loans of other processes are called back first, so that a limit of 600 is 600 wherever the calls arrive.
import type { Clock } from '../clock.ts'
import type { RateLimits } from '../config.ts'
import type { Lender, LimitKind, Loan, Request } from './limit.ts'

/** One end of a channel between two processes. */
export type Port = {
  readonly send: (message: object) => void
  readonly onMessage: (receive: (message: unknown) => void) => void
}

type Recalled = { readonly kind: LimitKind; readonly bucket: string; readonly endsMs: number }
type Message =
  | ({ readonly limits: 'borrow'; readonly serial: number } & Request)
  | ({ readonly limits: 'loan'; readonly serial: number } & Loan)
  | ({ readonly limits: 'recall'; readonly serial: number } & Recalled)
  | { readonly limits: 'return'; readonly serial: number; readonly unused: number }

const messageFrom = (value: unknown): Message | undefined =>
  typeof value === 'object' && value !== null && 'limits' in value ? (value as Message) : undefined

export type Ledger = {
  /** Serves one worker; the function given back is to be called when the worker has ended. */
  readonly connect: (port: Port) => () => void
}

// A worker that does not answer for so long is busy or gone; its loans are then not counted on.
const recallWaitMs = 250

const mostAccounts = 500_000

type Account = { left: number; readonly endsMs: number; recalling: Promise<void> | undefined; isEmpty: boolean }
type Worker = { readonly recall: (what: Recalled) => Promise<number> }

export const openLedger = (limits: RateLimits, clock: Clock, processes: number): Ledger => {
  const accounts = new Map<string, Account>()
  const workers = new Set<Worker>()

  const accountOf = ({ kind, bucket, endsMs }: Request): Account => {
    const name = `${kind} ${bucket}`
    const nowMs = clock.now()
    const windowMs = limits[kind].seconds * 1000
    const known = accounts.get(name)
    if (known && known.endsMs > nowMs && known.endsMs - nowMs <= windowMs) return known
    accounts.delete(name)
    for (const [old, account] of accounts) {
      if (account.endsMs > nowMs && accounts.size < mostAccounts) break
      accounts.delete(old)
    }
    const share = Math.floor(limits[kind].count / 2 / processes)
    const account = {
      left: limits[kind].count - share * processes,
      endsMs: endsMs > nowMs ? Math.min(endsMs, nowMs + windowMs) : nowMs + windowMs,
      recalling: undefined,
      isEmpty: false,
    }
    accounts.set(name, account)
    return account
  }

  /** Answers at once where it can: a loan must be on its way before anything can recall it. */
  const lend = (borrower: Worker, request: Request, answer: (loan: Loan) => void): void => {
    const account = accountOf(request)
    if (request.isUrgent && account.left === 0 && !account.isEmpty) {
      account.recalling ??= recallAll(borrower, account, request)
      void account.recalling.then(() => lend(borrower, request, answer))
      return
    }
    const granted = Math.ceil(account.left / 2 / processes)
    account.left -= granted
    answer({ granted, endsMs: account.endsMs })
  }
  const recallAll = async (borrower: Worker, account: Account, { kind, bucket }: Request): Promise<void> => {
    const others = [...workers].filter((worker) => worker !== borrower)
    const unused = await Promise.all(others.map((worker) => worker.recall({ kind, bucket, endsMs: account.endsMs })))
    account.left += unused.reduce((sum, one) => sum + one, 0)
    // An urgent borrower has none left either.
    account.isEmpty = account.left === 0
    account.recalling = undefined
  }

  return {
    connect: (port) => {
      const waiting = new Map<number, (unused: number) => void>()
      let serial = 0
      const send = (message: Message) => port.send(message)
      const worker: Worker = {
        recall: (what) =>
          new Promise((resolve) => {
            serial += 1
            const number = serial
            const settle = (unused: number) => {
              clearTimeout(timer)
              waiting.delete(number)
              resolve(unused)
            }
            const timer = setTimeout(settle, recallWaitMs, 0)
            waiting.set(number, settle)
            send({ limits: 'recall', serial: number, ...what })
          }),
      }
      workers.add(worker)
      port.onMessage((value) => {
        const message = messageFrom(value)
        if (message?.limits === 'return') waiting.get(message.serial)?.(message.unused)
        if (message?.limits === 'borrow')
          lend(worker, message, (loan) => send({ limits: 'loan', serial: message.serial, ...loan }))
      })
      return () => {
        workers.delete(worker)
        for (const settle of waiting.values()) settle(0)
      }
    },
  }
}

/** A worker's end of it. A primary that has ended does not answer, but then its workers end too. */
export const lenderFrom = (port: Port, processes: number): Lender => {
  const waiting = new Map<number, (loan: Loan) => void>()
  let serial = 0
  let giveBack: ((kind: LimitKind, bucket: string, endsMs: number) => number) | undefined
  const send = (message: Message) => port.send(message)
  port.onMessage((value) => {
    const message = messageFrom(value)
    if (message?.limits === 'loan') {
      waiting.get(message.serial)?.(message)
      waiting.delete(message.serial)
    }
    if (message?.limits === 'recall') {
      const unused = giveBack?.(message.kind, message.bucket, message.endsMs) ?? 0
      send({ limits: 'return', serial: message.serial, unused })
    }
  })
  return {
    processes,
    borrow: (request, receive) => {
      serial += 1
      waiting.set(serial, receive)
      send({ limits: 'borrow', serial, ...request })
    },
    onRecall: (give) => {
      giveBack = give
    },
  }
}
