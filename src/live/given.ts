// Rows that channels are given: those of one tenant have a share (docs/access.md#shares), so that nobody else's wait for them.

/** Rows that a tenant has of what the hub reads for all at once: each counts, and each channel that hears it. */
export const mostTogether = 2000

type Tenant = { readonly tenantUid: string }

export type Given = {
  /** Counts a row for so many channels of the tenant; false when that is more than is left of its share. */
  readonly take: (tenant: Tenant, channels?: number) => boolean
  /** So far. */
  readonly countOf: (tenant: Tenant) => number
}

export const openGiven = (most: number): Given => {
  const counts = new Map<string, number>()
  const countOf = ({ tenantUid }: Tenant) => counts.get(tenantUid) ?? 0
  return {
    take: (tenant, channels = 1) => {
      const count = countOf(tenant) + channels
      if (count > most) return false
      counts.set(tenant.tenantUid, count)
      return true
    },
    countOf,
  }
}
