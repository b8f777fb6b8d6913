// A kind of load under which things are killed (test/fault/mixed.load.ts): it does one thing over and over, notes what was
// acknowledged (ledger.ts), and judges at the end what is stored: all that was acknowledged, and nothing by half.
import type { Pool } from '../../../src/base/database/sql.ts'

export type Load = {
  readonly name: string
  /** Whether it was acknowledged. One step at a time. */
  readonly step: () => Promise<boolean>
  readonly judge: () => Promise<void>
}

export type Body = string | Uint8Array<ArrayBuffer> | FormData | ReadableStream<Uint8Array>

export type More = {
  readonly headers?: Readonly<Record<string, string>>
  /** Statuses that this call may be refused with: then it is not acknowledged. */
  readonly refusals?: readonly number[]
}

export type Calls = {
  /** By the owner's session. Undefined when there was no answer, or one of 503. */
  readonly ask: (method: string, path: string, body?: unknown, more?: More) => Promise<unknown>
  /** As `ask`, for bodies and replies that are no JSON. */
  readonly askBytes: (method: string, path: string, body?: Body, more?: More) => Promise<Buffer | undefined>
  /** All samples of a stream, by time, latest first; none of one that there is not. */
  readonly samples: (compId: string, streamId: string) => Promise<ReadonlyMap<number, unknown>>
}

export type Doors = Calls & {
  /** By MQTT messages come in, with this key. */
  readonly mqtt: { readonly port: number; readonly apiKey: string }
  /** For the judges: our database itself. */
  readonly database: <T>(look: (sql: Pool) => Promise<T>) => Promise<T>
}

export type Owner = { readonly uid: string; readonly organizationUid: string }

export const dayMs = 86_400_000
export const weekMs = 7 * dayMs

/** Whether it was acknowledged. */
export const put = async ({ askBytes }: Calls, query: string, body?: unknown): Promise<boolean> => {
  const json = body === undefined ? undefined : JSON.stringify(body)
  return (await askBytes('PUT', `/api/feed?${query}`, json)) !== undefined
}

/** The samples of several streams, each by the stream and its time. */
export const samplesOf = async (
  { samples }: Calls,
  compId: string,
  streamIds: readonly string[],
): Promise<ReadonlyMap<string, unknown>> => {
  const found = await Promise.all(streamIds.map((streamId) => samples(compId, streamId)))
  return new Map(
    found.flatMap((one, at) => Array.from(one, ([time, value]) => [`${streamIds[at]} ${time}`, value] as const)),
  )
}
