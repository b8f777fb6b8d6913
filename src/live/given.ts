// Rows of a page that channels are given: those of one tenant have a share (docs/access.md#shares), so that nobody else's wait for
// them. Beyond it they read by themselves.

/** One row counts for each channel that hears it. */
const mostGiven = 100_000

export type Given = {
  /** Counts a row for a channel of the tenant; false when its share is used up. */
  readonly take: (channel: { readonly tenantUid: string }) => boolean
}

/** For one page. */
export const openGiven = (most = mostGiven): Given => {
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
