// One sentence for an error of a driver, which names the error and its object. By the drivers' codes; a server's own
// words are quoted for errors of the statement or the rights, and for nothing that could hold a secret.
import { shorten } from '../base/errors.ts'
import { ExternalError, inOneLine } from './external-error.ts'
import type { Reason } from './external-error.ts'
import { isRefusedToWrite, onlyReads, statementSentence } from './statement-error.ts'
import type { StatementThrown } from './statement-error.ts'
import type { Target } from './target.ts'
import { connectTimeoutMs, kindNames, placeOf } from './target.ts'

type Thrown = StatementThrown & {
  readonly number?: unknown
  readonly message?: unknown
  readonly cause?: unknown
  readonly originalError?: unknown
  readonly errors?: unknown
}

/** The last is the statement that was asked for, if any. */
export const externalError = (target: Target, thrown: unknown, sql = ''): ExternalError => {
  const error = innermost(thrown)
  if (error instanceof ExternalError) return error
  const said = quoted(target, error)
  const by = (reason: Reason, message: string) => new ExternalError(reason, message, thrown)
  const network = networkSentence(target, error)
  if (network) return by(...network)
  if (isRefusedToWrite(target.kind, error)) return by('sql', `${onlyReads}: ${said}`)
  const reason = reasonOf(target, error)
  if (reason === 'sql') return by(reason, statementSentence(target.kind, error, sql, said))
  return by(
    reason,
    ownSentence(target, reason, said) ?? `${kindNames[target.kind]} at ${placeOf(target)} said: ${said}`,
  )
}

const ownSentence = (target: Target, reason: Reason, said: string): string | undefined => {
  const sentences: { readonly [Known in Reason]?: string } = {
    login: `${kindNames[target.kind]} refused the user '${shorten(target.user)}' or its password`,
    database: `the database '${shorten(target.database)}' is not there, or not open to this user`,
    rights: `the user '${shorten(target.user)}' may not do this: ${said}`,
    timeout: 'the statement took too long, and was ended',
    cancelled: 'the statement was cancelled',
    lost: `the connection to ${placeOf(target)} was lost`,
    refused: `there is no way to ${placeOf(target)}: ${said}`,
    tls: `TLS with ${placeOf(target)} failed: ${said}`,
  }
  return sentences[reason]
}

/** Drivers wrap errors, some of them twice; the error of the first of several attempts says most. */
const innermost = (thrown: unknown): Thrown => {
  let error = thrown as Thrown
  for (let depth = 0; depth < 5; depth += 1) {
    // Errors inside of this one have no code.
    if (error instanceof ExternalError || error?.code === 'EINSTLOOKUP') return error
    const inner = Array.isArray(error?.errors) ? (error.errors[0] as unknown) : (error?.cause ?? error?.originalError)
    if (!(inner instanceof Error)) return error ?? {}
    error = inner
  }
  return error
}

/** oracledb has codes of its own for errors of the system, whose word stands in the message. */
const codeOf = (error: Thrown): string => {
  const code = typeof error.code === 'string' ? error.code : ''
  if (code === 'NJS-510') return 'CONNECT_TIMEOUT'
  if (!['NJS-500', 'NJS-501', 'NJS-503'].includes(code) || typeof error.message !== 'string') return code
  return (
    /\b(?:ECONN\w+|E\w+UNREACH|ETIMEDOUT|EPIPE|ENOTFOUND|(?:ERR|CERT|UNABLE|SELF|DEPTH)_\w+)\b/.exec(
      error.message,
    )?.[0] ?? code
  )
}

const networkSentence = (target: Target, error: Thrown): readonly [Reason, string] | undefined => {
  const place = placeOf(target)
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
      return ['refused', `nobody listens at ${place}`]
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_FAIL':
    case 'EAI_NODATA':
    case 'EAI_NONAME':
      return ['name', `the name '${shorten(target.host)}' is unknown`]
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
    case 'EACCES':
    case 'EPERM':
      return ['refused', `there is no way to ${place}`]
    case 'ETIMEDOUT':
    case 'CONNECT_TIMEOUT':
    case 'ETIMEOUT':
    case 'ERR_SOCKET_CONNECTION_TIMEOUT':
      return ['timeout', `${place} did not answer within ${connectSeconds(target)} s`]
    case 'ECONNRESET':
    case 'EPIPE':
    case 'CONNECTION_CLOSED':
    case 'CONNECTION_ENDED':
    case 'CONNECTION_DESTROYED':
    case 'PROTOCOL_CONNECTION_LOST':
      return ['lost', `the connection to ${place} was lost`]
    case 'EINSTLOOKUP':
      return [
        'name',
        `${shorten(target.host)} knows no instance '${target.more.instance ?? ''}', or its browser (UDP 1434) does not answer`,
      ]
    case 'HANDSHAKE_NO_SSL_SUPPORT':
    case 'NO_TLS':
      return ['tls', `${place} does not speak TLS: set tls to false where that is wanted`]
  }
  return tlsSentence(target, error)
}

const connectSeconds = (target: Target) => Math.ceil(connectTimeoutMs(target) / 1000)

