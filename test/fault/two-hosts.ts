// A primary with a standby, and the service on both (docs/scale.md#several-hosts).
import { join } from 'node:path'
import { readConfig } from '../../src/base/config.ts'
import { openSecrets } from '../../src/base/secret.ts'
import { bootstrap } from '../../src/core/bootstrap.ts'
import type { Service } from '../../src/service.ts'
import { openService } from '../../src/service.ts'
import { quietLog } from '../support/database.ts'
import { newDirectory } from '../support/directory.ts'
import type { OwnDatabase } from '../support/own-database.ts'
import { openOwnDatabase } from '../support/own-database.ts'
import { hashCheaply, sharedWith, testMasterKey } from '../support/service.ts'

export type TwoHosts = {
  readonly first: OwnDatabase
  readonly standby: OwnDatabase
  /** The address of both. */
  readonly url: string
  readonly service: Service
  /** Opens another server on the same databases. */
  readonly openAnother: () => Promise<Service>
}

export const ownerPassword = 'password of the owner'

const hostOf = (database: OwnDatabase) => new URL(database.url).host

export const openTwoHosts = async (
  name: string,
  apiKey: string,
  readings: 'at the standby' | 'at the primary',
): Promise<TwoHosts> => {
  const directory = await newDirectory(name)
  const first = await openOwnDatabase(join(directory, 'first'))
  await first.start()
  const standby = await first.addStandby(join(directory, 'standby'))
  // The primary need not be the first in the list.
  const url = first.url.replace(hostOf(first), `${hostOf(standby)},${hostOf(first)}`)
  const config = readConfig({
    PORT: '0',
    RATE_LIMITS: 'off',
    ORG_TIME_ZONE: 'UTC',
    FEED_API_KEY: apiKey,
    OWNER_PASSWORD: ownerPassword,
    DATABASE_URL: url,
    ...(readings === 'at the standby' ? { DATABASE_READ_URL: url } : {}),
  })
  const clock = { now: () => Date.now() }
  const common = { masterKey: testMasterKey, clock, log: quietLog, ...sharedWith(config) }
  const open = () => openService({ config, databaseUrl: url, ...common })
  const service = await open()
  await bootstrap(service.world, openSecrets(testMasterKey), hashCheaply)
  return { first, standby, url, service, openAnother: open }
}
