// The definition of a stream in the management API (docs/management.md#entities), read by an allow list and made into
// the one that core/stream.ts stores. Members that are not given keep their value, or take the default.
//
//   {"id":"temp","kind":"interval","baseCycleId":"hour","unitUid":"..."}
import { badRequest, shorten } from '../base/errors.ts'
import type { Fault } from '../base/errors.ts'
import type { Members, Reader } from '../base/http/members.ts'
import {
  blankable,
  further,
  identifier,
  list,
  nullable,
  objectOf,
  oneOf,
  reader,
  shownOnly,
  text,
  versionNumber,
  wholeNumber,
} from '../base/http/members.ts'
import type { Transaction } from '../base/database/sql.ts'
import { cycleNotFound, findCycle, longestSeconds, mostBaseSeconds } from '../core/cycle.ts'
import type { Cycle } from '../core/cycle.ts'
import { uidNotFound } from '../core/named.ts'
import { statistics } from '../core/statistic/statistic.ts'
import { mostStreams, streamKinds, valueTypes } from '../core/stream.ts'
import type { StreamDefinition, StreamDetail, Variable } from '../core/stream.ts'
import { findUnit } from '../core/unit.ts'
import { objectSchema, orNull } from '../base/http/schema.ts'
import { withGiven } from './entity.ts'
import type { EntityAbout } from './entity-description.ts'

const variableName: Reader<string> = further(text(1, 64), { pattern: '^[A-Za-z_]\\w*$' }, (name, written) => {
  if (!/^[A-Za-z_]\w*$/.test(written))
    throw badRequest(
      `${name} '${shorten(written)}' must be letters, digits and underscores, not beginning with a digit`,
    )
  return written
})

const statisticName = oneOf(...statistics)

const variableMembers = objectOf({
  name: variableName,
  componentId: identifier,
  streamId: identifier,
  offset: wholeNumber(-1_000_000, 0),
  cycleId: identifier,
  statistic: reader(statisticName.schema, (name, word) =>
    statisticName(name, typeof word === 'string' ? word.toLowerCase() : word),
  ),
})

const variable: Reader<Variable> = further(
  variableMembers,
  { required: ['name', 'streamId'] },
  (name, { streamId, ...given }) => {
    if (given.name === undefined || streamId === undefined) throw badRequest(`${name} must have a name and a streamId`)
    return { ...given, name: given.name, streamId }
  },
)

export const variablesReader: Reader<readonly Variable[]> = further(list(100, variable), {}, (_name, variables) => {
  const names = variables.map((each) => each.name.toLowerCase())
  const twice = names.find((each, index) => names.indexOf(each) !== index)
  if (twice !== undefined) throw badRequest(`variable '${twice}' is given twice`)
  return variables
})

/** The members by which a stream is defined, where its ID names it. */
export const namedStreamMembers = {
  id: blankable(identifier),
  name: text(1, 512),
  description: text(0, 10_000),
  kind: oneOf(...streamKinds),
  valueType: oneOf(...valueTypes),
  baseCycleId: blankable(identifier),
  unitUid: blankable(text(1, 64)),
  expression: blankable(text(1, 10_000)),
  variables: nullable(variablesReader),
}

const members = {
  uid: nullable(text(1, 64)),
  componentUid: nullable(text(1, 64)),
  templateUid: nullable(text(1, 64)),
  ...namedStreamMembers,
  position: wholeNumber(1, 1_000_000),
  version: versionNumber,
  staleFrom: shownOnly({ type: ['integer', 'null'] }),
  deriveError: shownOnly(
    orNull(objectSchema({ at: { type: 'integer' }, time: { type: 'integer' }, message: { type: 'string' } })),
  ),
}

export type StreamMembers = Members<typeof members>

/** For the description of the API. */
export const streamAbout = {
  part: 'management',
  one: 'a stream',
  many: 'streams',
  newMembers: members,
  changeMembers: members,
  seldom: ['componentUid', 'templateUid', 'staleFrom', 'deriveError'],
  example: {
    componentUid: '0b8f2d6e-4a1c-4d6b-9c57-3f5e8a7d1c20',
    id: 'fahrenheit',
    expression: 'celsius * 9 / 5 + 32',
    variables: [{ name: 'celsius', streamId: 'temp' }],
  },
} as const satisfies EntityAbout

export const streamMembers: Reader<StreamMembers> = objectOf(members)

/** The streams that a new component or template is to have. */
export const newStreams = (isTemplate: boolean): Reader<readonly DescribedStream[]> =>
  list(
    mostStreams,
    further(streamMembers, {}, (_name, given) => describeStream(given, isTemplate)),
  )

