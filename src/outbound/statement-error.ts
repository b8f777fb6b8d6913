// Errors of the External SQL itself, in our words: their place in its text, that it would write, or that another
// statement follows it. Servers report that in many ways, and some as a missing right.
import { wordTable } from '../base/own.ts'
import type { Kind } from './target.ts'

export type StatementThrown = {
  readonly code?: unknown
  readonly errno?: unknown
  readonly errorNum?: unknown
  /** PostgreSQL: the function of the server, in every language of its messages. */
  readonly routine?: unknown
  /** PostgreSQL: the number of the character, from 1. */
  readonly position?: unknown
  /** Oracle: the number of characters before it. */
  readonly offset?: unknown
  /** SQL Server. */
  readonly lineNumber?: unknown
}

export const onlyReads = 'External SQL may only read'
export const isNotOne = 'External SQL must be one statement, and another follows'

/** A whole sentence, or the beginning of one that ends in the server's words. */
export const statementSentence = (kind: Kind, error: StatementThrown, sql: string, said: string): string => {
  if (hasAnother(kind, error, sql)) return isNotOne
  const place = placeOf(kind, error, sql)
  return `External SQL${place === undefined ? '' : `, ${place}`}: ${said}`
}

/** Whether it was refused because nothing may be written, and not for want of a right. */
export const isRefusedToWrite = (kind: Kind, { code, errno, errorNum }: StatementThrown): boolean => {
  switch (kind) {
    case 'postgresql':
      return code === '25006'
    case 'mysql':
      return errno === 1792
    case 'oracle':
      return errorNum === 1456
    case 'sqlserver':
      return false
  }
}

const hasAnother = (kind: Kind, { code, errno, errorNum, routine }: StatementThrown, sql: string): boolean => {
  switch (kind) {
    case 'postgresql':
      return code === '42601' && routine === 'exec_parse_message'
    case 'mysql':
      return errno === 1064 && anotherFollows(sql)
    case 'oracle':
      return [900, 911, 933, 3405, 3407].includes(Number(errorNum)) && anotherFollows(sql)
    case 'sqlserver':
      return false
  }
}

const placeOf = (kind: Kind, { position, offset, lineNumber }: StatementThrown, sql: string): string | undefined => {
  switch (kind) {
    case 'postgresql':
      return Number(position) > 0 ? placeAt(Array.from(sql).slice(0, Number(position) - 1)) : undefined
    case 'oracle':
      // The driver is given the text without the blanks around it.
      return Number(offset) > 0 ? placeAt(Array.from(sql).slice(0, leadingBlanks(sql) + Number(offset))) : undefined
    case 'sqlserver':
      return Number(lineNumber) > 0 ? `line ${Number(lineNumber)}` : undefined
    // The message itself names the line.
    case 'mysql':
      return undefined
  }
}

const leadingBlanks = (sql: string): number => sql.length - sql.trimStart().length

/** The place behind the given characters. */
const placeAt = (before: readonly string[]): string => {
  const line = before.reduce((count, character) => (character === '\n' ? count + 1 : count), 1)
  return `line ${line}, column ${before.length - before.lastIndexOf('\n')}`
}

const quotes = wordTable({ "'": "'", '"': '"', '`': '`' })

/** Whether anything but blanks and comments stands behind a semicolon. Quoted text is passed over. */
const anotherFollows = (sql: string): boolean => {
  let isBehind = false
  let at = 0
  while (at < sql.length) {
    const end = commentEnd(sql, at)
    if (end !== undefined) {
      at = end
      continue
    }
    const character = sql[at]!
    if (character === ';') isBehind = true
    else if (isBehind && /\S/.test(character)) return true
    at = quotes.get(character) === undefined ? at + 1 : quotedEnd(sql, at)
  }
  return false
}

const commentEnd = (sql: string, at: number): number | undefined => {
  const isBlock = sql.startsWith('/*', at)
  if (!isBlock && !sql.startsWith('--', at)) return undefined
  const end = sql.indexOf(isBlock ? '*/' : '\n', at + 2)
  return end < 0 ? sql.length : end + (isBlock ? 2 : 1)
}

const quotedEnd = (sql: string, start: number): number => {
  const end = sql.indexOf(sql[start]!, start + 1)
  return end < 0 ? sql.length : end + 1
}
