// POST /api/stream/derive_test (docs/derived.md#derive-on-request): what an expression would give. Nothing is stored; it
// is a reading like others, in the caller's share, and ends with the client.
//
//   {"expression":"(f - 32) * 5 / 9","variables":[{"name":"f","componentId":"Boiler","streamId":"temp"}],"from":0,"to":1}
import { badRequest, notFound } from '../base/errors.ts'
import type { Call } from '../base/http/call.ts'
import type { Description } from '../base/http/description.ts'
import { doneReply } from '../base/http/description.ts'
import { readInput } from '../base/http/input.ts'
import { identifier, needed, oneOf, readMembers, schemaOf, text } from '../base/http/members.ts'
import type { Members } from '../base/http/members.ts'
import type { ReadingWorld } from '../base/http/reading.ts'
import type { Reply } from '../base/http/reply.ts'
import { jsonReply } from '../base/http/reply.ts'
import { objectSchema } from '../base/http/schema.ts'
import { snapshot, untilItIsRead } from '../base/database/sql.ts'
import type { Transaction } from '../base/database/sql.ts'
import { demand, holdersOf } from '../core/caller.ts'
import type { Caller } from '../core/caller.ts'
import { findComponent, findComponentByUid } from '../core/component.ts'
import type { Component } from '../core/component.ts'
import { cycleNotFound, findCycle } from '../core/cycle.ts'
import { nameVariables } from '../core/derivation.ts'
import type { Deriver, PreviewedStream } from '../core/derive/deriver.ts'
import { valueTypes } from '../core/stream.ts'
import { typeOfExpression } from './derivation.ts'
import { moment, refuseReversed } from './derive.ts'
import { variablesReader } from './stream-definition.ts'

const members = {
  expression: text(1, 10_000),
  variables: variablesReader,
  from: moment,
  to: moment,
  componentUid: text(1, 64),
  kind: oneOf('random', 'interval'),
  valueType: oneOf(...valueTypes),
  baseCycleId: identifier,
}

export const aboutTest: Description = {
  part: 'derived',
  summary: 'Show what an expression would give, and store nothing',
  body: {
    schema: schemaOf(members, ['expression', 'variables', 'from', 'to']),
    example: {
      expression: 'celsius * 9 / 5 + 32',
      variables: [{ name: 'celsius', componentId: 'Boiler', streamId: 'temp' }],
      from: 1_767_225_600_000,
      to: 1_767_229_200_000,
    },
  },
  reply: {
    schema: objectSchema({
      ...doneReply.schema.properties,
      rows: {
        type: 'array',
        items: objectSchema({ time: { type: 'integer' }, data: { type: ['number', 'string', 'boolean', 'null'] } }),
      },
      more: { type: 'boolean' },
    }),
  },
}

type Given = Required<Pick<Members<typeof members>, 'expression' | 'variables' | 'from' | 'to'>> &
  Members<typeof members>

/** Texts may have 65,536 characters each. */
const mostRows = 1000
const mostTexts = 100

export const testDerivation =
  ({ readSql, reading }: ReadingWorld, deriver: Deriver) =>
  async (caller: Caller, call: Call): Promise<Reply> => {
    const given = readGiven(await readInput(call))
    // Callers that may save streams may try them; others need the right to run scripts.
    if (!caller.may('POST stream')) demand(caller, 'POST gql')
    return untilItIsRead(() =>
      reading(readSql, holdersOf(caller, call.address), call, (pool) =>
        snapshot(pool, (sql) => preview(sql, caller, deriver, given)),
      ),
    )
  }

const readGiven = (input: unknown): Given => {
  const given = readMembers('the body', input, members)
  const { expression, variables, from, to, ...more } = needed('a test', given, 'expression', 'variables', 'from', 'to')
  if (variables.length === 0) throw badRequest('an expression needs variables')
  refuseReversed(from, to)
  if ((more.kind === 'interval') !== (more.baseCycleId !== undefined))
    throw badRequest('an interval stream, and no other, has a baseCycleId')
  if (more.valueType === 'FILE') throw badRequest('a file stream cannot have an expression')
  return { expression, variables, from, to, ...more }
}

const preview = async (sql: Transaction, caller: Caller, deriver: Deriver, given: Given): Promise<Reply> => {
  const { expression, variables, kind = 'random' } = given
  const component = await componentFor(sql, caller, given)
  for (const id of new Set(variables.flatMap(({ componentId }) => componentId ?? [])))
    demand(caller, 'GET component/feed', (await findComponent(sql, caller.organizationKey, id))?.uid)
  const named = await nameVariables(sql, caller.organizationKey, component?.key ?? null, variables)
  const type = typeOfExpression({ kind, expression, variables: named, valueType: given.valueType })
  const baseCycle = given.baseCycleId && (await findCycle(sql, caller.organizationKey, given.baseCycleId))
  if (given.baseCycleId && !baseCycle) throw await cycleNotFound(sql, caller.organizationKey, given.baseCycleId)
  const stream: PreviewedStream = {
    kind,
    valueType: given.valueType ?? type,
    baseCycleKey: baseCycle ? baseCycle.key : null,
    componentKey: (component ?? (await findComponent(sql, caller.organizationKey, variables[0]!.componentId!)))!.key,
    expression,
    variables,
  }
  const most = stream.valueType === 'STRING' ? mostTexts : mostRows
  const span = { fromMs: given.from, toMs: given.to }
  const samples = await deriver.previewDerivation(sql, caller.organizationKey, stream, span, most + 1)
  return jsonReply({
    success: true,
    message: '',
    rows: samples.slice(0, most).map(({ timeMs, value }) => ({ time: timeMs, data: value })),
    more: samples.length > most,
  })
}

/** The one whose streams variables without a componentId are. */
const componentFor = async (
  sql: Transaction,
  caller: Caller,
  { componentUid, variables }: Given,
): Promise<Component | undefined> => {
  if (componentUid === undefined) {
    const without = variables.find(({ componentId }) => componentId === undefined)
    if (without) throw badRequest(`variable '${without.name}' needs a componentId, or the call a componentUid`)
    return undefined
  }
  const component = await findComponentByUid(sql, caller.organizationKey, componentUid)
  demand(caller, 'GET component/feed', component?.uid)
  if (component === undefined) throw notFound('component', componentUid)
  return component
}
