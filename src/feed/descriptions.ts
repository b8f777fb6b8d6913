// The feed's calls, described (base/http/description.ts). Parameters are named as docs/feeds.md names them; a test compares
// them with those that the code reads.
import type { Described, Description } from '../base/http/description.ts'
import { doneReply } from '../base/http/description.ts'
import type { Schema } from '../base/http/schema.ts'
import { objectSchema } from '../base/http/schema.ts'
import { cycleUnits } from '../core/time/calendar.ts'
import { statistics } from '../core/statistic/statistic.ts'

const time = (description: string): Described => ({
  type: 'integer',
  description: `${description}, epoch milliseconds`,
})
const flagged = (description: string): Described => ({ type: 'boolean', description })
const id = (description: string, example?: string): Described => ({
  type: 'string',
  description,
  ...(example === undefined ? {} : { example }),
})

const value: Schema = { type: ['number', 'string', 'boolean', 'null'] }

const sample: Schema = objectSchema(
  {
    compId: { type: 'string' },
    streamId: { type: 'string' },
    sdTime: { type: 'integer' },
    time: { type: 'integer' },
    data: value,
    fData: { type: 'string' },
    unit: { type: 'string' },
    fileName: { type: 'string' },
    size: { type: 'integer' },
    contentType: { type: 'string' },
  },
  ['compId', 'streamId', 'sdTime', 'fData', 'unit', 'fileName', 'size', 'contentType'],
)

const samples = { schema: { type: 'array', items: sample } } as const

export const readParameters: Readonly<Record<string, Described>> = {
  sd: time('from here on; needs ed'),
  ed: time('before this'),
  limit: {
    type: 'integer',
    minimum: 1,
    description: 'at most so many items; a reply has 1,000, and a link to the rest',
  },
  after: { type: 'string', description: 'where an earlier reply ended, as its link has it' },
  retCompId: flagged('adds compId'),
  retStreamId: flagged('adds streamId'),
  retIntvlSd: flagged('adds sdTime, the start of the interval'),
  retFData: flagged("adds fData, the value by its unit's format"),
  retUnit: flagged('adds unit, its symbol'),
}

export const optionParameters: Readonly<Record<string, Described>> = {
  compTmplId: id('the template of a component that is made'),
  compName: id('the name of a component that is made'),
  folder: id('the folder of a component that is made'),
  dtId: id('with dsId, the template of streams that are made'),
  dsId: id('with dtId, the stream of that template'),
  autofillGapsWithNulls: { type: 'boolean', default: true, description: 'fill missing intervals with nulls' },
  derMaxS: { type: 'integer', maximum: 20, description: 'derive at most so many streams before the reply' },
  derTout: { type: 'integer', maximum: 15_000, description: 'derive only within so many milliseconds' },
}

export const uploadParameters: Readonly<Record<string, Described>> = {
  compId: id('the component'),
  data: id('values by the position of their streams; may be repeated'),
  time: id('the times of the values, epoch milliseconds'),
  timeEl: id('milliseconds from one value to the next, back from now'),
  freq: { type: 'integer', minimum: 1, description: 'milliseconds between values, the last one now' },
  delim: id('between values and between times; a comma if not given'),
  rsid: id('streams whose last values the reply shows; may be repeated'),
  ...optionParameters,
}

const asPut: Described = { type: 'boolean', isRequired: true, description: 'says that this GET uploads', example: '' }

const component = { compId: id('the component', 'Boiler') }
const stream = { ...component, streamId: id('the stream', 'temp') }
const statistic = {
  cycleId: id('hour, day, month … or a cycle of your own', 'hour'),
  statId: { type: 'string', enum: statistics, example: statistics[0] } as Described,
}

const upload = {
  part: 'feeds',
  details:
    'Every other parameter is the ID of a stream with its values. Answered after the commit. What is missing is made: the component, its streams.',
  reply: { schema: {}, type: 'text/plain' },
} as const

