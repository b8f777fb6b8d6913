// The work of a function with an input, counted and not timed: how often the blocks of its code were run, by V8's own
// coverage. A count is nearly the same on every machine, however busy, so that growth can be distinguished from noise.
// A step of V8's own (a search in a text, a sort) counts as one.
//
//   const [few, many] = await countSteps(new URL('../src/gsql/script.ts', import.meta.url), 'compileScript', [[a], [b]])
import { Session } from 'node:inspector/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { inThreads } from '../../src/base/thread.ts'

type Work = { readonly module: string; readonly name: string; readonly calls: readonly (readonly unknown[])[] }

/** V8 counts only in code that it read after it was asked to: so the module is loaded in a thread of its own. */
export const countSteps = (module: URL, name: string, calls: Work['calls']): Promise<readonly number[]> =>
  new Promise((resolve, reject) => {
    // Of tests there is no build.
    const isOfProgram = module.href.startsWith(new URL('../../src/', import.meta.url).href)
    const work: Work = { module: (isOfProgram ? inThreads(module) : module).href, name, calls }
    const load = `import('tsx/esm/api').then(({ register }) => register() && import('${import.meta.url}'))`
    const thread = new Worker(load, { workerData: work, eval: true, execArgv: [] })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', () => reject(new Error('the thread that counts has ended')))
  })

const countHere = async ({ module, name, calls }: Work): Promise<readonly number[]> => {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const take = async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ url }) => !url.startsWith('node:'))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0)
  }
  const { [name]: run } = (await import(module)) as Readonly<Record<string, (...values: readonly unknown[]) => unknown>>
  const countCall = async (values: readonly unknown[]) => {
    await take()
    try {
      await run!(...values)
    } catch {
      // Refused or not, it was looked at.
    }
    return take()
  }
  const counts: number[] = []
  for (const values of calls) {
    // The first call fills what is remembered from call to call.
    await countCall(values)
    counts.push(await countCall(values))
  }
  return counts
}

if (!isMainThread && (workerData as Partial<Work> | undefined)?.calls !== undefined)
  parentPort!.postMessage(await countHere(workerData as Work))
