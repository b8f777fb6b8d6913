// The management API's calls, entity by entity (decisions 11).
import type { Route } from '../base/call.ts'
import type { World } from '../base/world.ts'
import { componentEntity } from './component.ts'
import { cycleEntity } from './cycle.ts'
import type { Guard } from './entity.ts'
import { entityRoutes } from './entity.ts'
import { folderEntity } from './folder.ts'
import { streamEntity } from './stream.ts'
import { templateEntity } from './template.ts'
import { unitEntity } from './unit.ts'

export const catalogRoutes = (world: World, guard: Guard): readonly Route[] => [
  ...entityRoutes(world, guard, componentEntity),
  ...entityRoutes(world, guard, templateEntity),
  ...entityRoutes(world, guard, streamEntity),
  ...entityRoutes(world, guard, cycleEntity),
  ...entityRoutes(world, guard, unitEntity),
  ...entityRoutes(world, guard, folderEntity),
]