/** A stream in the list that a PUT of its component or template gives. */
export type ListedStream =
  | { readonly kind: 'known'; readonly uid: string; readonly change: StreamMembers }
  | { readonly kind: 'new'; readonly stream: DescribedStream }

export const listedStreams = (isTemplate: boolean): Reader<readonly ListedStream[]> =>
  list(
    mostStreams,
    further(streamMembers, {}, (_name, given): ListedStream => {
      // The place in the list is the position.
      const { uid, position: _, ...change } = given
      return uid ? { kind: 'known', uid, change } : { kind: 'new', stream: describeStream(change, isTemplate) }
    }),
  )

/** Finds the keys of entities that streams name; a key is remembered, because many streams name the same. */
export type Names = {
  readonly cycleKey: (id: string) => Promise<number>
  readonly unitKey: (uid: string) => Promise<number>
}

export const openNames = (sql: Transaction, organizationKey: number): Names => {
  const find = (look: typeof findBaseCycle | typeof findUnit, missing: (name: string) => Fault | Promise<Fault>) => {
    const keys = new Map<string, number>()
    return async (name: string) => {
      const key = keys.get(name) ?? (await look(sql, organizationKey, name))?.key
      if (key === undefined) throw await missing(name)
      keys.set(name, key)
      return key
    }
  }
  return {
    cycleKey: find(findBaseCycle, (id) => cycleNotFound(sql, organizationKey, id)),
    unitKey: find(findUnit, (uid) => uidNotFound(sql, { organizationKey, may: () => true }, 'unit', uid)),
  }
}

const findBaseCycle = async (sql: Transaction, organizationKey: number, id: string): Promise<Cycle | undefined> => {
  const cycle = await findCycle(sql, organizationKey, id)
  if (cycle && longestSeconds(cycle) > mostBaseSeconds) throw badRequest('a base cycle may have 68 years at most')
  return cycle
}

/** A stream as it shall be, with names in place of keys. */
export type DescribedStream = Omit<StreamDefinition, 'baseCycleKey' | 'unitKey'> &
  Pick<StreamDetail, 'baseCycleId' | 'unitUid'>

/** The same before it is checked: a new stream may have its name from its ID. */
type SaidStream = Omit<DescribedStream, 'name'> & { readonly name: string | null }

const plainStream: SaidStream = {
  id: null,
  name: null,
  description: '',
  kind: 'random',
  valueType: 'DOUBLE',
  baseCycleId: null,
  unitUid: null,
  expression: null,
  variables: null,
}

export const describeStream = (given: StreamMembers, isTemplate: boolean, known?: StreamDetail): DescribedStream => {
  const said = withGiven<SaidStream>(known ?? plainStream, given)
  const { id, name, description, kind, valueType, unitUid } = said
  const title = name ?? id
  if (title === null) throw badRequest('a stream must have a name or an id')
  if (kind === 'point' && valueType === 'FILE') throw badRequest('a point stream cannot hold files')
  return {
    id,
    name: title,
    description,
    kind,
    valueType,
    baseCycleId: baseCycleId(said, given),
    unitUid,
    ...derivation(said, given, isTemplate),
  }
}

const baseCycleId = ({ kind, baseCycleId: id }: SaidStream, given: StreamMembers): string | null => {
  if (kind !== 'interval') {
    if (given.baseCycleId) throw badRequest('only an interval stream has a baseCycleId')
    return null
  }
  if (!id) throw badRequest('an interval stream must have a baseCycleId')
  return id
}

const derivation = (
  { kind, valueType, expression, variables }: SaidStream,
  given: StreamMembers,
  isTemplate: boolean,
): Pick<StreamDefinition, 'expression' | 'variables'> => {
  if (expression === null) {
    if (given.variables && given.variables.length > 0) throw badRequest('variables need an expression')
    return { expression, variables: null }
  }
  if (kind === 'point' || valueType === 'FILE') throw badRequest('a point or file stream cannot have an expression')
  if (variables === null || variables.length === 0) throw badRequest('an expression needs variables')
  if (isTemplate && variables.some((each) => each.componentId !== undefined))
    throw badRequest("a template's variables name streams only, without componentId")
  return { expression, variables }
}

/** Looks up the entities that the stream names, unless the known one has the same. */
export const streamDefinition = async (
  names: Names,
  { baseCycleId: cycleId, unitUid, ...described }: DescribedStream,
  known?: StreamDetail,
): Promise<StreamDefinition> => ({
  ...described,
  baseCycleKey:
    cycleId === null ? null : cycleId === known?.baseCycleId ? known.baseCycleKey : await names.cycleKey(cycleId),
  unitKey: unitUid === null ? null : unitUid === known?.unitUid ? known.unitKey : await names.unitKey(unitUid),
})
