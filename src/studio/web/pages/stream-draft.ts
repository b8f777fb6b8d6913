// The definition of a stream while it is edited, and the calls that it becomes.
import type { BodyOf } from '../../../client/client.ts'
import type { Component, Stream } from '../catalogue.ts'
import type { Window } from '../chart/window.ts'

export type Variable = NonNullable<Stream['variables']>[number]

export type Draft = {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly kind: Stream['kind']
  readonly valueType: Stream['valueType']
  readonly baseCycleId: string
  readonly unitUid: string
  readonly isDerived: boolean
  readonly expression: string
  readonly variables: readonly Variable[]
}

/** The component or template that the stream belongs to. */
export type Owner =
  | {
      readonly kind: 'component'
      readonly uid: string
      readonly id: string
      readonly name: string
      readonly zone: string
    }
  | { readonly kind: 'template'; readonly uid: string; readonly name: string }

export const draftOf = (stream: Stream | undefined): Draft => ({
  id: stream?.id ?? '',
  name: stream?.name ?? '',
  description: stream?.description ?? '',
  kind: stream?.kind ?? 'random',
  valueType: stream?.valueType ?? 'DOUBLE',
  baseCycleId: stream?.baseCycleId ?? '',
  unitUid: stream?.unitUid ?? '',
  isDerived: Boolean(stream?.expression),
  expression: stream?.expression ?? '',
  variables: stream?.variables ?? [],
})

export const ownerOfComponent = ({ uid, id, name, timeZone }: Component): Owner => ({
  kind: 'component',
  uid,
  id: id ?? '',
  name: name || (id ?? ''),
  zone: timeZone ?? 'UTC',
})

/** What is saved: members that do not go with the kind are left out. */
export const membersOf = (draft: Draft): object => ({
  id: draft.id,
  name: draft.name || draft.id,
  description: draft.description,
  kind: draft.kind,
  valueType: draft.valueType,
  baseCycleId: draft.kind === 'interval' ? draft.baseCycleId || null : null,
  unitUid: draft.unitUid || null,
  expression: draft.isDerived ? draft.expression : null,
  variables: draft.isDerived ? draft.variables : [],
})

export const testOf = (
  draft: Draft,
  componentUid: string,
  { from, to }: Window,
): BodyOf<'POST /api/stream/derive_test'> => ({
  expression: draft.expression,
  variables: [...draft.variables],
  from: Math.floor(from),
  to: Math.ceil(to),
  componentUid,
  kind: draft.kind === 'interval' ? 'interval' : 'random',
  valueType: draft.valueType,
  ...(draft.kind === 'interval' ? { baseCycleId: draft.baseCycleId } : {}),
})

/** A name for a variable of this stream: letters, digits and underscores, and none that is taken. */
export const variableName = (streamId: string, taken: readonly string[]): string => {
  const plain = streamId
    .replace(/\W+/g, '_')
    .replace(/^(?=\d)|^$/, 'v')
    .slice(0, 60)
  const used = new Set(taken.map((name) => name.toLowerCase()))
  if (!used.has(plain.toLowerCase())) return plain
  let n = 2
  while (used.has(`${plain}${n}`.toLowerCase())) n += 1
  return `${plain}${n}`
}
