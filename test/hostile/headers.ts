// Headers of 60 KB, each for the place that reads it.
import { head, mostHead } from './fill.ts'
import type { Hostile } from './target.ts'

export const headers: readonly Hostile[] = [
  {
    title: 'a Range of blanks',
    send: (to) => to.get('/api/comp/C/stream/file/feed/file/a.txt', { Range: `bytes =${' '.repeat(mostHead)}x` }),
  },
  {
    title: 'a Range of ranges',
    send: (to) => to.get('/api/comp/C/stream/file/feed/file/a.txt', { Range: `bytes=${head('0-1,')}` }),
  },
  {
    title: 'an If-None-Match of commas',
    send: (to) => to.get('/api/comp/C/stream/file/feed/file/a.txt', { 'If-None-Match': head(' ,') }),
  },
  {
    title: 'an If-Modified-Since of digits',
    send: (to) => to.get('/api/comp/C/stream/file/feed/file/a.txt', { 'If-Modified-Since': head('1 ') }),
  },
  {
    title: 'an If-Range of words',
    send: (to) => to.get('/api/comp/C/stream/file/feed/file/a.txt', { Range: 'bytes=0-1', 'If-Range': head('Mon ') }),
  },
  {
    title: 'an Accept of types',
    send: (to) => to.ask('GET', `/api/gql?s=SELECT+1&session=${to.session}`, undefined, { Accept: head('a/b;q=0.1,') }),
  },
  {
    title: 'an Accept of parameters',
    send: (to) =>
      to.ask('GET', `/api/gql?s=SELECT+1&session=${to.session}`, undefined, { Accept: `a/b${head(';a="')}` }),
  },
  { title: 'cookies', send: (to) => to.get('/api/comp/C/feed', { Cookie: head('a=b; ') }) },
  {
    title: 'cookies without a value',
    send: (to) => to.ask('GET', '/api/comp/C/feed', undefined, { Cookie: head('; ') }),
  },
  {
    title: 'a Bearer of blanks',
    send: (to) => to.ask('GET', '/api/comp/C/feed', undefined, { Authorization: `Bearer ${' '.repeat(mostHead)}x y` }),
  },
  {
    title: 'a Basic of blanks',
    send: (to) =>
      to.ask('POST', `/api/conn_sink/${to.organization}/json`, 'x', {
        Authorization: `Basic ${'a'.repeat(mostHead / 2)}${' '.repeat(mostHead / 2)}!`,
      }),
  },
  {
    title: 'an X-Forwarded-For of commas',
    send: (to) => to.put('compId=C&long=1&time=5', undefined, { 'X-Forwarded-For': head('1,') }),
  },
  {
    title: 'a Content-Type of semicolons',
    send: (to) => to.sink('json', '{}', { 'Content-Type': `text/plain${head('; ')}` }),
  },
  {
    title: 'a Content-Type of charsets',
    send: (to) => to.sink('json', '{}', { 'Content-Type': `text/plain${head(';charset ')}` }),
  },
  {
    title: 'a form whose Content-Type has parameters',
    send: (to) =>
      to.ask('PUT', `/api/comp/C/stream/file/feed/file/b?${to.key}`, 'x', {
        'Content-Type': `multipart/form-data${head('; a="\\"b"')}`,
      }),
  },
  {
    title: 'a file whose Content-Type is long',
    send: (to) =>
      to.ask('PUT', `/api/comp/C/stream/file/feed/file/b?${to.key}`, 'x', {
        'Content-Type': `a/b${' '.repeat(mostHead)};`,
      }),
  },
  {
    title: 'a Content-Disposition of words',
    send: (to) => to.get('/api/comp/C/stream/file/feed/file/a.txt', { 'Content-Disposition': head('inline ') }),
  },
  { title: 'a Content-Encoding of encodings', send: (to) => to.put('', '[]', { 'Content-Encoding': head('gzip,') }) },
]
