// Imports of history and catalogues, exports, and listeners: lines, quotes and names over and over.
import { gzipSync } from 'node:zlib'
import { head, long, megabyte } from './fill.ts'
import type { Hostile, Target } from './target.ts'

const into =
  (query: string, body: () => string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
  (to: Target) =>
    to.ask('POST', `/api/import?${to.key}&${query}`, body() as string, headers)
const columns = 'compId,streamId,time,data\n'
const gzip = { 'Content-Encoding': 'gzip' }

export const transfers: readonly Hostile[] = [
  { title: 'CSV whose quote is never closed', send: into('format=csv', () => `${columns}C,"${long('x')}`) },
  { title: 'CSV of one line', send: into('format=csv', () => `${columns}${long('x')}`) },
  { title: 'CSV of line ends', send: into('format=csv', () => `${columns}${long('\n')}`) },
  { title: 'CSV of lines of a letter', send: into('format=csv', () => `${columns}${long('x\n', 4 * megabyte)}`) },
  { title: 'CSV of commas', send: into('format=csv', () => `${columns}${long(`${','.repeat(1000)}\n`)}`) },
  { title: 'CSV of pairs of quotes', send: into('format=csv', () => `${columns}${long('""')}`) },
  { title: 'CSV of lines of quotes', send: into('format=csv', () => `${columns}${long('"\n"\n', 4 * megabyte)}`) },
  { title: 'CSV of bytes that are no UTF-8', send: into('format=csv', () => Buffer.alloc(15 * megabyte, 0xff)) },
  {
    title: 'CSV of times of digits',
    send: into('format=csv', () => `${columns}${long(`C,long,${'1'.repeat(1000)},1\n`)}`),
  },
  { title: 'a header of columns', send: into('format=csv', () => `${long('a,', megabyte - 100)}\n`) },
  {
    title: 'a bomb of 60 MB of history',
    send: into(
      'format=csv',
      () => gzipSync(Buffer.concat([Buffer.from(columns), Buffer.alloc(60 * megabyte, '\n')])),
      gzip,
    ),
  },
  {
    title: 'a bomb of 60 MB of rows',
    send: into('format=ndjson', () => gzipSync(Buffer.alloc(60 * megabyte, '{}\n')), gzip),
  },
  { title: 'NDJSON of empty objects', send: into('format=ndjson', () => long('{}\n', 4 * megabyte)) },
  { title: 'NDJSON of nesting', send: into('format=ndjson', () => `{"data":${'['.repeat(1_000_000)}\n`) },
  {
    title: 'NDJSON of members',
    send: into('format=ndjson', () => `{${Array.from({ length: 80_000 }, (_, n) => `"k${n}":1`).join()}}\n`),
  },
  { title: 'a catalogue of empty objects', send: (to) => catalogue(to, long('{}\n', megabyte)) },
  { title: 'a catalogue of nesting', send: (to) => catalogue(to, `{"unit":${'['.repeat(4_000_000)}\n`) },
  {
    title: 'an export of different names',
    send: (to) => to.get(`/api/export?${Array.from({ length: 1000 }, (_, n) => `compId=C&streamId=s${n}`).join('&')}`),
  },
  { title: 'an export whose Accept has types', send: (to) => to.get('/api/export', { Accept: head('a/b;q=0.1,') }) },
  { title: 'an export of a folder of slashes', send: (to) => to.get(`/api/export?folder=${head('/a')}`) },
  {
    title: 'a listener of a last event of numbers',
    send: (to) => to.get('/api/live?compId=C&seconds=0', { 'Last-Event-ID': `1:99:${head('1,')}` }),
  },
  {
    title: 'a listener of names',
    send: (to) =>
      to.get(`/api/live?seconds=0&compId=C&${Array.from({ length: 4000 }, (_, n) => `streamId=s${n}`).join('&')}`),
  },
  { title: 'a listener of folders', send: (to) => to.get(`/api/live?seconds=0&${head('folder=/a&')}`) },
]

const catalogue = (to: Target, body: string) => to.ask('POST', `/api/import?what=catalogue&session=${to.session}`, body)
