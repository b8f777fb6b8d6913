// Finds out whether a text of MySQL or MariaDB begins as a statement that reads. A session that only reads lets some
// others through that give rows: ANALYZE TABLE and its kind take locks and change statistics, and compound statements
// hold anything.
import { shorten } from '../base/errors.ts'
import { ExternalError } from './external-error.ts'

const words = new Set(['select', 'with', 'values', 'table', 'show', 'explain', 'describe', 'desc'])

export const demandReadingWord = (sql: string): void => {
  const start = firstWordAt(sql)
  const word = /^\w*/.exec(sql.slice(start, start + 100))![0]
  if (words.has(word.toLowerCase())) return
  const found = word === '' ? sql.slice(start, start + 20) : word
  throw new ExternalError(
    'sql',
    `External SQL must begin with SELECT, WITH, VALUES, TABLE, SHOW, EXPLAIN or DESCRIBE, not with '${shorten(found)}'`,
  )
}

/** The place of the first word, behind blanks, brackets and comments, but those that are run as code. */
const firstWordAt = (sql: string): number => {
  let at = 0
  for (;;) {
    const isBlock = sql.startsWith('/*', at) && !/^M?!/.test(sql.slice(at + 2, at + 4))
    const isLine = sql.startsWith('--', at) || sql[at] === '#'
    if (isBlock || isLine) {
      const end = sql.indexOf(isBlock ? '*/' : '\n', at + 1 + Number(isBlock))
      at = end < 0 ? sql.length : end + 1 + Number(isBlock)
    } else if (at < sql.length && /[\s(]/.test(sql[at]!)) at += 1
    else return at
  }
}
