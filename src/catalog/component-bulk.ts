// Many components in one call (docs/management.md#many-components-at-once): those that are not there are made, those that
// are get the members given, by their IDs; all of them, or none where one cannot be. So a call can be made again.
//
//   PUT /api/component [{"id":"Boiler 1","templateUid":"..."},{"id":"Boiler 2","stream":[{"id":"temp"}]}]
//   ->  {"success":true,"message":"","created":1,"updated":1,"unchanged":0,"component":[{"id":"Boiler 1",...},...]}
//
// No writer remembers anything that is made or changed here, so the write gate stays open and uploads go on.
import { readBody } from '../base/http/body.ts'
import type { Call, Route } from '../base/http/call.ts'
import { busy } from '../base/errors.ts'
import { readInTurn } from '../base/json.ts'
import { onceItFits } from '../base/http/large-reply.ts'
import type { Reply } from '../base/http/reply.ts'
import { jsonType } from '../base/http/reply.ts'
import { holdersOfCall } from '../base/http/room.ts'
import { objectSchema } from '../base/http/schema.ts'
import { openShares } from '../base/shares.ts'
import { openBreath } from '../base/slices.ts'
import type { World } from '../base/world.ts'
import { writeAudit } from '../core/audit.ts'
import type { Caller } from '../core/caller.ts'
import { demand } from '../core/caller.ts'
import { changeFor } from './change.ts'
import type { Guard } from './entity.ts'
import { givenSchema, readComponents } from './given-components.ts'
import { saveMany } from './save-many.ts'
import type { SavedMany } from './save-many.ts'

const mebibyte = 1024 * 1024
const mostBytes = 16 * mebibyte
/** Values take four times the bytes of their JSON. */
const memory = openShares(2 * 4 * mostBytes)
const patienceMs = 10_000

export const bulkRoutes = (world: World, guard: Guard): readonly Route[] => {
  const save = async (caller: Caller, call: Call): Promise<Reply> => {
    const breathe = openBreath(() => {})
    const body = await readBody(call, mostBytes)
    let isHeld = true
    const release = () => {
      if (isHeld) body.release()
      isHeld = false
    }
    const { bytes } = body
    const holding = memory.open(holdersOfCall(call))
    try {
      const given = await readInTurn(bytes.length, holdersOfCall(call), (breath) => readComponents(bytes, breath))
      demand(caller, 'PUT component')
      if (!(await holding.wait(4 * bytes.length, patienceMs))) throw busy('too many changes of many components at once')
      // The turn at working on bodies is for others, while this one waits for the database.
      release()
      const idBytes = given.reduce((sum, { id }) => sum + Buffer.byteLength(id), 0)
      return await onceItFits(call, holdersOfCall(call), idBytes + 100 * given.length, async (pieces) => {
        const saved = await changeFor(call, world.sql, async (sql) => {
          const made = await saveMany(sql, caller, given, breathe)
          await writeAudit(sql, caller, 'component.save_many', caller.organizationUid, auditOf(made))
          return made
        })
        const head = `{"success":true,"message":"",${JSON.stringify(countsOf(saved)).slice(1, -1)},"component":[`
        const texts = saved.map((one, index) => `${index > 0 ? ',' : ''}${JSON.stringify(one)}`)
        if (pieces === undefined) return { status: 200, headers: jsonType, body: `${head}${texts.join('')}]}` }
        for (const text of [head, ...texts, ']}']) pieces.add(text)
        return pieces.reply({})
      })
    } finally {
      release()
      holding.give()
    }
  }
  return [
    {
      method: 'PUT',
      path: '/api/component',
      handle: guard(save),
      description: {
        part: 'management',
        summary: 'Make or change many components at once',
        details:
          'Found by their IDs: those that are not there are made, and the others get the members given. Streams are found by their IDs too; those that are not listed stay. All are saved, or none.',
        body: {
          schema: givenSchema,
          example: [
            { id: 'Boiler 1', stream: [{ id: 'temp' }] },
            { id: 'Boiler 2', folder: '/Components/Plant' },
          ],
        },
        reply: { schema: savedSchema },
      },
    },
  ]
}

const count = { type: 'integer' } as const
const savedSchema = objectSchema({
  success: { type: 'boolean' },
  message: { type: 'string' },
  created: count,
  updated: count,
  unchanged: count,
  component: {
    type: 'array',
    items: objectSchema({
      id: { type: 'string' },
      uid: { type: 'string' },
      state: { type: 'string', enum: ['created', 'updated', 'unchanged'] },
    }),
  },
})

const countsOf = (saved: readonly SavedMany[]) => {
  const counts = { created: 0, updated: 0, unchanged: 0 }
  for (const { state } of saved) counts[state] += 1
  return counts
}

/** One entry, which names all. */
const auditOf = (saved: readonly SavedMany[]) => {
  const uidsOf = (state: SavedMany['state']) => saved.filter((one) => one.state === state).map(({ uid }) => uid)
  return { created: uidsOf('created'), updated: uidsOf('updated') }
}
