// Imports as replies show them: how far one is stored, and the first rows that were refused; and the calls that ask.
import type { Call } from '../base/http/call.ts'
import { notFound } from '../base/errors.ts'
import { listReply, oneReply } from '../base/http/list-reply.ts'
import { readPage } from '../base/http/page.ts'
import type { RowsAbout } from '../base/http/row-format.ts'
import { objectSchema } from '../base/http/schema.ts'
import type { Schema } from '../base/http/schema.ts'
import type { World } from '../base/world.ts'
import type { Caller } from '../core/caller.ts'
import { findImport, listImports } from '../core/history-import.ts'
import type { HistoryImport } from '../core/history-import.ts'

const whole = (description: string): Schema => ({ type: 'integer', description })

export const shownImport: Schema = objectSchema({
  id: { type: 'string' },
  done: { type: 'boolean', description: 'whether a body has come to its end' },
  bytes: whole('of the body, inflated, up to which rows are stored or refused'),
  lines: whole('the same in lines'),
  stored: whole('rows that were stored'),
  refused: whole('rows that were refused'),
  refusals: {
    type: 'array',
    description: 'the first 100 of those',
    items: objectSchema({ line: whole('counted from 1'), reason: { type: 'string' } }),
  },
  start: { type: 'integer' },
  end: { type: ['integer', 'null'] },
})

export const showImport = (one: HistoryImport) => ({
  id: one.id,
  done: one.endedMs !== null,
  bytes: one.bytes,
  lines: one.lines,
  stored: one.stored,
  refused: one.refused,
  refusals: one.refusals,
  start: one.startedMs,
  end: one.endedMs,
})

export const getImports =
  ({ sql }: World, about: RowsAbout) =>
  async (caller: Caller, call: Call) => {
    const page = readPage(call.query, {})
    return listReply(call, sql, about, (inside) => listImports(inside, caller, page), showImport)
  }

export const getImport =
  ({ sql }: World, about: RowsAbout) =>
  async (caller: Caller, call: Call) => {
    const id = call.params['id']!
    const found = await findImport(sql, caller, id)
    if (found === undefined) throw notFound('import', id)
    return oneReply(call, about, showImport(found))
  }
