// The calls of export and import, described (base/http/description.ts).
import type { Described, Description } from '../base/http/description.ts'
import { statistics } from '../core/statistic/statistic.ts'
import { exported, exportFormats } from './export-query.ts'

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
} satisfies Record<string, Description>
