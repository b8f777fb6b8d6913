// The description of the route of live feeds, for the OpenAPI document.
import type { Description } from '../base/http/description.ts'

export const liveDescription: Description = {
  part: 'live',
  summary: 'Listen to samples as they are stored',
  details:
    'Server-sent events: the last value of every stream first, then every sample that is committed, from whatever server. A listener that comes back with the last id, as browsers do by themselves, misses nothing.',
  query: {
    compId: {
      type: 'string',
      description: 'a component, all of its streams unless streamId follows; repeatable',
      example: 'Boiler',
    },
    streamId: { type: 'string', description: 'a stream of the compId before it; repeatable' },
    folder: {
      type: 'string',
      description: 'all components in a folder and below it, those to come included; repeatable',
    },
    retFData: { type: 'boolean', description: 'adds fData, the value as a text with its unit' },
    retUnit: { type: 'boolean', description: 'adds unit, the symbol of the unit' },
    retIntvlSd: { type: 'boolean', description: 'adds sdTime, the start of the interval' },
    seconds: {
      type: 'integer',
      description: 'the server ends the reply after so many; 0: after the last values',
      example: '0',
    },
    lastEventId: {
      type: 'string',
      description: 'where to go on, for clients that cannot send the header Last-Event-ID',
    },
  },
  reply: { type: 'text/event-stream', schema: { type: 'string' } },
}
