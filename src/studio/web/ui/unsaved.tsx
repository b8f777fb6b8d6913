// The changes of an editor until they are saved (drafts.ts), and what its page says about them.
import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { isStale, newerOf, openDrafts, unlessSame } from '../drafts.ts'
import type { Draft, Versioned } from '../drafts.ts'
import { person } from '../session.ts'
import { texts } from '../texts.ts'

const words = texts.unsaved

const ask = (event: BeforeUnloadEvent) => event.preventDefault()
/** Pages are drawn anew by it. */
const turns = signal(0)

const drafts = openDrafts((isAny) => {
  turns.value += 1
  // Not for ever: browsers keep no page for the way back that listens to it.
  if (isAny) addEventListener('beforeunload', ask)
  else removeEventListener('beforeunload', ask)
})

/** Of this person alone: somebody else may sign in at the same window. */
const ownName = (name: string): string => `${person.peek()?.userUid ?? ''} ${name}`

export const draftOf = <First, Value>(name: string): Draft<First, Value> | undefined => drafts.of(ownName(name))

export const keepDraft = <First, Value>(name: string, draft: Draft<First, Value> | undefined): void =>
  drafts.keep(ownName(name), draft)

export type Changes<Entity, Value> = {
  readonly value: Value
  /** The entity as it was when the changes were begun; it is saved over this version and no other. */
  readonly first: Entity
  readonly isChanged: boolean
  /** Whether somebody else has changed the entity meanwhile. */
  readonly isStale: boolean
  /** Another one when fields that keep their own text are to be made anew. */
  readonly turn: number
  readonly change: (members: Partial<Value>) => void
  readonly drop: () => void
  /** Goes on over the version that somebody else has saved. */
  readonly goOn: () => void
  /** Goes on over the version that the person has saved by other fields. */
  readonly goOnFrom: (made: Entity) => void
  /** Called with the entity that the server has made of it. */
  readonly saved: (made: Entity) => void
}

export const useDraft = <Entity extends Versioned, Value extends object>(
  name: string,
  loaded: Entity,
  valueOf: (entity: Entity) => Value,
): Changes<Entity, Value> => {
  void turns.value
  const [made, setMade] = useState<Entity>()
  const [turn, setTurn] = useState(0)
  const entity = newerOf(made, loaded)
  const now = (): Draft<Entity, Value> => draftOf(name) ?? { first: entity, value: valueOf(entity) }
  const keep = (draft: Draft<Entity, Value>) => keepDraft(name, unlessSame(draft, valueOf))
  const drop = () => {
    keepDraft(name, undefined)
    setTurn((n) => n + 1)
  }
  const { first, value } = now()
  const isChanged = draftOf(name) !== undefined
  const isBehind = isChanged && isStale(first, entity)
  return {
    value,
    first,
    isChanged,
    isStale: isBehind,
    turn,
    change: (members) => {
      const before = now()
      keep({ ...before, value: { ...before.value, ...members } })
    },
    drop,
    goOn: () => keep({ first: entity, value }),
    goOnFrom: (other) => {
      setMade(() => other)
      if (isChanged && !isBehind) keep({ first: other, value })
    },
    saved: (saved) => {
      setMade(() => saved)
      drop()
    },
  }
}

export const Unsaved = ({
  of,
}: {
  readonly of: Pick<Changes<never, never>, 'isChanged' | 'isStale' | 'drop' | 'goOn'>
}) => {
  if (!of.isChanged) return null
  return of.isStale ? (
    <div class="notice warn row" role="alert">
      <span>{words.changedMeanwhile}</span>
      <button onClick={of.drop}>{words.takeTheirs}</button>
      <button onClick={of.goOn}>{words.keepMine}</button>
    </div>
  ) : (
    <div class="row" role="status">
      <span class="quiet">{words.kept}</span>
      <button onClick={of.drop}>{words.drop}</button>
    </div>
  )
}
