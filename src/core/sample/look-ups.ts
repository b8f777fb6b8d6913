// Look-ups of components that calls name one at a time, as all devices of a fleet do when the server has just started:
// those that come while others are under way are asked for together, each organization's by themselves. A component alone
// costs Postgres 200 µs of CPU and this server 370, one of ten in a statement 36 and 50. While more wait than a statement
// asks for, others of the organization are read ahead: they will be asked for, too.

type Asked = { readonly id: string; readonly resolve: () => void; readonly reject: (error: unknown) => void }

type Read = (organizationKey: number, ids: readonly string[]) => Promise<unknown>

type ReadAhead = (organizationKey: number) => Promise<void>

type Queue = { readonly waiting: Asked[]; running: number; isBeginning: boolean }

/** The pool's connections are few, and other calls need some. */
const mostAtOnce = 2

export class LookUps {
  readonly #queues = new Map<number, Queue>()
  readonly #mostTogether: number
  readonly #read: Read
  readonly #readAhead: ReadAhead

  constructor(mostTogether: number, read: Read, readAhead: ReadAhead) {
    this.#mostTogether = mostTogether
    this.#read = read
    this.#readAhead = readAhead
  }

  /** Settles when the component was read. */
  ask(organizationKey: number, id: string): Promise<void> {
    const queue = this.#queues.get(organizationKey) ?? { waiting: [], running: 0, isBeginning: false }
    this.#queues.set(organizationKey, queue)
    return new Promise((resolve, reject) => {
      queue.waiting.push({ id, resolve, reject })
      if (queue.isBeginning || queue.running === mostAtOnce) return
      queue.isBeginning = true
      // After all requests that have arrived by now are read.
      setImmediate(() => {
        queue.isBeginning = false
        this.#begin(organizationKey, queue)
      })
    })
  }

  #begin(organizationKey: number, queue: Queue): void {
    while (queue.waiting.length > 0 && queue.running < mostAtOnce)
      void this.#run(organizationKey, queue, queue.waiting.splice(0, this.#mostTogether))
    if (queue.running === 0 && !queue.isBeginning) this.#queues.delete(organizationKey)
  }

  async #run(organizationKey: number, queue: Queue, asked: readonly Asked[]): Promise<void> {
    queue.running += 1
    const settle = (some: readonly Asked[]) =>
      this.#read(organizationKey, [...new Set(some.map(({ id }) => id))]).then(() => {
        for (const { resolve } of some) resolve()
      })
    // An error may be the fault of one ID: nobody sees that of another.
    await settle(asked).catch(async (error: unknown) => {
      if (asked.length === 1) asked[0]!.reject(error)
      else await Promise.all(asked.map((each) => settle([each]).catch(each.reject)))
    })
    // An error is that of those who wait, when they ask.
    if (queue.waiting.length > this.#mostTogether) await this.#readAhead(organizationKey).catch(() => {})
    queue.running -= 1
    this.#begin(organizationKey, queue)
  }
}
