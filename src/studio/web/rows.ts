// The first rows of a list, `count` of them; a reply has 1,000 at most.

export type Rows<T> = { readonly rows: readonly T[]; readonly totalCount: number }

export const mostInReply = 1000

export const loadRows = async <T>(
  count: number,
  load: (page: { readonly start: number; readonly limit: number }) => Promise<Rows<T>>,
): Promise<Rows<T>> => {
  const rows: T[] = []
  for (;;) {
    const page = { start: rows.length, limit: Math.min(mostInReply, count - rows.length) }
    const { rows: more, totalCount } = await load(page)
    rows.push(...more)
    // A list that has become shorter meanwhile ends with an empty page.
    if (more.length === 0 || rows.length >= Math.min(count, totalCount)) return { rows, totalCount }
  }
}
