// The audit log: one entry per change, written in the change's own transaction (decisions 11).
import type { Sql } from '../base/sql.ts'
import type { Caller } from './caller.ts'

export type AuditEntry = {
  readonly atMs: number
  readonly actor: string
  /** The entity and what happened to it, such as 'component.create' or 'api_key.reveal'. */
  readonly action: string
  readonly subject: string
  readonly detail: Readonly<Record<string, unknown>>
}

export const writeAudit = async (
  sql: Sql,
  caller: Pick<Caller, 'organizationKey' | 'actor'>,
  action: string,
  subject: string,
  detail: Readonly<Record<string, string | number | boolean | null>> = {},
): Promise<void> => {
  await sql`
    insert into audit (organization_key, actor, action, subject, detail)
    values (${caller.organizationKey}, ${caller.actor}, ${action}, ${subject}, ${sql.json(detail)})`
}

/** The same for many subjects of one action. */
export const writeAuditOfMany = async (
  sql: Sql,
  caller: Pick<Caller, 'organizationKey' | 'actor'>,
  action: string,
  subjects: readonly string[],
  details: readonly Readonly<Record<string, number>>[] = subjects.map(() => ({})),
): Promise<void> => {
  if (subjects.length === 0) return
  await sql`
    insert into audit (organization_key, actor, action, subject, detail)
    select ${caller.organizationKey}, ${caller.actor}, ${action}, subject, detail::jsonb
    from unnest(${[...subjects]}::text[], ${details.map((detail) => JSON.stringify(detail))}::text[])
      as entry (subject, detail)`
}

export const listAudit = async (
  sql: Sql,
  organizationKey: number,
  page: { readonly start: number; readonly limit: number; readonly text: string },
): Promise<{ readonly entries: readonly AuditEntry[]; readonly totalCount: number }> => {
  const match =
    page.text === ''
      ? sql``
      : sql`and (action ilike ${like(page.text)} or actor ilike ${like(page.text)} or subject ilike ${like(page.text)})`
  const entries = await sql<AuditEntry[]>`
    select at as "atMs", actor, action, subject, detail
    from audit
    where organization_key = ${organizationKey} ${match}
    order by key desc
    offset ${page.start} limit ${page.limit}`
  const [count] = await sql<[{ n: number }]>`
    select count(*)::integer as n from audit where organization_key = ${organizationKey} ${match}`
  return { entries, totalCount: count.n }
}

/** A LIKE pattern that finds the text anywhere, with its own wildcards taken literally. */
export const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
