// Name and description of a component, by its ID (docs/feeds.md#properties).
//
//   GET /api/comp/Boiler/property?name  ->  [{"message":"","component":{"name":"Boiler"},"success":true}]
import type { Guard } from '../access/guard.ts'
import { readBody, jsonBytes } from '../base/http/body.ts'
import type { Call, Route } from '../base/http/call.ts'
import type { Description } from '../base/http/description.ts'
import { holdersOfCall } from '../base/http/room.ts'
import { badRequest, notFound } from '../base/errors.ts'
import { readJson } from '../base/json.ts'
import type { Limiter } from '../base/http/limit.ts'
import { objectOf, readMembers, schemaOf, shownOnly, text } from '../base/http/members.ts'
import { flag } from '../base/http/params.ts'
import { wholeReply } from '../base/http/list-reply.ts'
import type { Reply } from '../base/http/reply.ts'
import { rowFormat, rowTexts } from '../base/http/row-format.ts'
import type { RowFormat, RowTexts } from '../base/http/row-format.ts'
import type { Schema } from '../base/http/schema.ts'
import type { World } from '../base/world.ts'
import { auditChange } from '../core/audit-change.ts'
import { writeAudit } from '../core/audit.ts'
import type { Caller } from '../core/caller.ts'
import { demand } from '../core/caller.ts'
import { findComponent, lockComponent, updateComponent } from '../core/component.ts'
import { changeFor } from './change.ts'

type Properties = { readonly name?: string; readonly description?: string }

const properties = objectOf({ name: text(1, 512), description: text(0, 10_000) })
const members = {
  message: shownOnly({ type: 'string' }),
  success: shownOnly({ type: 'boolean' }),
  component: properties,
}
const body: Schema = { type: 'array', items: schemaOf(members, ['component']), minItems: 1, maxItems: 1 }
const path = { compId: { type: 'string', example: 'Boiler' } } as const
const about: Readonly<Record<'get' | 'post', Description>> = {
  get: {
    part: 'management',
    summary: 'Read properties of a component',
    path,
    query: { name: { type: 'boolean', example: '' }, description: { type: 'boolean', example: '' } },
    reply: { schema: body },
  },
  post: {
    part: 'management',
    summary: 'Set properties of a component',
    path,
    body: { schema: body, example: [{ component: { description: 'Basement, left' } }] },
    reply: { schema: body },
  },
}

const mostBytes = 256 * 1024

export const propertyRoutes = (world: World, guard: Guard, limiter: Limiter): readonly Route[] => {
  const get = async (caller: Caller, call: Call): Promise<Reply> => {
    const id = call.params['compId']!
    const component = await findComponent(world.readSql, caller.organizationKey, id)
    demand(caller, 'GET component/property', component?.uid)
    if (component === undefined) throw notFound('component', id)
    const shown = {
      ...(flag(call.query.get('name')) ? { name: component.name } : {}),
      ...(flag(call.query.get('description')) ? { description: component.description } : {}),
    }
    return wholeReply(propertyTexts(rowFormat(call), Object.keys(shown)), shown)
  }
  const post = async (caller: Caller, call: Call): Promise<Reply> => {
    const id = call.params['compId']!
    const given = await readProperties(call)
    await changeFor(call, world.sql, async (sql) => {
      const found = await findComponent(sql, caller.organizationKey, id)
      demand(caller, 'POST component/property', found?.uid)
      const component = found && (await lockComponent(sql, found.key))
      if (component === undefined) throw notFound('component', id)
      if (Object.keys(given).length === 0) return
      await updateComponent(sql, caller.organizationKey, component.key, { ...component, ...given })
      const { name, description } = component
      const change = await auditChange({ name, description }, { name, description, ...given })
      await writeAudit(sql, caller, 'component.update', component.uid, change)
    })
    return propertyReply(given)
  }
  const address = '/api/comp/:compId/property'
  return [
    { method: 'GET', path: address, handle: guard(limiter.limited('property', get)), description: about.get },
    { method: 'POST', path: address, handle: guard(limiter.limited('property', post)), description: about.post },
  ]
}

const propertyTexts = (format: RowFormat, columns: readonly string[]): RowTexts =>
  rowTexts(format, columns, { before: '[{"message":"","component":', after: ',"success":true}]' })

const propertyReply = (component: Properties): Reply => wholeReply(propertyTexts('json', []), component)

const wrongForm = () =>
  badRequest('the body must be [{"component":{"name":"N","description":"D"}}], with one of the two or both')

/** The reply of GET can be sent back as it is. */
const readProperties = async (call: Call): Promise<Properties> => {
  const { bytes, release } = await readBody(call, mostBytes)
  try {
    const input = await readJson(jsonBytes(bytes), undefined, holdersOfCall(call))
    if (!Array.isArray(input) || input.length !== 1) throw wrongForm()
    const { component } = readMembers('the object', input[0], members)
    if (component === undefined) throw wrongForm()
    return component
  } finally {
    release()
  }
}
