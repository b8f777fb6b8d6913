// The parameters that say how a missing component or stream is made (docs/feeds.md#creation), of uploads of samples
// and of files alike.
import { badRequest } from '../base/errors.ts'
import { identifier } from '../base/http/members.ts'
import type { Query } from '../base/http/query-string.ts'
import { folderPath, rootFolder } from '../core/folder.ts'
import type { BatchComponent, Creation } from '../core/sample/batch.ts'

export const creationFromQuery = (query: Query): Creation => {
  const templateId = optionalId(query, 'dtId')
  const streamId = optionalId(query, 'dsId')
  if ((templateId === undefined) !== (streamId === undefined)) throw badRequest('dtId and dsId go together')
  return {
    folderPath: folderPath(query.get('folder') ?? rootFolder),
    streamTemplate: templateId === undefined ? undefined : { templateId, streamId: streamId! },
  }
}

export const componentFromQuery = (query: Query, id: string): BatchComponent => ({
  ref: identifier('compId', id),
  name: optionalId(query, 'compName'),
  templateId: optionalId(query, 'compTmplId'),
})

/** Firmware without a value for this parameter sends it empty. */
export const optionalId = (query: Query, name: string): string | undefined => {
  const id = query.get(name.toLowerCase())
  return id === undefined || id === '' ? undefined : identifier(name, id)
}
