// One JSON line per event, by pino. Secrets must never reach a log: addresses are cleaned by
// cleanUrl before they are logged, and the members named below are removed wherever they stand.
import { pino } from 'pino'
import type { Logger } from 'pino'

export type Log = Logger

const secretNames = [
  'api_key',
  'session',
  'access_token',
  'refresh_token',
  'client_secret',
  'code',
  'password',
  'secret',
  'authorization',
  'cookie',
]

export const openLog = (level: string, destination?: { write: (line: string) => void }): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: [...secretNames, ...secretNames.map((name) => `*.${name}`)], remove: true },
    },
    destination ?? pino.destination({ dest: 1, sync: false }),
  )

/** Also in names that nobody knows: one who writes apikey, or gives on the sessionUid of a reply, writes the secret behind it. */
const secretWord = /key|session|token|secret|password|code|verifier|authorization|cookie/i

/** The path and query of a request with the values of secret parameters cut out, any spelling. */
export const cleanUrl = (url: string) => {
  const mark = url.indexOf('?')
  const path = (mark < 0 ? url : url.slice(0, mark)).split('/').map(cleanPart).join('/')
  return mark < 0
    ? path
    : `${path}?${url
        .slice(mark + 1)
        .split(/([?&;])/)
        .map(cleanPair)
        .join('')}`
}

/** A client that forgets or escapes the question mark has parameters in the path. */
const cleanPart = (part: string): string => (/[=&]|%3d/i.test(part) ? '…' : part)

const cleanPair = (pair: string): string => {
  const mark = pair.indexOf('=')
  if (mark < 0) return /%3d/i.test(pair) ? '…' : pair
  const name = pair.slice(0, mark)
  // A percent-escape inside a name may hide a secret's.
  return name.includes('%') || secretWord.test(name) ? `${name}=…` : pair
}
