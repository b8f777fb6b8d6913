// The routes of export and import (docs/transfer.md).
import type { Access } from '../access/guard.ts'
import type { Route } from '../base/http/call.ts'
import type { ReadingWorld } from '../base/http/reading.ts'
import { transferDescriptions as about } from './descriptions.ts'
import { getExport } from './export.ts'

export const transferRoutes = (world: ReadingWorld, { guard, identify }: Access): readonly Route[] => [
  {
    method: 'GET',
    path: '/api/export',
    handle: guard(
      getExport(world, (call) => identify(call, 'anyone')),
      'anyone',
    ),
    description: about.export,
  },
]
