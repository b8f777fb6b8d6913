// Tools that write, for callers with the right to: an OAuth token of the scope write, a key with PUT or POST.
import type { Reader } from '../base/http/members.ts'
import { list, objectOf, reader, text } from '../base/http/members.ts'
import { badRequest } from '../base/errors.ts'
import { toJson } from '../base/http/reply.ts'
import { momentReader } from './moment.ts'
import { componentId, streamId } from './read-tools.ts'
import type { Tool } from './tool.ts'
import { tool } from './tool.ts'

const mostSamples = 10_000

const value: Reader<unknown> = reader(
  { type: ['number', 'string', 'boolean', 'null'], description: 'the value; null is a gap' },
  (name, given) => {
    if (typeof given === 'object' && given !== null) throw badRequest(`${name} must be a plain value`)
    return given
  },
)

const samplesReader = (nowMs: () => number) =>
  list(
    mostSamples,
    objectOf({
      component: componentId,
      stream: streamId,
      time: momentReader(nowMs, "the sample's time, without it now"),
      value,
    }),
  )

export const writeTools = (nowMs: () => number): readonly Tool[] => [
  tool({
    name: 'put_samples',
    title: 'Store samples',
    description:
      'Stores samples, all or none. A sample at a stored time replaces it. Missing components and streams are created: look first whether they are there.',
    shape: { component: componentId, samples: samplesReader(nowMs) },
    required: ['samples'],
    writes: 'PUT component/feed',
    run: async ({ json }, { component, samples }) => {
      const body = samples.map(({ component: own = component, stream, time, value: data }, index) => {
        if (own === undefined) throw badRequest(`samples[${index}].component is missing`)
        if (stream === undefined) throw badRequest(`samples[${index}].stream is missing`)
        if (data === undefined) throw badRequest(`samples[${index}].value is missing`)
        return { compId: own, streamId: stream, ...(time === undefined ? {} : { time }), data }
      })
      await json({ route: 'PUT /api/feed', body })
      return toJson({ stored: body.length })
    },
  }),
  tool({
    name: 'set_properties',
    title: 'Name and describe a component',
    description: 'Sets the name or the description of a component.',
    shape: { component: componentId, name: text(1, 512), description: text(0, 10_000) },
    required: ['component'],
    writes: 'POST component/property',
    run: async ({ json }, { component, ...properties }) => {
      const body = [{ component: properties }]
      return toJson(await json({ route: 'POST /api/comp/:compId/property', params: { compId: component }, body }))
    },
  }),
]
