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
import { hiddenFrom } from '../core/caller.ts'
import { entitiesAfter } from '../core/catalogue.ts'
import type { CatalogueKind, ComponentScope } from '../core/catalogue.ts'
import { findComponentByUid } from '../core/component.ts'
import { streamDetails } from '../core/stream.ts'
import { streamWeights } from '../core/stream-weight.ts'
import type { WeighedStream } from '../core/stream-weight.ts'
import { findTemplateByUid } from '../core/template.ts'
import { componentEntity } from './component.ts'
import { cycleEntity } from './cycle.ts'
import { folderEntity } from './folder.ts'
import { showStream } from './stream.ts'
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

const entitiesAtOnce = 20
/** A line has no more, and a reading ends with as many, so that no more waits for the client: twenty components may have 320 MB. */
const mostCharacters = 1024 * 1024

type Shown = Readonly<Record<string, unknown>>

/** A component or template of which streams are left. */
type Open = { readonly owner: Shown; readonly left: readonly WeighedStream[] }

/** Reads the next lines, and gives whether they were the last. */
export const openCatalogueLines = (caller: Caller, scope: ComponentScope, add: (line: string) => void) => {
  const hidden = hiddenFrom(caller, 'stream')
  let phase = 0
  let afterKey = 0
  let open: Open | undefined
  let characters = 0
  const give = (lines: Iterable<Shown>): void => {
    for (const line of lines) {
      const text = `${toJson(line)}\n`
      characters += text.length
      add(text)
    }
  }
  /** Of one that is removed meanwhile the rest is missing, as all of it is of exports that begin now. */
  const readStreams = async (sql: Sql, some: readonly WeighedStream[]): Promise<readonly Shown[]> => {
    const keys = some.map(({ key }) => key)
    const streams = keys.length === 0 ? [] : await streamDetails(sql, keys)
    return streams.filter(({ uid }) => !hidden.has(uid)).map(showStream)
  }
  const goOn = async (sql: Sql, { part }: Phase, { owner, left }: Open): Promise<void> => {
    const [some, rest] = divide(left)
    const streams = await readStreams(sql, some)
    give(part === 'derived' ? derivedLines(owner, streams) : streamLines(owner, streams))
    open = rest.length === 0 ? undefined : { owner, left: rest }
  }
  const begin = async (sql: Sql, { kind, part }: Phase, uid: string): Promise<void> => {
    if (kind !== 'component' && kind !== 'template') {
      const shown = await showOne(sql, caller, kind, uid)
      return give(shown === undefined ? [] : [{ [kind]: shown }])
    }
    const found = await findOwner(sql, caller, kind, uid)
    if (found === undefined) return
    const [some, rest] = divide(await streamWeights(sql, found.key, part === 'derived' ? 'derived' : 'all'))
    const streams = await readStreams(sql, some)
    const owner = { [`${kind}Uid`]: uid }
    give(part === 'derived' ? derivedLines(owner, streams) : entityLines(kind, found.shown, owner, streams))
    open = rest.length === 0 ? undefined : { owner, left: rest }
  }
  return async (sql: Transaction): Promise<boolean> => {
    // It may be asked again where what comes behind it has failed.
    if (phase === phases.length) return true
    const now = phases[phase]!
    if (open !== undefined) {
      await goOn(sql, now, open)
      return false
    }
    characters = 0
    const next = await entitiesAfter(sql, caller.organizationKey, now.kind, afterKey, entitiesAtOnce, scope)
    for (const { key, uid } of next) {
      if (maySee(caller, now.kind, uid)) await begin(sql, now, uid)
      // Not before: a reading that fails here goes on with this one.
      afterKey = key
      if (open !== undefined || characters >= mostCharacters) return false
    }
    if (next.length < entitiesAtOnce) {
      phase += 1
      afterKey = 0
    }
    return phase === phases.length
  }
}

/** The first that go into a line together, and the rest. */
const divide = (streams: readonly WeighedStream[]): readonly [readonly WeighedStream[], readonly WeighedStream[]] => {
  let bytes = 0
  let count = 0
  for (const stream of streams) {
    bytes += stream.bytes
    if (bytes > mostCharacters && count > 0) break
    count += 1
  }
  return [streams.slice(0, count), streams.slice(count)]
}

const maySee = (caller: Caller, kind: CatalogueKind, uid: string): boolean =>
  caller.may(`GET ${kind}`, uid) && (kind !== 'component' || caller.may('GET component/stream', uid))

const showOne = async (
  sql: Sql,
  caller: Caller,
  kind: 'unit' | 'cycle' | 'folder',
  uid: string,
): Promise<Shown | undefined> => {
  const shown = async <Row>({ find, show }: Showing<Row>) => {
    const row = await find(sql, caller, uid)
    return row && show(row)
  }
  switch (kind) {
    case 'unit':
      return shown(unitEntity)
    case 'cycle':
      return shown(cycleEntity)
    case 'folder':
      return shown(folderEntity)
  }
}

type Showing<Row> = {
  readonly find: (sql: Sql, caller: Caller, uid: string) => Promise<Row | undefined>
  readonly show: (row: Row) => Shown
}

/** Its streams are read apart. */
const findOwner = async (sql: Sql, { organizationKey }: Caller, kind: 'component' | 'template', uid: string) => {
  if (kind === 'component') {
    const component = await findComponentByUid(sql, organizationKey, uid)
    return component && { key: component.key, shown: componentEntity.show({ ...component, streams: [] }) }
  }
  const template = await findTemplateByUid(sql, organizationKey, uid)
  return template && { key: template.key, shown: templateEntity.show({ ...template, streams: [] }) }
}

function* entityLines(kind: CatalogueKind, shown: Shown, owner: Shown, streams: readonly Shown[]): Generator<Shown> {
  const [first = [], ...more] = split(streams.map(withoutExpression))
  yield { [kind]: { ...shown, stream: first } }
  for (const some of more) yield { streams: { ...owner, stream: some } }
}

function* streamLines(owner: Shown, streams: readonly Shown[]): Generator<Shown> {
  for (const some of split(streams.map(withoutExpression))) yield { streams: { ...owner, stream: some } }
}

function* derivedLines(owner: Shown, streams: readonly Shown[]): Generator<Shown> {
  for (const { id, position, expression, variables } of streams)
    // It was, a moment ago.
    if (expression !== null) yield { derived: { ...owner, streamId: id, position, expression, variables } }
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
      left = mostCharacters
    }
    lists.at(-1)!.push(stream)
    left -= length
  }
  return lists
}
