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

const secretParameter = new RegExp(`(^|[?&])(${secretNames.join('|')})=[^&]*`, 'gi')

/** The path and query of a request with the values of secret parameters cut out, any spelling. */
export const cleanUrl = (url: string) => {
  const mark = url.indexOf('?')
  if (mark < 0) return url
  // A percent-escape inside a parameter's name would hide it from the pattern; such a query is not logged at all.
  if (/(^|[?&])[^=&]*%[^=&]*=/.test(url.slice(mark))) return `${url.slice(0, mark)}?…`
  return url.replace(secretParameter, '$1$2=…')
}
