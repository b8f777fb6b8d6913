// A reference to a component or a stream: mostly its ID as a plain text; else its uid, or the position of a stream. IDs
// are plain strings and not wrapped, because a call may name a hundred thousand.
export type UidRef = { readonly uid: string }
export type PositionRef = {
  /** In the definition order, from 1. */
  readonly position: number
}

export type ComponentRef = string | UidRef
export type StreamRef = string | UidRef | PositionRef

export const isId = (ref: StreamRef): ref is string => typeof ref === 'string'
export const isUid = (ref: StreamRef): ref is UidRef => typeof ref === 'object' && 'uid' in ref
export const isPosition = (ref: StreamRef): ref is PositionRef => typeof ref === 'object' && 'position' in ref

/** A Map by the named component: two references to one uid are two objects. */
export class ByComponentRef<T> {
  readonly #byId = new Map<string, T>()
  readonly #byUid = new Map<string, T>()

  get(ref: ComponentRef): T | undefined {
    return isId(ref) ? this.#byId.get(ref) : this.#byUid.get(ref.uid)
  }

  set(ref: ComponentRef, value: T): void {
    if (isId(ref)) this.#byId.set(ref, value)
    else this.#byUid.set(ref.uid, value)
  }

  delete(ref: ComponentRef): void {
    if (isId(ref)) this.#byId.delete(ref)
    else this.#byUid.delete(ref.uid)
  }

  *values(): Generator<T> {
    yield* this.#byId.values()
    yield* this.#byUid.values()
  }
}
