// The TLS of a target: verified by the well-known authorities or by its own, unless it says that it is not.
import type { ConnectionOptions } from 'node:tls'
import type { Target } from './target.ts'

export const tlsOptions = ({ tls, more }: Target): ConnectionOptions => ({
  rejectUnauthorized: tls !== 'no-verify',
  minVersion: 'TLSv1.2',
  ...(more.ca === undefined ? {} : { ca: more.ca }),
  ...(more.certificate === undefined ? {} : { cert: more.certificate }),
  ...(more.key === undefined ? {} : { key: more.key }),
})
