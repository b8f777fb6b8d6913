// Another server on the same database, which remembers other things of it.
import type { Service } from '../../src/service.ts'
import { openService } from '../../src/service.ts'
import { quietLog } from './database.ts'
import type { TestService } from './service.ts'
import { sharedWith, testMasterKey } from './service.ts'

export const openSecond = ({ service, databaseUrl }: TestService): Promise<Service> =>
  openService({
    // On a port of its own.
    config: { ...service.world.config, port: 0 },
    databaseUrl,
    masterKey: testMasterKey,
    clock: service.world.clock,
    log: quietLog,
    ...sharedWith(service.world.config),
  })