const read = (summary: string, path: Description['path']): Description => ({
  part: 'feeds',
  summary,
  path: path!,
  query: readParameters,
  reply: samples,
})
const readStatistic = (summary: string, path: Description['path']): Description => ({
  ...read(summary, { ...path, ...statistic }),
  part: 'statistics',
})

export const feedDescriptions = {
  put: {
    ...upload,
    summary: 'Upload samples, in the URL or as JSON',
    query: uploadParameters,
    body: {
      schema: {
        anyOf: [
          {
            type: 'array',
            description: 'samples of any components and streams',
            items: {
              type: 'object',
              properties: {
                compId: { type: 'string' },
                streamId: { type: 'string' },
                time: { type: ['integer', 'string', 'null'] },
                data: value,
              },
              required: ['streamId', 'data'],
            },
          },
          {
            type: 'object',
            description: 'times once for many streams: {"feed":{"component":[…]}}',
            properties: { feed: { type: 'object' } },
            required: ['feed'],
          },
        ],
      },
      example: [{ compId: 'Boiler', streamId: 'temp', time: 1_767_225_600_000, data: 20.1 }],
    },
  },
  putByGet: {
    ...upload,
    summary: 'Upload samples from where only a GET can be sent',
    query: {
      ...uploadParameters,
      asPut,
      compId: { ...uploadParameters['compId'], example: 'Boiler' },
      data: { ...uploadParameters['data'], example: '20.4' },
    },
  },
  feedOfComponent: read('Read the samples of a component, latest first', component),
  feedOfStream: read('Read the samples of a stream, latest first', stream),
  chart: {
    part: 'statistics',
    summary: 'Read a stream for a chart: its samples where they are few, else mean, least and most of intervals',
    path: stream,
    query: {
      sd: time('from here on; needs ed; all there is unless given'),
      ed: time('before this; needs sd'),
      points: { type: 'integer', minimum: 0, maximum: 4000, default: 1000, description: 'at most so many items' },
    },
    reply: {
      schema: objectSchema({
        sd: { type: ['integer', 'null'], description: 'the window; null where there is no sample' },
        ed: { type: ['integer', 'null'] },
        timeZone: { type: 'string', description: 'of the component' },
        step: {
          anyOf: [
            { type: 'null', description: 'the items are the samples' },
            objectSchema({ size: { type: 'integer' }, unit: { type: 'string', enum: ['millisecond', ...cycleUnits] } }),
          ],
        },
        items: {
          type: 'array',
          description: 'sdTime, time, value; of an interval its mean, and then its least and most',
          items: { type: 'array', minItems: 3, maxItems: 5, items: { type: ['number', 'null'] } },
        },
      }),
    },
  },
  lastOfComponent: read('Read the last value of every stream', component),
  lastOfStream: read('Read the last value of a stream', stream),
  statisticOfComponent: readStatistic('Read a statistic of every stream by the intervals of a cycle', component),
  statisticOfStream: readStatistic(
    'Read a statistic by the intervals of a cycle, such as the average of each hour',
    stream,
  ),
  lastStatisticOfComponent: readStatistic('Read a statistic of every stream for the latest interval', component),
  lastStatisticOfStream: readStatistic('Read a statistic for the latest interval', stream),
  remove: {
    part: 'feeds',
    summary: 'Delete samples of a stream',
    path: stream,
    query: {
      sd: { ...time('from here on'), isRequired: true, example: '1767225600000' },
      ed: { ...time('before this'), isRequired: true, example: '1767225600001' },
    },
    reply: {
      schema: {
        ...doneReply.schema,
        properties: {
          ...doneReply.schema.properties,
          deleted: { type: 'integer' },
          archivedQuarters: { type: 'integer', description: 'quarters of an hour of statistics that went along' },
        },
      },
    },
  },
} satisfies Record<string, Description>
