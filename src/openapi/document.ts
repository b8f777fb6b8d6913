// The OpenAPI 3.1 document, made from the descriptions of the routes.
import type { Route } from '../base/http/call.ts'
import type { Content, Described, Description } from '../base/http/description.ts'
import { objectSchema } from '../base/http/schema.ts'
import type { Schema } from '../base/http/schema.ts'

export type DescribedRoute = Omit<Route, 'description'> & { readonly description: Description }

export const describedRoutes = (routes: readonly Route[]): readonly DescribedRoute[] =>
  routes.filter((route): route is DescribedRoute => 'summary' in route.description)

export const partTitles: Readonly<Record<Description['part'], string>> = {
  feeds: 'Samples: upload, read, delete',
  live: 'Live: samples as they are stored',
  statistics: 'Cycle statistics',
  derived: 'Derived streams',
  files: 'Files',
  management: 'Components, streams and related entities',
  connectors: 'Connectors and GS SQL',
  imports: 'Imports from databases',
  transfer: 'Export and import of everything',
  access: 'Sessions, users and API keys',
  oauth: 'OAuth',
  assistants: 'Assistants (MCP)',
  operations: 'Operation',
}

export const openapiDocument = (routes: readonly Route[], version: string, baseUrl: string) => {
  const shared = new Map<string, Schema>()
  const paths = new Map<string, Record<string, unknown>>()
  for (const route of describedRoutes(routes)) {
    const path = openapiPath(route.path)
    paths.set(path, { ...paths.get(path), [route.method.toLowerCase()]: operation(route, shared) })
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Coppice',
      version,
      description: 'Time series of components: uploads by plain HTTP, cycle statistics, files, connectors.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries(partTitles).map(([name, description]) => ({ name, description })),
    security: credentials.map((name) => ({ [name]: [] })),
    paths: Object.fromEntries(paths),
    components: { schemas: { Error: errorSchema, ...Object.fromEntries(shared) }, securitySchemes },
  }
}

/** /api/comp/:compId/feed -> /api/comp/{compId}/feed */
export const openapiPath = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}')

export const operationId = ({ method, path }: Pick<Route, 'method' | 'path'>): string => {
  const words = path
    .replace(/^\/(?:api\/)?/, '')
    .split(/[^A-Za-z0-9:]+/)
    .map((word) => (word.startsWith(':') ? `By${capital(word.slice(1))}` : capital(word)))
  return method.toLowerCase() + words.join('')
}

const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

const operation = (route: DescribedRoute, shared: Map<string, Schema>) => {
  const { part, summary, details, path = {}, query = {}, body, reply, by } = route.description
  return {
    operationId: operationId(route),
    tags: [part],
    summary,
    ...(details === undefined ? {} : { description: details }),
    ...(by === undefined ? {} : { security: by === 'nobody' ? [] : [{ apiKey: [] }] }),
    parameters: [
      ...Object.entries(path).map((entry) => parameter('path', entry)),
      ...Object.entries(query).map((entry) => parameter('query', entry)),
    ],
    ...(body ? { requestBody: { content: content(body, shared) } } : {}),
    responses: {
      [reply.status ?? 200]: { description: 'done', content: content(reply, shared) },
      default: {
        description: 'refused, and nothing is stored',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

const parameter = (place: 'path' | 'query', [name, described]: readonly [string, Described]) => {
  const { example, isRequired, description, ...schema } = described
  return {
    name,
    in: place,
    required: place === 'path' || isRequired === true,
    ...(description === undefined ? {} : { description }),
    schema,
    ...(example === undefined ? {} : { example }),
    ...(schema.type === 'boolean' ? { allowEmptyValue: true } : {}),
  }
}

const content = ({ type = 'application/json', schema, example }: Content, shared: Map<string, Schema>) => ({
  [type]: { schema: withReferences(schema, shared), ...(example === undefined ? {} : { example }) },
})

/** A schema with a title is written once, and referred to. */
const withReferences = (schema: Schema, shared: Map<string, Schema>): Schema => {
  const inner: Schema = {
    ...schema,
    ...(schema.items ? { items: withReferences(schema.items, shared) } : {}),
    ...(schema.anyOf ? { anyOf: schema.anyOf.map((one) => withReferences(one, shared)) } : {}),
    ...(schema.properties
      ? {
          properties: Object.fromEntries(
            Object.entries(schema.properties).map(([name, member]) => [name, withReferences(member, shared)]),
          ),
        }
      : {}),
  }
  if (schema.title === undefined) return inner
  shared.set(schema.title, inner)
  return { $ref: `#/components/schemas/${schema.title}` }
}

const errorSchema: Schema = {
  ...objectSchema({
    success: { type: 'boolean' },
    code: { type: 'string', description: 'docs/replies.md lists them' },
    message: { type: 'string', description: 'for people, and may change' },
  }),
  additionalProperties: true,
}

const securitySchemes = {
  apiKey: { type: 'apiKey', in: 'query', name: 'api_key', description: 'of a device or a program' },
  session: { type: 'apiKey', in: 'query', name: 'session', description: 'sessionUid of POST /api/login' },
  bearer: { type: 'http', scheme: 'bearer', description: 'an OAuth access token, a session or an API key' },
  sessionCookie: { type: 'apiKey', in: 'cookie', name: 'session', description: 'as the sign-in sets it' },
} as const

const credentials = Object.keys(securitySchemes)
