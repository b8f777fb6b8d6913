// Starts a thread of this program. Run from source, a thread has tsx only where it registers it, and that takes half a
// second of a core for each: where the program is built since the source was last changed, as it is in tests, the build
// is taken.
import { readdirSync, statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { WorkerOptions } from 'node:worker_threads'

const sourceDir = new URL('../', import.meta.url)
const builtDir = new URL('../../dist/', import.meta.url)

/** `file` is named by its URL in this program, with the ending that it has there: new URL('thread.ts', import.meta.url). */
export const startThread = (file: URL, options: WorkerOptions): Worker => {
  const loaded = inThreads(file)
  // Not what this process loads before all else: a tool's hooks, say, which a thread neither needs nor waits for.
  if (loaded.pathname.endsWith('.js')) return new Worker(loaded, { ...options, execArgv: [] })
  const load = `import('tsx/esm/api').then(({ register }) => register() && import('${file.href}'))`
  return new Worker(load, { ...options, eval: true, execArgv: [] })
}

/** The file that a thread loads for one of this program, named as above. */
export const inThreads = (file: URL): URL => {
  if (import.meta.url.endsWith('.js')) return new URL(file.href.replace(/\.ts$/, '.js'))
  const place = file.href.slice(sourceDir.href.length).replace(/\.ts$/, '.js')
  isBuilt ??= checkBuild()
  return isBuilt ? new URL(place, builtDir) : file
}

let isBuilt: boolean | undefined

/** Whether `npm run build` has ended after the last change of any source. */
const checkBuild = (): boolean => {
  const builtMs = statSync(new URL('.tsbuildinfo', builtDir), { throwIfNoEntry: false })?.mtimeMs
  if (builtMs === undefined) return false
  const names = readdirSync(sourceDir, { recursive: true, encoding: 'utf8' })
  return names.every((name) => !name.endsWith('.ts') || statSync(new URL(name, sourceDir)).mtimeMs < builtMs)
}
