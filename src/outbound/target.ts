// The address of an external database and its credentials, whole: a thread of outbound/ is given nothing else.
export const kinds = ['postgresql', 'mysql', 'sqlserver', 'oracle'] as const

export type Kind = (typeof kinds)[number]

export type Tls = boolean | 'no-verify'

export type Target = {
  readonly kind: Kind
  readonly host: string
  /** Null: the default of its kind. */
  readonly port: number | null
  /** Oracle: the service name, or the SID when `more.sid` says so. */
  readonly database: string
  readonly user: string
  readonly password: string
  readonly tls: Tls
  readonly more: TargetMore
  /** OUTBOUND_ALLOW: ranges of otherwise forbidden addresses, such as 10.0.0.0/8. */
  readonly allow: readonly string[]
}

/** Settings that some users need and most leave out. Certificates and keys are PEM. */
export type TargetMore = {
  /** Authorities by which the server's certificate is verified, in place of the well-known ones. */
  readonly ca?: string | undefined
  readonly certificate?: string | undefined
  readonly key?: string | undefined
  readonly connectTimeoutMs?: number | undefined
  /** PostgreSQL. */
  readonly searchPath?: string | undefined
  /** MySQL: the time_zone of its sessions, such as +02:00 or Europe/Berlin. */
  readonly sessionTimeZone?: string | undefined
  /** SQL Server: its named instance, whose port is asked for. */
  readonly instance?: string | undefined
  /** Oracle: the database is a SID, not a service name. */
  readonly sid?: boolean | undefined
  /** Oracle: the text of ewallet.pem, and its password. */
  readonly wallet?: string | undefined
  readonly walletPassword?: string | undefined
}

export const defaultPorts: Readonly<Record<Kind, number>> = {
  postgresql: 5432,
  mysql: 3306,
  sqlserver: 1433,
  oracle: 1521,
}

export const kindNames: Readonly<Record<Kind, string>> = {
  postgresql: 'PostgreSQL',
  mysql: 'MySQL',
  sqlserver: 'SQL Server',
  oracle: 'Oracle',
}

const defaultConnectTimeoutMs = 10_000

export const connectTimeoutMs = ({ more }: Pick<Target, 'more'>): number =>
  more.connectTimeoutMs ?? defaultConnectTimeoutMs

export const portOf = ({ kind, port }: Pick<Target, 'kind' | 'port'>): number => port ?? defaultPorts[kind]

/** The place as sentences name it: host and port. */
export const placeOf = (target: Pick<Target, 'host' | 'kind' | 'port'>): string =>
  `${target.host.includes(':') ? `[${target.host}]` : target.host}:${portOf(target)}`
