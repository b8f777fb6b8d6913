// Bodies pushed to sinks: CSV, JSON, charsets, and texts that functions take for patterns, paths and zones.
import { long, megabyte } from './fill.ts'
import type { Hostile } from './target.ts'

export const texts: readonly Hostile[] = [
  { title: 'CSV of quotes', send: (to) => to.sink('csv', long('"')) },
  { title: 'CSV of pairs of quotes and no end', send: (to) => to.sink('lines', `"${long('""')}`) },
  { title: 'CSV of delimiters', send: (to) => to.sink('csv', long(',')) },
  { title: 'CSV of blank lines', send: (to) => to.sink('csv', long(' \n')) },
  { title: 'CSV of one line of blanks', send: (to) => to.sink('csv', `${long(' ')}"`) },
  { title: 'CSV of strange delimiters', send: (to) => to.sink('lines', long("''x")) },
  { title: 'fields of quotes', send: (to) => to.sink('fields', long('"a",', megabyte)) },
  { title: 'JSON of [', send: (to) => to.sink('json', long('[')) },
  {
    title: 'JSON of nesting that is allowed',
    send: (to) => to.sink('below', `${'{"a":'.repeat(400)}[${long('[],', megabyte)}1]${'}'.repeat(400)}`),
  },
  { title: 'JSON of empty arrays', send: (to) => to.sink('below', `[${long('[],', 5 * megabyte)}1]`) },
  { title: 'JSON of long whole numbers', send: (to) => to.sink('below', `[${long('9007199254740993,')}1]`) },
  {
    title: 'JSON of members',
    send: (to) => to.sink('below', `{${Array.from({ length: 700_000 }, (_, n) => `"k${n}":1`).join()}}`),
  },
  { title: 'JSON of empty arrays that does not end', send: (to) => to.sink('below', `[${long('[],', 5 * megabyte)}`) },
  {
    title: 'JSON of rows for Postgres',
    send: (to) => to.sink('worked', `{"list":[${long('{"a":"x\\\\"},', 4 * megabyte)}{}]}`),
  },
  { title: 'JSON of rows', send: (to) => to.sink('rows', `{"list":[${long('{"a":"x","b":1},', 4 * megabyte)}{}]}`) },
  { title: 'JSON of backslashes', send: (to) => to.sink('json', `{"a":"${long('\\\\')}`) },
  { title: 'JSON of blanks', send: (to) => to.sink('json', `{${long(' ')}`) },
  { title: 'JSON of blanks and a long number', send: (to) => to.sink('json', `[1234567890123456789,${long(' ')}`) },
  { title: 'JSON of a word of 15 MB as BOOLEAN', send: (to) => to.sink('json', `{"c":"${long(' ')}"}`) },
  {
    title: 'Chinese by its charset',
    send: (to) =>
      to.sink('json', Buffer.alloc(15 * megabyte, '95328236', 'hex'), {
        'Content-Type': 'text/plain; charset=gb18030',
      }),
  },
  {
    title: 'euro signs by their charset',
    send: (to) =>
      to.sink('json', Buffer.alloc(15 * megabyte, 0x80), { 'Content-Type': 'text/plain; charset=windows-1252' }),
  },
  { title: 'a date pattern of quotes', send: (to) => to.sink('pattern', long("'")) },
  { title: 'a date pattern of letters', send: (to) => to.sink('pattern', long('y')) },
  { title: 'a date pattern of brackets', send: (to) => to.sink('pattern', long('[')) },
  { title: 'a JSON path of dots', send: (to) => to.sink('path', `$${long('.a')}`) },
  { title: 'a JSON path of a filter', send: (to) => to.sink('path', `$[?(${long('(')}`) },
  { title: 'a replacement of signs', send: (to) => to.sink('replace', long('$1')) },
  { title: 'a text for a regular expression', send: (to) => to.sink('expression', long('a', megabyte)) },
  { title: 'a zone of letters', send: (to) => to.sink('zone', long('A')) },
  { title: 'a text to be looked for', send: (to) => to.sink('search', long('a')) },
]
