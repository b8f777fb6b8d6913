// coppice demo: a believable fleet over the API (docs/command-line.md#a-fleet-to-try).
import type { DemoSize } from '../../demo/fleet.ts'
import { demoSizes } from '../../demo/fleet.ts'
import { fillDemo, removeDemo } from '../../demo/fill.ts'
import type { Command } from '../command.ts'
import { exit } from '../command.ts'
import { isGiven, textOf, UsageError, wholeNumberOf } from '../given.ts'
import { grouped, openProgress } from '../progress.ts'

export const runDemo: Command['run'] = async (context, given) => {
  const size = textOf(given, 'size') ?? 'medium'
  if (!isSize(size)) throw new UsageError(`--size must be one of ${demoSizes.join(', ')}`)
  const seed = wholeNumberOf(given, 'seed') ?? 1
  const client = await context.client(given)
  if (isGiven(given, 'remove')) {
    const bar = openProgress(context, 'components')
    const { components } = await removeDemo(client, (done) => bar.set(done)).finally(bar.end)
    await context.err(`${components} components of the demo are removed\n`)
    return exit.done
  }
  let shown: { readonly total: number; readonly bar: ReturnType<typeof openProgress> } | undefined
  const progress = (samples: number, total: number, note: string) => {
    if (total === 0) return
    shown ??= { total, bar: openProgress(context, 'samples', total) }
    shown.bar.set(samples, note)
  }
  const { signal } = context
  const filled = await fillDemo(client, { size, seed, nowMs: context.now(), progress, signal }).finally(() =>
    shown?.bar.end(),
  )
  await context.err(
    `${filled.components} components below /Components/Demo, ${grouped(filled.samples)} samples and ${filled.files} ${filled.files === 1 ? 'file' : 'files'} added\n`,
  )
  return exit.done
}

const isSize = (text: string): text is DemoSize => (demoSizes as readonly string[]).includes(text)
