// Components whose samples somebody holds, by a deletion or an import. Uploads to them do not come to a lane for a while:
// all others would wait with them there. A tenant that has many of them comes to none: each has to be met to be known.
const componentMs = 30_000
/** That a tenant meets within the same time. */
const mostOfTenant = 16
/** Of each: the oldest are forgotten. */
const mostKept = 10_000

type Named = readonly { readonly key: number }[]

export class HeldComponents {
  /** By the clock of the process. */
  readonly #heldUntil = new Map<number, number>()
  /** The last times at which a tenant has met held samples. */
  readonly #metAt = new Map<string, readonly number[]>()

  has(tenantUid: string, components: Named): boolean {
    if (this.#heldUntil.size === 0) return false
    const nowMs = performance.now()
    const metAt = this.#metAt.get(tenantUid)
    if (metAt?.length === mostOfTenant && metAt[0]! > nowMs - componentMs) return true
    return components.some(({ key }) => (this.#heldUntil.get(key) ?? 0) > nowMs)
  }

  add(tenantUid: string, components: Named): void {
    const nowMs = performance.now()
    for (const { key } of components) keep(this.#heldUntil, key, nowMs + componentMs)
    keep(this.#metAt, tenantUid, [...(this.#metAt.get(tenantUid) ?? []), nowMs].slice(-mostOfTenant))
  }
}

const keep = <K, V>(map: Map<K, V>, key: K, value: V): void => {
  map.delete(key)
  map.set(key, value)
  if (map.size > mostKept) map.delete(map.keys().next().value!)
}
