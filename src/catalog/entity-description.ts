// The five calls of an entity, described by the readers of its members (base/http/description.ts).
import type { Description, Part } from '../base/http/description.ts'
import { describeList, doneReply, envelopeReply } from '../base/http/description.ts'
import type { Shape } from '../base/http/members.ts'
import { schemaOf } from '../base/http/members.ts'
import type { Schema } from '../base/http/schema.ts'
import { objectSchema } from '../base/http/schema.ts'
import { removedEntities } from '../core/upkeep/removal-progress.ts'
import { removedSchema } from './removal.ts'

export type EntityAbout = {
  readonly part: Part
  /** Such as "a unit" and "units". */
  readonly one: string
  readonly many: string
  /** The members of a POST and of a PUT. */
  readonly newMembers: Shape
  readonly changeMembers: Shape
  /** Members that a new one must have. */
  readonly needs?: readonly string[]
  /** Members of replies that differ from those of requests; null: no reply has it. */
  readonly shown?: Readonly<Record<string, Schema | null>>
  /** Members that some replies lack. */
  readonly seldom?: readonly string[]
  /** The body of a POST that works. */
  readonly example: unknown
  /** The call that takes many of them, if there is one. */
  readonly manyBy?: string
}

export const describeEntity = (
  name: string,
  about: EntityAbout,
  filters: Shape = {},
  sorts: readonly string[] = [],
) => {
  const { part, one, many, newMembers, changeMembers, needs = [], example } = about
  const shown = { title: titleOf(name), ...shownSchema(about) }
  const goesOn = removedEntities.some((entity) => entity === name)
  const path = { uid: { type: 'string', description: `of ${one}` } } as const
  return {
    list: describeList(part, name, `List ${many}`, shown, filters, sorts),
    one: { part, summary: `Show ${one}`, path, reply: envelopeReply(name, shown) },
    create: {
      part,
      summary: `Make ${one}`,
      body: { schema: schemaOf(newMembers, needs), example },
      reply: { status: 201, ...envelopeReply(name, shown) },
    },
    update: {
      part,
      summary: `Change ${one}`,
      details:
        'Members that are left out stay as they are. With a version, the change is refused if somebody else was faster.',
      path,
      body: { schema: schemaOf(changeMembers), example: {} },
      reply: envelopeReply(name, shown),
    },
    remove: {
      part,
      summary: `Delete ${one}`,
      ...(goesOn
        ? { details: '202 while its samples are removed in the background: removal says how far it is.' }
        : {}),
      path,
      reply: goesOn ? { schema: removedSchema } : doneReply,
    },
  } satisfies Record<string, Description>
}

/** oauth_client -> OauthClient */
const titleOf = (name: string) => name.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())

/** The members that a change may name, unless replies have others. */
export const shownSchema = ({
  changeMembers,
  shown = {},
  seldom,
}: Pick<EntityAbout, 'changeMembers' | 'shown' | 'seldom'>): Schema => {
  const members = Object.entries(changeMembers).map(([name, { schema }]): [string, Schema | null] => [name, schema])
  const all = new Map([...members, ...Object.entries(shown)])
  const kept = [...all].filter((entry): entry is [string, Schema] => entry[1] !== null)
  return objectSchema(Object.fromEntries(kept), seldom)
}
