// The catalogue as lines (docs/transfer.md#catalogue): each entity as the management API shows it, under its kind, in an
// order in which they can be made again. Expressions of derived streams come behind all components, because they name
// streams of others. Streams that would make a line too long have lines of their own.
//
//   {"unit":{"uid":"…","id":"celsius",…}}
//   {"component":{"uid":"…","id":"Boiler",…,"stream":[…]}}
//   {"streams":{"componentUid":"…","stream":[…]}}
//   {"derived":{"componentUid":"…","streamId":"sum","position":3,"expression":"a + b","variables":[…]}}
import { toJson } from '../base/http/reply.ts'
import type { Sql, Transaction } from '../base/database/sql.ts'
import type { Caller } from '../core/caller.ts'
import { entitiesAfter } from '../core/catalogue.ts'
import type { CatalogueKind, ComponentScope } from '../core/catalogue.ts'
import { componentEntity } from './component.ts'
import { cycleEntity } from './cycle.ts'
import { folderEntity } from './folder.ts'
import { templateEntity } from './template.ts'
import { unitEntity } from './unit.ts'

type Phase = { readonly kind: CatalogueKind; readonly part: 'entity' | 'derived' }

const phases: readonly Phase[] = [
  { kind: 'unit', part: 'entity' },
  { kind: 'cycle', part: 'entity' },
  { kind: 'folder', part: 'entity' },
  { kind: 'template', part: 'entity' },
  // An expression of a template reaches the components that are made from it: there are none yet.
  { kind: 'template', part: 'derived' },
  { kind: 'component', part: 'entity' },
  { kind: 'component', part: 'derived' },
]

/** Streams take most of it: each has 200 to 500 bytes. */
const entitiesAtOnce = 20
const mostLineCharacters = 1024 * 1024

type Shown = Readonly<Record<string, unknown>>

/** Reads the next lines, and gives whether they were the last. */
export const openCatalogueLines = (caller: Caller, scope: ComponentScope, add: (line: string) => void) => {
  let phase = 0
  let afterKey = 0
  return async (sql: Transaction): Promise<boolean> => {
    // It may be asked again where what comes behind it has failed.
    if (phase === phases.length) return true
    const { kind, part } = phases[phase]!
    const next = await entitiesAfter(sql, caller.organizationKey, kind, afterKey, entitiesAtOnce, scope)
    for (const { key, uid } of next) {
      const shown = maySee(caller, kind, uid) ? await showOne(sql, caller, kind, uid) : undefined
      if (shown !== undefined) for (const line of linesOf(kind, part, shown)) add(`${toJson(line)}\n`)
      // Not before: a reading that fails here goes on with this one.
      afterKey = key
    }
    if (next.length < entitiesAtOnce) {
      phase += 1
      afterKey = 0
    }
    return phase === phases.length
  }
}

const maySee = (caller: Caller, kind: CatalogueKind, uid: string): boolean =>
  caller.may(`GET ${kind}`, uid) && (kind !== 'component' || caller.may('GET component/stream', uid))

const showOne = async (sql: Sql, caller: Caller, kind: CatalogueKind, uid: string): Promise<Shown | undefined> => {
  const shown = async <Row>({ find, show, seenBy }: Showing<Row>) => {
    const row = await find(sql, caller, uid)
    return row === undefined ? undefined : show(seenBy === undefined ? row : seenBy(caller)(row))
  }
  switch (kind) {
    case 'unit':
      return shown(unitEntity)
    case 'cycle':
      return shown(cycleEntity)
    case 'folder':
      return shown(folderEntity)
    case 'template':
      return shown(templateEntity)
    case 'component':
      return shown(componentEntity)
  }
}

type Showing<Row> = {
  readonly find: (sql: Sql, caller: Caller, uid: string) => Promise<Row | undefined>
  readonly show: (row: Row) => Shown
  readonly seenBy?: (caller: Caller) => (row: Row) => Row
}

function* linesOf(kind: CatalogueKind, part: Phase['part'], shown: Shown): Generator<Shown> {
  const { stream, ...entity } = shown as { readonly uid: string; readonly stream?: readonly Shown[] }
  if (stream === undefined) return yield { [kind]: entity }
  const owner = { [`${kind}Uid`]: entity.uid }
  if (part === 'derived') {
    for (const { id, position, expression, variables } of stream)
      if (expression !== null) yield { derived: { ...owner, streamId: id, position, expression, variables } }
    return
  }
  const [first = [], ...more] = split(stream.map(withoutExpression))
  yield { [kind]: { ...entity, stream: first } }
  for (const some of more) yield { streams: { ...owner, stream: some } }
}

const withoutExpression = (shown: Shown): Shown => {
  const { staleFrom: _staleFrom, deriveError: _deriveError, ...stream } = shown
  return Object.assign(stream, { expression: null, variables: [] })
}

/** Lists whose JSON is not too long for a line. */
const split = (streams: readonly Shown[]): readonly (readonly Shown[])[] => {
  const lists: Shown[][] = []
  let left = 0
  for (const stream of streams) {
    const { length } = toJson(stream)
    if (left < length) {
      lists.push([])
      left = mostLineCharacters
    }
    lists.at(-1)!.push(stream)
    left -= length
  }
  return lists
}
