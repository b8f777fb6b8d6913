// How far a change of a template's streams has reached, by the audit log: the call itself answers with the stream alone.
import type { Client } from '../../../client/client.ts'
import { texts } from '../texts.ts'

type Reach = { readonly time: number; readonly streams: number } | undefined

export const lastReach = async (calls: Client, templateUid: string): Promise<Reach> => {
  const query = { subject: templateUid, action: 'template.reach', limit: 1 }
  const { audit } = await calls.call('GET /api/audit', { query })
  if (audit[0] === undefined) return undefined
  const { streams = 0, removed = 0 } = audit[0].detail as { readonly streams?: number; readonly removed?: number }
  return { time: audit[0].time, streams: streams + removed }
}

/** The words after a save: the entry is new, or the change has reached nothing. */
export const reachedText = (before: Reach, after: Reach): string =>
  after === undefined || after.time === before?.time ? texts.saved : texts.catalogue.template.reached(after.streams)
