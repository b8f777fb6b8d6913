// The operations of the API as types, read off the generated ones: each is named by its method and its path, such as
// 'GET /api/component/{uid}', takes { path, query, body } and gives the reply that the description promises.
import type { components, paths } from './generated/api.ts'

type Path = keyof paths
type Method = 'get' | 'put' | 'post' | 'delete'

export type Operation = {
  [P in Path]: {
    [M in Method]-?: paths[P][M] extends { readonly responses: unknown } ? `${Uppercase<M>} ${P}` : never
  }[Method]
}[Path]

type Described<O extends Operation> = O extends `${infer M} ${infer P}`
  ? P extends Path
    ? NonNullable<paths[P][Lowercase<M> & Method]>
    : never
  : never

type ParametersOf<O extends Operation> =
  Described<O> extends { readonly parameters: infer Parameters } ? Parameters : never

type PathPart<O extends Operation> =
  ParametersOf<O> extends { readonly path: infer Named } ? { readonly path: Readonly<Named> } : unknown

/** true is a flag that is set; a list repeats the parameter; undefined leaves it out. */
export type QueryValue = string | number | boolean | null | undefined | readonly (string | number | boolean)[]
export type Query = Readonly<Record<string, QueryValue>>

type Repeatable<Named> = {
  readonly [Name in keyof Named]: Named[Name] | readonly NonNullable<Named[Name]>[] | undefined
}
/** Every other parameter of an upload is the ID of a stream, with its values. */
type Streams<O extends Operation> = O extends `${string} /api/feed` ? Query : unknown

type QueryPart<O extends Operation> =
  ParametersOf<O> extends { readonly query: infer Named }
    ? { readonly query: Repeatable<Named> & Streams<O> }
    : ParametersOf<O> extends { readonly query?: infer Named }
      ? [Named] extends [undefined]
        ? unknown
        : { readonly query?: Repeatable<NonNullable<Named>> & Streams<O> }
      : unknown

/** Bodies that are sent as they are; everything else is sent as JSON. */
export type RawBody =
  | string
  | Uint8Array<ArrayBuffer>
  | ArrayBuffer
  | Blob
  | FormData
  | URLSearchParams
  | ReadableStream<Uint8Array>

type ContentOf<O extends Operation> =
  Described<O> extends { readonly requestBody?: infer Body } ? NonNullable<Body> : never

type BodyPart<O extends Operation> = [ContentOf<O>] extends [never]
  ? unknown
  : ContentOf<O> extends { readonly content: { readonly 'application/json': infer Json } }
    ? object extends Json
      ? { readonly body?: Json | RawBody }
      : O extends 'PUT /api/feed'
        ? { readonly body?: Json | RawBody }
        : { readonly body: Json | RawBody }
    : { readonly body?: RawBody }

/** How a call is made, whatever it is. */
export type Manner = {
  readonly signal?: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** How often it may be tried again; the client's own number unless given. */
  readonly retries?: number
  /** That the call may be carried out twice without harm, where the client cannot know it. */
  readonly isRepeatable?: boolean
}

export type Given<O extends Operation> = PathPart<O> & QueryPart<O> & BodyPart<O> & Manner

/** Operations that need nothing may be called without a second argument. */
export type GivenArguments<O extends Operation> = object extends Given<O> ? [given?: Given<O>] : [given: Given<O>]

type Done = 200 | 201 | 202

export type ReplyOf<O extends Operation> =
  Described<O> extends { readonly responses: infer Replies }
    ? {
        [Status in keyof Replies & Done]: Replies[Status] extends {
          readonly content: { readonly 'application/json': infer Json }
        }
          ? Json
          : unknown
      }[keyof Replies & Done]
    : never

export type BodyOf<O extends Operation> =
  ContentOf<O> extends { readonly content: { readonly 'application/json': infer Json } } ? Json : RawBody

export type Schemas = components['schemas']
