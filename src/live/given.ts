// Rows that channels are given: those of one tenant have a share (docs/access.md#shares), so that nobody else's wait for them.

export type Given = {
  /** Counts a row for the tenant of a channel; false when its share is used up. */
  readonly take: (channel: { readonly tenantUid: string }) => boolean
}

export const openGiven = (most: number): Given => {
  const counts = new Map<string, number>()
  return {
    take: ({ tenantUid }) => {
      const count = counts.get(tenantUid) ?? 0
      if (count >= most) return false
      counts.set(tenantUid, count + 1)
      return true
    },
  }
}
