// Bodies that are long, deep or packed, for uploads, the management API, sign-ins and forms.
import { gzipSync } from 'node:zlib'
import { long, megabyte } from './fill.ts'
import { jsonType } from './target.ts'
import type { Hostile, Target } from './target.ts'

const form = (heading: string, contents: string) => (to: Target) =>
  to.ask('PUT', `/api/comp/C/stream/file/feed/file/b?${to.key}`, `--b\r\n${heading}\r\n\r\n${contents}\r\n--b--`, {
    'Content-Type': 'multipart/form-data; boundary=b',
  })

export const bodies: readonly Hostile[] = [
  { title: '15 MB of [', send: (to) => to.put('', long('[')) },
  { title: '15 MB of quotes', send: (to) => to.put('', long('"')) },
  { title: '15 MB of backslashes in a text', send: (to) => to.put('', `["${long('\\')}`) },
  { title: '15 MB of blanks', send: (to) => to.put('', long(' ')) },
  { title: '15 MB of empty objects', send: (to) => to.put('', `[${long('{},')}{}]`) },
  {
    title: 'a bomb of 60 MB',
    send: (to) => to.put('', gzipSync(Buffer.alloc(60 * megabyte, ' ')), { 'Content-Encoding': 'gzip' }),
  },
  {
    title: 'a bomb of 60 MB for a sink',
    send: (to) => to.sink('json', gzipSync(Buffer.alloc(60 * megabyte, ' ')), { 'Content-Encoding': 'gzip' }),
  },
  ...Object.entries({
    names: () => `[${Array.from({ length: 480_000 }, (_, n) => `{"${'k'.repeat(64)}${n}":1},`).join('')}1]`,
    escapes: () => `[9007199254740993,${long(`"${'\\u00e9'.repeat(60)}",`, 60 * megabyte)}1]`,
    'escaped quotes': () => `["${long('\\"', 60 * megabyte)}"]`,
    'one text beside a long number': () => `["${long('\\n', 60 * megabyte)},9007199254740993",9007199254740993]`,
    blanks: () => `[9007199254740993,${long(' ', 60 * megabyte)}1]`,
    digits: () => `[${long('9', 60 * megabyte)}]`,
    'one text': () => `["${long('x', 60 * megabyte)}"]`,
    'one text of a sample': () => `[{"compId":"C","streamId":"note","data":"${long('\u00e9', 60 * megabyte)}"}]`,
    'one ID': () => `[{"compId":"${long('x', 60 * megabyte)}","streamId":"double","data":1}]`,
    'one number of a sample': () => `[{"compId":"C","streamId":"double","data":0.${long('9', 60 * megabyte)}}]`,
    fractions: () => `[9007199254740993,${long(`0.${'1'.repeat(100)},`, 60 * megabyte)}1]`,
  }).map(([what, text]) => ({
    title: `a bomb of 60 MB of JSON: ${what}`,
    send: (to: Target) => to.put('', gzipSync(text(), { level: 1 }), { 'Content-Encoding': 'gzip' }),
  })),
  ...Object.entries({
    IDs: (name: string) => `{"compId":"${name}","streamId":"s","data":1}`,
    names: (name: string) => `{"${name}":1}`,
  }).map(([what, element]) => ({
    title: `10 MB of different ${what} of 16 KB, which V8 knows by their length alone`,
    send: (to: Target) =>
      to.put(
        '',
        `[${Array.from({ length: 600 }, (_, n) => element('x'.repeat(16_400) + String(n).padStart(3, '0'))).join()}]`,
      ),
  })),
  ...(['PUT', 'POST'] as const).map((method) => ({
    title: `4 MB of objects with twenty names each, all different, by ${method}`,
    send: (to: Target) => {
      const names = (n: number) => Array.from({ length: 20 }, (_, at) => `"k${(20 * n + at).toString(36)}":1`).join()
      const text = `[${Array.from({ length: 20_000 }, (_, n) => `{${names(n)}}`).join()}]`
      return method === 'PUT'
        ? to.put('', text)
        : to.ask('POST', `/api/component?session=${to.session}`, text, jsonType)
    },
  })),
  {
    title: 'a component of 9,000 other names and 200,000 streams',
    send: (to) => {
      const names = Array.from({ length: 9000 }, (_, n) => `"k${n}":1`).join()
      const streams = `${'{"streamId":"s","data":[]},'.repeat(199_999)}{"streamId":"s","data":[]}`
      return to.put('', `{"feed":{"component":[{"componentId":"C",${names},"stream":[${streams}]}]}}`)
    },
  },
  {
    title: 'names that are numbers, beside integers beyond 2^53',
    send: (to) => to.put('', `[${`9007199254740993,${'{"1020":1},'.repeat(4000)}`.repeat(80)}1]`),
  },
  {
    title: 'nesting for the management API',
    send: (to) =>
      to.ask(
        'POST',
        `/api/component?session=${to.session}`,
        `{"id":${'['.repeat(400_000)}${']'.repeat(400_000)}}`,
        jsonType,
      ),
  },
  {
    title: 'a form of & for the management API',
    send: (to) =>
      to.ask('POST', `/api/gql?session=${to.session}`, '&a'.repeat(400_000), {
        'Content-Type': 'application/x-www-form-urlencoded',
      }),
  },
  {
    title: 'a form of brackets for the management API',
    send: (to) =>
      to.ask('POST', `/api/gql?session=${to.session}`, `s${'[a]'.repeat(300_000)}=1`, {
        'Content-Type': 'application/x-www-form-urlencoded',
      }),
  },
  { title: 'a name of blanks', send: (to) => to.own('POST', '/api/component', { id: 'x', name: ' '.repeat(900_000) }) },
  { title: 'an e-mail of @', send: (to) => to.own('POST', '/api/user', { email: '@'.repeat(900_000), role: 'guest' }) },
  {
    title: 'a domain of hyphens',
    send: (to) => to.own('PUT', `/api/organization/${to.organization}`, { brand: { domain: 'a-'.repeat(400_000) } }),
  },
  {
    title: 'a number format of #',
    send: (to) => to.own('POST', '/api/unit', { id: 'u', numberFormat: '#,'.repeat(400_000) }),
  },
  {
    title: 'a reference of digits',
    send: (to) => to.own('POST', '/api/cycle', { id: 'c', size: 1, unit: 'day', reference: '1'.repeat(900_000) }),
  },
  {
    title: 'a resource of slashes',
    send: (to) =>
      to.own('POST', '/api/api_key', { name: 'k', capabilities: [{ resource: '/'.repeat(900_000), methods: [] }] }),
  },
  {
    title: 'a thousand rows of capabilities',
    send: (to) =>
      to.own('POST', '/api/api_key', {
        name: 'k',
        capabilities: Array.from({ length: 1000 }, (_, n) => ({ resource: `component/${n}/feed`, methods: ['GET'] })),
      }),
  },
  {
    title: 'a redirect of letters',
    send: (to) => to.own('POST', '/api/oauth_client', { name: 'o', redirectUris: [`https://${'a'.repeat(900_000)}`] }),
  },
  {
    title: 'a sign-in of @',
    send: (to) => to.ask('POST', '/api/login', JSON.stringify({ email: '@'.repeat(60_000), password: 'x' }), jsonType),
  },
  { title: 'a token request of &', send: (to) => to.ask('POST', '/api/oauth_access_token', '&a'.repeat(30_000)) },
  {
    title: 'a token request of different fields',
    send: (to) => to.ask('POST', '/api/oauth_access_token', Array.from({ length: 6000 }, (_, n) => `f${n}=`).join('&')),
  },
  {
    title: 'a heading of semicolons in a form',
    send: form(`Content-Disposition: form-data${'; '.repeat(8000)}`, 'x'),
  },
  {
    title: 'a heading of quotes in a form',
    send: form(`Content-Disposition: form-data; name="${'\\"'.repeat(7000)}`, 'x'),
  },
  { title: 'almost boundaries in a form', send: form('Content-Disposition: form-data; name="file"', long('\r\n--')) },
  {
    title: 'blanks behind boundaries in a form',
    send: form('Content-Disposition: form-data; name="file"', long(`\r\n--b${' '.repeat(99)}x`)),
  },
]
