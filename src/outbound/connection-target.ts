// The target of a stored connection, with its password, for a thread.
import type { Config } from '../base/config.ts'
import type { Secrets } from '../base/secret.ts'
import type { Connection } from '../core/connection.ts'
import { decryptSecrets } from '../core/connection.ts'
import type { Target } from './target.ts'

export const targetOf = (config: Pick<Config, 'outboundAllow'>, secrets: Secrets, connection: Connection): Target => {
  const { password, ...secret } = decryptSecrets(secrets, connection)
  const more = Object.entries({ ...connection.settings, ...secret }).filter(([, value]) => value !== null)
  return {
    kind: connection.kind,
    host: connection.host,
    port: connection.port,
    database: connection.database,
    user: connection.user,
    password,
    tls: connection.tls === 'no-verify' ? connection.tls : connection.tls === 'true',
    more: Object.fromEntries(more),
    allow: config.outboundAllow.map(([base, bits]) => `${base.toString()}/${bits}`),
  }
}
