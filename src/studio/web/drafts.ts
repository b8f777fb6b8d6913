// Changes that are not saved yet, with the version that they were begun on: others may change it meanwhile. They stay
// while the studio is open, because another page, or a sign-in, may come between, and the browser is not left without a
// question. Kept nowhere else, so that nothing of one person is left for the next. Pure.

export type Draft<First, Value> = { readonly first: First; readonly value: Value }

export type Drafts = {
  readonly of: <First, Value>(name: string) => Draft<First, Value> | undefined
  /** Undefined: there is nothing to keep any more. */
  readonly keep: <First, Value>(name: string, draft: Draft<First, Value> | undefined) => void
}

/** `changed` is called with whether there are any. */
export const openDrafts = (changed: (isAny: boolean) => void): Drafts => {
  const drafts = new Map<string, Draft<unknown, unknown>>()
  return {
    of: <First, Value>(name: string) => drafts.get(name) as Draft<First, Value> | undefined,
    keep: (name, draft) => {
      if (draft) drafts.set(name, draft)
      else if (!drafts.delete(name)) return
      changed(drafts.size > 0)
    },
  }
}

/** The draft, or undefined where its value is the one that it was begun with. */
export const unlessSame = <First, Value>(
  draft: Draft<First, Value>,
  valueOf: (first: First) => Value,
): Draft<First, Value> | undefined =>
  JSON.stringify(draft.value) === JSON.stringify(valueOf(draft.first)) ? undefined : draft

export type Versioned = { readonly uid?: string | null; readonly version?: number } | undefined

/** The newer one, if both are of the same entity: a list that was asked before a change comes after it. */
export const newerOf = <Entity extends Versioned>(saved: Entity | undefined, loaded: Entity): Entity =>
  saved && loaded && saved.uid === loaded.uid && (saved.version ?? 0) > (loaded.version ?? 0) ? saved : loaded

export const isStale = (first: Versioned, now: Versioned): boolean => first?.version !== now?.version
