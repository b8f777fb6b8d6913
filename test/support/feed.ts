// Shared parts of the journeys of the feed: counting stored samples, reading them back in a line, and refusals.
import assert from 'node:assert/strict'
import type { Pool } from '../../src/base/database/sql.ts'
import type { TestReply, TestService } from './service.ts'

export type Counts = {
  readonly components: number
  readonly folders: number
  readonly streams: number
  readonly samples: number
  readonly points: number
}

/** All that an upload can add to. */
export const countRows = async (sql: Pool): Promise<Counts> => {
  const [counts] = await sql<[Counts]>`
    select (select count(*)::integer from component) as components,
           (select count(*)::integer from folder) as folders,
           (select count(*)::integer from stream) as streams,
           (select count(*)::integer from sample) as samples,
           (select count(*)::integer from point_sample) as points`
  return { ...counts }
}

/** Asserts that nothing is stored by the work. */
export const storesNothing = async <T>(service: TestService, work: () => Promise<T>): Promise<T> => {
  const before = await countRows(service.sql)
  const result = await work()
  assert.deepEqual(await countRows(service.sql), before)
  return result
}

export const refusalText = (code: string, message: string) => JSON.stringify({ success: false, code, message })

export const assertRefused = (reply: TestReply, status: number, code: string, message: string): void => {
  assert.equal(reply.text, refusalText(code, message))
  assert.equal(reply.status, status)
}

export const assertEmpty = (reply: TestReply): void => {
  assert.equal(reply.text, '')
  assert.equal(reply.status, 200)
  assert.equal(reply.headers.get('content-length'), '0')
}

/** The samples of a component, latest first, as 'stream time=data'; times count from `fromMs`. */
export const linesOf = async (service: TestService, compId: string, fromMs = 0): Promise<readonly string[]> => {
  const reply = await service.get(`/api/comp/${encodeURIComponent(compId)}/feed?retStreamId`)
  assert.equal(reply.status, 200, reply.text)
  return (reply.json as { streamId: string; time: number; data: unknown }[]).map(
    ({ streamId, time, data }) => `${streamId} ${time - fromMs}=${JSON.stringify(data)}`,
  )
}

/** The streams of a component in definition order, as 'position id kind TYPE'. */
export const streamsOf = async (sql: Pool, compId: string): Promise<readonly string[]> => {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' ', position, stream.id, kind, value_type) as line
    from stream
    join component on component.key = stream.component_key
    where not component.is_template and component.id = ${compId}
    order by position`
  return rows.map(({ line }) => line)
}

/** A component's name, folder, time zone and the ID of its template; undefined when there is none. */
export const componentOf = async (sql: Pool, compId: string): Promise<Record<string, unknown> | undefined> => {
  const [row] = await sql`
    select component.name, folder.path as folder, component.time_zone as zone, template.id as template
    from component
    join folder on folder.key = component.folder_key
    left join component as template on template.key = component.template_key
    where not component.is_template and component.id = ${compId}`
  return row && { ...row }
}
