// The routes of export and import (docs/transfer.md).
import type { Access } from '../access/guard.ts'
import type { Route } from '../base/http/call.ts'
import type { Limiter } from '../base/http/limit.ts'
import type { ReadingWorld } from '../base/http/reading.ts'
import type { Ingestion } from '../core/sample/ingest.ts'
import { transferDescriptions as about } from './descriptions.ts'
import { getExport } from './export.ts'
import type { CatalogueLines } from './export.ts'
import { postImport } from './import.ts'
import type { OpenRestore } from './import.ts'
import { getImport, getImports } from './show-import.ts'

export const transferRoutes = (
  world: ReadingWorld,
  ingestion: Ingestion,
  { guard, guardLasting }: Access,
  limiter: Limiter,
  catalogue: { readonly lines: CatalogueLines; readonly openRestore: OpenRestore },
): readonly Route[] => [
  {
    method: 'GET',
    path: '/api/export',
    handle: guardLasting(getExport(world, catalogue.lines)),
    description: about.export,
  },
  {
    method: 'POST',
    path: '/api/import',
    handle: guard(limiter.limited('feed', postImport(world, ingestion, catalogue.openRestore))),
    description: about.import,
  },
  {
    method: 'GET',
    path: '/api/import',
    handle: guard(getImports(world, about.imports.rows)),
    description: about.imports,
  },
  {
    method: 'GET',
    path: '/api/import/:id',
    handle: guard(getImport(world, about.imports.rows)),
    description: about.importOf,
  },
]
