// The management API's calls, entity by entity (docs/management.md).
import type { Access } from '../access/guard.ts'
import { baseUrlOf } from '../base/http/address.ts'
import type { Route } from '../base/http/call.ts'
import type { Limiter } from '../base/http/limit.ts'
import type { ReadingWorld } from '../base/http/reading.ts'
import type { Secrets } from '../base/secret.ts'
import type { Holders } from '../base/shares.ts'
import type { Deriver } from '../core/derive/deriver.ts'
import { apiKeyRoutes } from './api-key.ts'
import { auditRoutes } from './audit.ts'
import { componentEntity } from './component.ts'
import { bulkRoutes } from './component-bulk.ts'
import { connectionSessionRoutes } from './connection-session.ts'
import { connectionEntity } from './connection.ts'
import { connectorEntity } from './connector.ts'
import { cycleEntity } from './cycle.ts'
import { dashboardEntity } from './dashboard.ts'
import { aboutTest, testDerivation } from './derive-test.ts'
import { deriveRoutes } from './derive.ts'
import type { Guard } from './entity.ts'
import { entityRoutes } from './entity.ts'
import { folderEntity } from './folder.ts'
import { grantRoutes } from './grant.ts'
import { oauthClientEntity } from './oauth-client.ts'
import { organizationRoutes } from './organization.ts'
import { guardOwnPassword } from './own-password.ts'
import { propertyRoutes } from './property.ts'
import { removalRoutes } from './removal.ts'
import { resetLinkRoutes } from './reset-link.ts'
import { queryEntity } from './saved-query.ts'
import { streamEntity } from './stream.ts'
import { templateEntity } from './template.ts'
import { unitEntity } from './unit.ts'
import { userEntity } from './user.ts'

export const catalogRoutes = (
  world: ReadingWorld,
  access: Access,
  secrets: Secrets,
  limiter: Limiter,
  /** Both throw where a GS SQL script, or the Ingest SQL of an import, is wrong. */
  { check, checkIngest }: Record<'check' | 'checkIngest', (script: string, holders: Holders) => unknown>,
  deriver: Deriver,
): readonly Route[] => {
  const { guard } = access
  const refreshing = refreshingGuard(access)
  return [
    ...propertyRoutes(world, guard, limiter),
    ...organizationRoutes(world, access),
    ...entityRoutes(world, guardOwnPassword(world, limiter, refreshing), userEntity),
    ...resetLinkRoutes(world, guard, secrets),
    ...apiKeyRoutes(world, refreshing, secrets),
    ...entityRoutes(world, refreshing, oauthClientEntity(secrets)),
    ...grantRoutes(world, access),
    ...auditRoutes(world, guard),
    ...removalRoutes(world, access),
    ...bulkRoutes(world, guard),
    ...entityRoutes(world, guard, componentEntity),
    ...entityRoutes(world, guard, templateEntity),
    {
      method: 'POST',
      path: '/api/stream/derive_test',
      handle: guard(testDerivation(world, deriver)),
      description: aboutTest,
    },
    ...deriveRoutes(world, guard),
    ...entityRoutes(world, guard, streamEntity),
    ...entityRoutes(world, guard, cycleEntity),
    ...entityRoutes(world, guard, unitEntity),
    ...entityRoutes(world, guard, folderEntity),
    ...entityRoutes(world, guard, queryEntity),
    ...entityRoutes(world, guard, dashboardEntity),
    ...entityRoutes(world, guard, connectionEntity(secrets)),
    ...connectionSessionRoutes(world, guard, secrets),
    ...entityRoutes(
      world,
      refreshing,
      connectorEntity({ check, checkIngest, clock: world.clock, baseUrl: () => baseUrlOf(world.config, {}) }),
    ),
  ]
}

/** A change to users, keys, clients and connectors holds here as soon as it is answered, and elsewhere within a second. */
const refreshingGuard =
  ({ guard, refresh }: Access): Guard =>
  (handle) =>
    guard(async (caller, call) => {
      const reply = await handle(caller, call)
      if (call.method !== 'GET') await refresh()
      return reply
    })
