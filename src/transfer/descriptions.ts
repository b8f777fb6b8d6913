// The calls of export and import, described (base/http/description.ts).
import type { Described, Description } from '../base/http/description.ts'
import { describeList, envelopeReply } from '../base/http/description.ts'
import { statistics } from '../core/statistic/statistic.ts'
import { exported, exportFormats } from './export-query.ts'
import { imported, importFormats } from './import-query.ts'
import { shownImport } from './show-import.ts'

const time = (description: string): Described => ({
  type: 'integer',
  description: `${description}, epoch milliseconds`,
})

export const transferDescriptions = {
  export: {
    part: 'transfer',
    summary: 'Export samples, statistics or the catalogue, however many',
    details:
      'Of the organization, a folder with all below it, or single components and streams: of all that the caller may read. The reply is a stream without a length; one that is cut off is not whole.',
    query: {
      what: { type: 'string', enum: exported, default: 'samples' },
      format: { type: 'string', enum: exportFormats, description: 'else by the Accept header; CSV by default' },
      folder: { type: 'string', description: 'components in this folder, and below it' },
      compId: { type: 'string', description: 'a component; may be repeated' },
      streamId: { type: 'string', description: 'a stream; may be repeated' },
      sd: time('from here on'),
      ed: time('before this'),
      cycle: { type: 'string', description: 'statistics: hour, day, month … or a cycle of your own' },
      stat: { type: 'string', enum: statistics, description: 'statistics: which' },
    },
    reply: { schema: { type: 'string' }, type: 'text/csv' },
  },
  import: {
    part: 'transfer',
    summary: 'Import history, as CSV or NDJSON of any length',
    details:
      'Rows are stored in batches while the body comes; one that cannot be stored is refused with its line and its reason. A call that breaks off is gone on with by its importId.',
    query: {
      what: { type: 'string', enum: imported, default: 'samples' },
      importId: { type: 'string', description: 'by which it can be gone on with', example: 'history-1' },
      compId: { type: 'string', description: 'the component of all rows' },
      streamId: { type: 'string', description: 'the stream of all rows' },
      format: { type: 'string', enum: importFormats, description: 'else by Content-Type, or by the first byte' },
      offset: { type: 'integer', minimum: 0, description: 'the byte of the whole with which this body begins' },
    },
    body: {
      type: 'text/csv',
      schema: { type: 'string' },
      example: 'compId,streamId,time,data\r\nBoiler,temp,1767225600000,20.1\r\n',
    },
    reply: envelopeReply('import', shownImport),
  },
  imports: describeList('transfer', 'import', 'List your imports of history, latest first', shownImport),
  importOf: {
    part: 'transfer',
    summary: 'Show how far an import of history is stored',
    path: { id: { type: 'string', example: 'history-1' } },
    reply: envelopeReply('import', shownImport),
  },
} satisfies Record<string, Description>
