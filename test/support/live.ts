// A listener of live feeds: reads server-sent events as they come.
//
//   const listener = await listen(`${service.url}/api/live?compId=Boiler&api_key=…`)
//   await listener.until(() => listener.samples.length === 2)
//   listener.leave()
import assert from 'node:assert/strict'
import { within } from './within.ts'

export type LiveEvent = { readonly event: string; readonly data: string; readonly id: string }
export type LiveSample = {
  readonly compId: string
  readonly streamId: string
  readonly time: number
  readonly data: unknown
}

export type LiveListener = {
  /** Those without a name, as EventSource shows them to onmessage. */
  readonly samples: readonly LiveSample[]
  readonly events: readonly LiveEvent[]
  /** The last id, by which EventSource comes back. */
  readonly lastId: () => string
  readonly isEnded: () => boolean
  readonly until: (isSo: () => boolean) => Promise<void>
  /** Waits for the event of that name. */
  readonly named: (name: string) => Promise<LiveEvent>
  readonly leave: () => void
}

export const listen = async (url: string, headers: Readonly<Record<string, string>> = {}): Promise<LiveListener> => {
  const leaving = new AbortController()
  // No later listener has this connection: one that comes back at once by a kept one meets its end, where a server is stopping.
  const reply = await fetch(url, { headers: { ...headers, connection: 'close' }, signal: leaving.signal })
  if (reply.status !== 200) assert.fail(`${reply.status} ${await reply.text()}`)
  assert.equal(reply.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  const samples: LiveSample[] = []
  const events: LiveEvent[] = []
  let lastId = ''
  let isEnded = false
  const take = (block: string): void => {
    const fields = block.split('\n').map((line) => /^([^:]*):? ?(.*)$/.exec(line)!)
    const all = (name: string) => fields.filter(([, field]) => field === name).map(([, , value]) => value!)
    lastId = all('id').at(-1) ?? lastId
    const data = all('data').join('\n')
    if (data === '') return
    const event = all('event').at(-1) ?? 'message'
    events.push({ event, data, id: lastId })
    if (event === 'message') samples.push(JSON.parse(data) as LiveSample)
  }
  const reading = async () => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const piece of reply.body!) {
      text += decoder.decode(piece as Uint8Array, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) take(block)
    }
  }
  reading()
    .catch(() => {})
    .finally(() => (isEnded = true))
  const until = (isSo: () => boolean) => within(20_000, () => Promise.resolve(isSo()))
  return {
    samples,
    events,
    lastId: () => lastId,
    isEnded: () => isEnded,
    until,
    named: async (name) => {
      await until(() => events.some(({ event }) => event === name))
      return events.find(({ event }) => event === name)!
    },
    leave: () => leaving.abort(),
  }
}
