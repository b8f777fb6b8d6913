// Skips tests with their reason: it stands in their titles, which the reporter prints, so that a reader of the run
// knows what this machine lacks.
//
//   if (!isRoot) skipWithout(this, 'root')      ->      - skipped: ... keeps the programs where only root can write (needs root)
import type { Context } from 'mocha'

/** A test skips itself; a hook before each skips the test that comes, and one before all of them its group. */
export const skipWithout = (context: Context, needed: string): never => {
  const { test, currentTest } = context
  const isHook = (test as { readonly type?: string }).type === 'hook'
  const skipped = isHook ? (currentTest ?? test!.parent!) : test!
  skipped.title += ` (needs ${needed})`
  return context.skip()
}
