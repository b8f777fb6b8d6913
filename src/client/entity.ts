// The entities of the management API (docs/management.md): the same five calls for each, without their envelope.
import type { BodyOf, Manner, Operation, Query, ReplyOf } from './operation.ts'
import { eachOf, listPages } from './pages.ts'
import type { Transport } from './transport.ts'
import { readContent } from './transport.ts'

/** Those that can be listed, shown, made, changed and removed. */
export type EntityName = {
  [O in Operation]: O extends `DELETE /api/${infer Name}/{uid}`
    ? `POST /api/${Name}` extends Operation
      ? Name
      : never
    : never
}[Operation]

type OperationOf<Text extends string> = Text & Operation

export type EntityOf<Name extends EntityName> =
  ReplyOf<OperationOf<`GET /api/${Name}/{uid}`>> extends { readonly [N in Name]: infer Shown } ? Shown : never

export type Entities<Name extends EntityName> = {
  /** All of them, however many, that the filters leave: text, and others by the entity. */
  readonly list: (filters?: Query, manner?: Manner) => AsyncGenerator<EntityOf<Name>, void, undefined>
  readonly show: (uid: string, manner?: Manner) => Promise<EntityOf<Name>>
  readonly make: (members: BodyOf<OperationOf<`POST /api/${Name}`>>, manner?: Manner) => Promise<EntityOf<Name>>
  /** Changes the members that are given. */
  readonly change: (
    uid: string,
    members: BodyOf<OperationOf<`PUT /api/${Name}/{uid}`>>,
    manner?: Manner,
  ) => Promise<EntityOf<Name>>
  readonly remove: (uid: string, manner?: Manner) => Promise<void>
}

export const openEntities = <Name extends EntityName>(transport: Transport, name: Name): Entities<Name> => {
  const path = `/api/${name}`
  const shown = async (operation: string, given: Manner & { readonly body?: unknown; readonly path?: object }) => {
    const reply = await transport.send(operation, given as never, readContent)
    return (reply as { readonly [N in Name]: EntityOf<Name> })[name]
  }
  return {
    list: (query = {}, manner = {}) => eachOf(listPages<EntityOf<Name>>(transport, name, { ...manner, query })),
    show: (uid, manner) => shown(`GET ${path}/{uid}`, { ...manner, path: { uid } }),
    make: (body, manner) => shown(`POST ${path}`, { ...manner, body }),
    change: (uid, body, manner) => shown(`PUT ${path}/{uid}`, { ...manner, path: { uid }, body }),
    remove: async (uid, manner) => {
      await transport.send(`DELETE ${path}/{uid}`, { ...manner, path: { uid } }, readContent)
    },
  }
}
