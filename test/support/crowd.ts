// Many calls at once, but no more than so many under way.
//
//   await crowd(1000, 64, (n) => service.put(`/api/feed?compId=${n}&a=1`))

/** Runs work(0) to work(count - 1) and gives their results in that order; the first failure fails all. */
export const crowd = async <T>(
  count: number,
  atOnce: number,
  work: (n: number) => Promise<T>,
): Promise<readonly T[]> => {
  const results: T[] = []
  let next = 0
  const walk = async () => {
    while (next < count) {
      const n = next
      next += 1
      results[n] = await work(n)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, walk))
  return results
}