const tlsSentence = (target: Target, error: Thrown): readonly [Reason, string] | undefined => {
  const place = placeOf(target)
  const code = tlsCodeOf(error)
  switch (code) {
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return ['tls', `the certificate of ${place} is for another name than '${shorten(target.host)}'`]
    case 'CERT_HAS_EXPIRED':
      return ['tls', `the certificate of ${place} has expired`]
    case 'CERT_NOT_YET_VALID':
      return ['tls', `the certificate of ${place} is not valid yet`]
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'CERT_UNTRUSTED':
    case 'CERT_SIGNATURE_FAILURE':
      return ['tls', `the certificate of ${place} is signed by nobody known here: give its authority as ca`]
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return ['tls', `${place} does not speak TLS: set tls to false where that is wanted`]
  }
  if (/^ERR_(SSL|TLS|OSSL)/.test(code)) return ['tls', `TLS with ${place} failed (${code})`]
  return undefined
}

/** mysql2 puts its own code in the place of OpenSSL's, whose words stay. */
const tlsCodeOf = (error: Thrown): string => {
  const code = codeOf(error)
  if (code !== 'HANDSHAKE_SSL_ERROR' || typeof error.message !== 'string') return code
  if (/self-signed|unable to (verify|get)|untrusted/.test(error.message)) return 'CERT_UNTRUSTED'
  if (error.message.includes('has expired')) return 'CERT_HAS_EXPIRED'
  return /does not match certificate|is not in the cert/.test(error.message) ? 'ERR_TLS_CERT_ALTNAME_INVALID' : code
}

const reasonOf = (target: Target, error: Thrown): Reason => {
  switch (target.kind) {
    case 'postgresql':
      return postgresqlReason(codeOf(error))
    case 'mysql':
      return mysqlReason(Number(error.errno), codeOf(error))
    case 'sqlserver':
      return sqlserverReason(Number(error.number), codeOf(error))
    case 'oracle':
      return oracleReason(Number(error.errorNum), codeOf(error))
  }
}

const postgresqlReason = (code: string): Reason => {
  if (code.startsWith('28') || code === 'SASL_SIGNATURE_MISMATCH') return 'login'
  if (code === '3D000') return 'database'
  if (code === '42501') return 'rights'
  if (code === '57014') return 'timeout'
  if (code.startsWith('08') || code.startsWith('57P')) return 'lost'
  return /^(2[0-2]|26|42|0A|34|54|3F|P0)/.test(code) ? 'sql' : 'other'
}

const mysqlReason = (errno: number, code: string): Reason => {
  if (code === 'HANDSHAKE_SSL_ERROR') return 'tls'
  if ([1045, 1698, 1862, 2059].includes(errno)) return 'login'
  if ([1044, 1049].includes(errno)) return 'database'
  if ([1142, 1143, 1227, 1370].includes(errno)) return 'rights'
  if ([1969, 3024].includes(errno)) return 'timeout'
  if (errno === 1317) return 'cancelled'
  if ([1053, 1927, 2006, 2013, 4031].includes(errno)) return 'lost'
  return errno >= 1000 && errno < 5000 ? 'sql' : 'other'
}

const sqlserverReason = (number: number, code: string): Reason => {
  if (code === 'ETIMEOUT') return 'timeout'
  if (code === 'ECANCEL') return 'cancelled'
  if (code === 'EENCRYPT') return 'tls'
  if ([4060, 4064, 911].includes(number)) return 'database'
  if ([18456, 18452, 18470, 18486, 18487, 18488].includes(number) || code === 'ELOGIN') return 'login'
  if ([229, 230, 297, 300, 916].includes(number)) return 'rights'
  if (['ECONNCLOSED', 'ENOTOPEN', 'ESOCKET'].includes(code)) return 'lost'
  return Number.isFinite(number) || code === 'EREQUEST' ? 'sql' : 'other'
}

const oracleReason = (number: number, code: string): Reason => {
  if ([1017, 1005, 28000, 28001].includes(number)) return 'login'
  if ([12514, 12505, 12521].includes(number) || ['NJS-518', 'NJS-517'].includes(code)) return 'database'
  if ([1031, 942, 1045, 41900].includes(number)) return 'rights'
  if (number === 1013) return 'cancelled'
  if (number === 3136 || ['NJS-123', 'DPI-1067'].includes(code)) return 'timeout'
  if (['NJS-503', 'NJS-510', 'NJS-511'].includes(code)) return 'refused'
  if ([3113, 3114, 3135, 1012, 28, 12537, 12547, 12571].includes(number) || ['NJS-500', 'NJS-501'].includes(code))
    return 'lost'
  return Number.isFinite(number) ? 'sql' : 'other'
}

const quoted = (target: Target, { message }: Thrown): string =>
  (typeof message === 'string' && quotedText(target, message)) || 'no reason was given'

/** More of a text is not read: a message of 4 MB with the password over and over took 5 s, and all memory of its thread. */
const mostRead = 10_000

/** In one line, and without the password, should a server or a driver ever repeat it. */
export const quotedText = ({ password, more }: Target, text: string): string => {
  const secrets = [password, more.walletPassword ?? ''].filter((secret) => secret !== '')
  const hide = (shown: string) => secrets.reduce((line, secret) => line.replaceAll(secret, '***'), shown)
  const longest = Math.max(0, ...secrets.map(({ length }) => length))
  const read = text.slice(0, mostRead + longest)
  const hidden = hide(read)
  // One that the end has cut in two is not found.
  const whole = read === text ? hidden : hidden.slice(0, hidden.length - longest)
  return shorten(hide(inOneLine(whole)), 300)
}
