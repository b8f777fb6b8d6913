// The catalogue's routes: properties (4.4, 4.5) and the management API (decisions 11).
import type { Route } from '../base/call.ts'
import type { World } from '../base/world.ts'
import type { Guard } from './entity.ts'

export const catalogRoutes = (_world: World, _guard: Guard): readonly Route[] => []
