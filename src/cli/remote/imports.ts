// Imports from databases: their state, a run with its progress, and the end of one.
import type { Client, ReplyOf } from '../../client/client.ts'
import type { Command } from '../command.ts'
import { exit } from '../command.ts'
import type { Context } from '../context.ts'
import type { Given } from '../given.ts'
import { isGiven, UsageError } from '../given.ts'
import { grouped, openProgress } from '../progress.ts'
import { formOf, formOptions, printRows } from '../table.ts'
import { showTime } from '../time.ts'
import { connectorAbout } from './entities.ts'
import { findEntity, printOne } from './entity.ts'

type Run = ReplyOf<'POST /api/connector/{uid}/run'>['run']

export const imports: Command = {
  name: 'imports',
  summary: 'list imports from databases, run and watch them',
  usage: '[list | run NAME | watch NAME | runs NAME | cancel NAME]',
  details: 'NAME is the name or the uid of an import connector. A run that fails ends with exit code 1.',
  examples: [
    'coppice imports',
    'coppice imports run Meters',
    'coppice imports runs Meters --csv',
    'coppice imports watch Meters',
  ],
  options: { 'no-wait': { type: 'boolean', about: 'run: do not wait for the end' }, ...formOptions },
  run: async (context, given) => {
    const [action = 'list', word] = given.positionals
    const client = await context.client(given)
    if (action === 'list') return listImports(context, given, client)
    if (word === undefined) throw new UsageError('which import?')
    const { uid } = await findEntity(client, connectorAbout, word, {}, context.signal)
    switch (action) {
      case 'run': {
        const { run } = await client.call('POST /api/connector/{uid}/run', { path: { uid }, query: { wait: false } })
        return isGiven(given, 'no-wait') ? printRun(context, given, run) : watch(context, given, client, uid, run)
      }
      case 'watch': {
        const run = await newestRun(client, uid)
        if (run === undefined) throw new UsageError(`'${word}' has not run yet`)
        return watch(context, given, client, uid, run)
      }
      case 'runs': {
        const { run } = await client.call('GET /api/connector/{uid}/run', { path: { uid } })
        const columns = ['start', 'state', 'fetched', 'inserted', 'skipped', 'elapsed', 'error', 'uid']
        await printRows(context, columns, formOf(given) === 'json' ? run : run.map(shownRun), formOf(given))
        return exit.done
      }
      case 'cancel': {
        const run = await newestRun(client, uid)
        if (run === undefined || run.end !== null) throw new UsageError(`'${word}' does not run`)
        const path = { uid, run: run.uid }
        return printRun(context, given, (await client.call('DELETE /api/connector/{uid}/run/{run}', { path })).run)
      }
      default:
        throw new UsageError(`'${action}' is no action of imports`)
    }
  },
}

const listImports = async (context: Context, given: Given, client: Client): Promise<number> => {
  const rows = []
  for await (const one of client.entities('connector').list())
    if (one.type === 'import') rows.push(formOf(given) === 'json' ? one : shownImport(one))
  await printRows(
    context,
    ['name', 'enabled', 'schedule', 'lastRun', 'nextRun', 'failures', 'lastError', 'uid'],
    rows,
    formOf(given),
  )
  return exit.done
}

const shownImport = (one: object) => {
  const { lastRunDate, nextRun, ...rest } = one as {
    readonly lastRunDate?: number | null
    readonly nextRun?: number | null
  }
  return { ...rest, lastRun: shownOrNone(lastRunDate), nextRun: shownOrNone(nextRun) }
}
const shownOrNone = (timeMs: number | null | undefined) => (timeMs ? showTime(timeMs) : '')
const shownRun = (run: Run) => ({ ...run, start: shownOrNone(run.start), end: shownOrNone(run.end) })

const newestRun = async (client: Client, uid: string): Promise<Run | undefined> =>
  (await client.call('GET /api/connector/{uid}/run', { path: { uid }, query: { limit: 1 } })).run[0]

/** Asks once a second; the server goes on when this program is ended. */
const watch = async (context: Context, given: Given, client: Client, uid: string, begun: Run): Promise<number> => {
  const bar = openProgress(context, 'rows fetched')
  let run = begun
  try {
    while (run.end === null) {
      await pause(Math.min(1000, 50 + run.elapsed / 4), context.signal)
      const { run: runs } = await client.call('GET /api/connector/{uid}/run', { path: { uid }, signal: context.signal })
      run = runs.find((one) => one.uid === run.uid) ?? run
      bar.set(
        run.fetched,
        run.state === 'waiting' ? `waiting, place ${run.place ?? 1}` : `${grouped(run.inserted)} samples`,
      )
    }
  } finally {
    bar.end()
  }
  return printRun(context, given, run)
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })

const printRun = async (context: Context, given: Given, run: Run): Promise<number> => {
  await printOne(context, given, formOf(given) === 'json' ? run : shownRun(run))
  return run.state === 'failed' ? exit.refused : exit.done
}
