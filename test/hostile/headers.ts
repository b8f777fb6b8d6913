// Headers of 60 KB, each for the place that reads it.
import { head, mostHead } from './fill.ts'
import type { Hostile, Target } from './target.ts'

/** Wherever a reply depends on them; a type that is served comes first, for nothing else is looked at in some places. */
const negotiating: Readonly<Record<string, (to: Target) => string>> = {
  'a script': ({ session }) => `/api/gql?s=SELECT+1&session=${session}`,
  'a reading': ({ key }) => `/api/comp/C/feed?${key}`,
  'a list': ({ session }) => `/api/component?session=${session}`,
  'an export': ({ key }) => `/api/export?${key}`,
  'the studio': () => '/',
}
const acceptTexts: readonly [title: string, text: string][] = [
  ['types', `text/csv,${head('a/b;q=0.1,')}`],
  ['parameters', `text/csv${head(';a="b"')}`],
  ['commas behind an open quote', `text/csv;a="${head(',')}`],
  ['semicolons behind an open quote', `text/csv;a="${head(';')}`],
  ['pairs of quotes behind an open quote', `text/csv;a="${head('"",')}`],
]
const accepted: readonly Hostile[] = Object.entries(negotiating).flatMap(([place, path]) =>
  acceptTexts.flatMap(([title, text]) =>
    ['Accept', 'Accept-Encoding', 'Accept-Language'].map((name) => ({
      title: `an ${name} of ${title}, for ${place}`,
      send: (to) => to.ask('GET', path(to), undefined, { [name]: text }),
    })),
  ),
)

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
  ...accepted,
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
