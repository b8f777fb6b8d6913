// Everything that a database keeps, as one text: for tests that look for something that must not be there.
import type { Pool } from '../../src/base/database/sql.ts'

/** All rows of all tables. */
export const dumpOf = async (sql: Pool): Promise<string> => {
  const tables = await sql<{ name: string }[]>`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables where schemaname = 'public'`
  const texts = []
  for (const { name } of tables) {
    const rows = await sql.unsafe<{ text: string }[]>(`select t::text as text from ${name} t`)
    texts.push(...rows.map(({ text }) => text))
  }
  return texts.join('\n')
}
