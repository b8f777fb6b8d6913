// Finds out whether a text of Transact-SQL is one SELECT. The other kinds prepare one statement and refuse more; SQL
// Server prepares whole batches, in which statements need nothing between them, and has no read-only transaction. But
// statements begin with words that are reserved, which cannot be names unless they are quoted, or need a semicolon
// before them. This reader must read as the server does: where that is not certain the text is refused.
import { wordTable } from '../base/own.ts'
import { shorten } from '../base/errors.ts'
import { ExternalError } from './external-error.ts'

const forbidden = new Set(
  `alter backup begin break bulk checkpoint close commit continue create dbcc deallocate declare delete deny drop exec
  execute goto grant if insert into kill load merge open print raiserror readtext reconfigure restore return revert revoke
  rollback save set setuser shutdown tran transaction truncate update updatetext use waitfor while writetext`.split(
    /\s+/,
  ),
)
/** Hints, which are no statements. */
const harmless = wordTable<readonly string[]>({ merge: ['join', 'union'], use: ['hint', 'plan'] })

export const demandOneSelect = (sql: string): void => {
  const words = wordsOf(sql)
  if (words.at(-1) === ';') words.pop()
  if (words[0] !== 'select' && words[0] !== 'with')
    throw wrong('must be one statement that gives rows: SELECT, or WITH and SELECT')
  for (const [index, word] of words.entries()) {
    if (word === ';') throw wrong('must be one statement, and another follows')
    if (forbidden.has(word) && !harmless.get(word)?.includes(words[index + 1] ?? ''))
      throw wrong(`must be one SELECT, and has ${word.toUpperCase()}`)
  }
}

const wrong = (what: string) => new ExternalError('sql', `External SQL ${what}`)

/** Ends of lines and blanks about which two readers may differ. */
const uncertain = /\r(?!\n)|[\0\u000b\u000c\u001a\u0085\u2028\u2029\ufeff]/

/** A token that is neither a comment nor quoted: a number, a word, anything else. */
const token = /\d[\w.]*|[@#\p{L}_][\p{L}\p{N}_@#$]*|\S/uy
/** The ends of literals and of quoted names. */
const quotes = wordTable({ "'": "'", '"': '"', '[': ']' })
const number = /^(?:0x[\da-f]*|\d+(?:\.\d*)?(?:e\d*)?)$/i

/** The words in lower case; literals, quoted names and comments are left out. */
const wordsOf = (sql: string): string[] => {
  if (uncertain.test(sql)) throw wrong('has a character that ends a line for some readers only')
  const words: string[] = []
  let at = 0
  while (at < sql.length) {
    if (/\s/.test(sql[at]!)) {
      at += 1
      continue
    }
    const pair = sql.slice(at, at + 2)
    if (pair === '--') {
      const end = sql.indexOf('\n', at)
      at = end < 0 ? sql.length : end
      continue
    }
    if (pair === '/*') {
      at = commentEnd(sql, at)
      continue
    }
    const quote = quotes.get(sql[at]!)
    if (quote !== undefined) {
      at = quotedEnd(sql, at, quote)
      continue
    }
    token.lastIndex = at
    const [found] = token.exec(sql)!
    if (/^\d/.test(found) && !number.test(found)) throw wrong(`has a number that runs into a word: '${shorten(found)}'`)
    if (!/^\d/.test(found)) words.push(found.toLowerCase())
    at += found.length
  }
  return words
}

/** A quote that stands twice is one of the text. */
const quotedEnd = (sql: string, start: number, quote: string): number => {
  for (let at = sql.indexOf(quote, start + 1); at >= 0; at = sql.indexOf(quote, at + 2))
    if (sql[at + 1] !== quote) return at + 1
  throw wrong('has a quote that does not end')
}

/** Comments nest. */
const commentEnd = (sql: string, start: number): number => {
  let depth = 0
  const edge = /\/\*|\*\//g
  edge.lastIndex = start
  for (let found = edge.exec(sql); found; found = edge.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1
    if (depth === 0) return edge.lastIndex
  }
  throw wrong('has a comment that does not end')
}
