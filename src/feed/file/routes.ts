// The routes of files (docs/files.md). Uploads are limited, downloads are not.
import type { Call, Route } from '../../base/http/call.ts'
import type { Limiter } from '../../base/http/limit.ts'
import type { ReadingWorld } from '../../base/http/reading.ts'
import type { Reply } from '../../base/http/reply.ts'
import type { BlobStore } from '../../core/file/blob-store.ts'
import type { Caller } from '../../core/caller.ts'
import type { Ingestion } from '../../core/sample/ingest.ts'
import { fileDescriptions as about } from './descriptions.ts'
import { getFile } from './download.ts'
import { putFile } from './upload.ts'

type Handle = (caller: Caller, call: Call) => Promise<Reply>
type Guard = (handle: Handle, audience?: 'known' | 'anyone') => Route['handle']

export const fileRoutes = (
  world: ReadingWorld,
  ingestion: Ingestion,
  store: BlobStore,
  guard: Guard,
  limiter: Limiter,
): readonly Route[] => {
  const root = '/api/comp/:compId/stream/:streamId/feed/file'
  const put = guard(limiter.limited('file', putFile(world, ingestion, store)))
  const get = guard(getFile(world, store), 'anyone')
  return [
    { method: 'PUT', path: `${root}/:fileName`, handle: put, description: about.put },
    { method: 'GET', path: `${root}/:fileName`, handle: get, description: about.newest },
    { method: 'GET', path: `${root}/:time/:fileName`, handle: get, description: about.ofTime },
    // An empty name is refused as one, not as an address that does not exist.
    { method: 'PUT', path: root, handle: put, description: { isPage: true } },
    { method: 'GET', path: root, handle: get, description: { isPage: true } },
  ]
}
