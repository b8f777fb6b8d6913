// Derives a stream anew, with its progress.
import type { ReplyOf } from '../../client/client.ts'
import type { Command } from '../command.ts'
import { exit } from '../command.ts'
import type { Context } from '../context.ts'
import type { Given } from '../given.ts'
import { isGiven, textOf, UsageError } from '../given.ts'
import { formOptions } from '../table.ts'
import { readTime, timeAbout } from '../time.ts'
import { componentAbout, streamAbout } from './entities.ts'
import { findEntity, printOne } from './entity.ts'

type Derivation = ReplyOf<'POST /api/stream/{uid}/derive'>

export const derive: Command = {
  name: 'derive',
  summary: 'derive a stream anew from the streams of its expression',
  usage: 'COMPONENT STREAM [--from TIME] [--to TIME] [--status | --cancel]',
  details:
    'Without --from it begins where the stream is behind. It goes on when this program is ended; --status says how far it is.',
  examples: ['coppice derive Boiler fahrenheit --from 2026-01-01', 'coppice derive Boiler fahrenheit --status'],
  options: {
    from: { type: 'string', value: 'TIME', about: timeAbout },
    to: { type: 'string', value: 'TIME', about: 'before this; the end unless given' },
    status: { type: 'boolean', about: 'show how far it is' },
    cancel: { type: 'boolean', about: 'cancel it; the part that is derived stays' },
    'no-wait': { type: 'boolean', about: 'do not wait for the end' },
    ...formOptions,
  },
  run: async (context, given) => {
    const [component, stream] = given.positionals
    if (component === undefined || stream === undefined) throw new UsageError('which component and stream?')
    const client = await context.client(given)
    const { uid: componentUid } = await findEntity(client, componentAbout, component, {}, context.signal)
    const { uid } = await findEntity(client, streamAbout, stream, { componentUid }, context.signal)
    const path = { uid }
    if (isGiven(given, 'status'))
      return print(context, given, await client.call('GET /api/stream/{uid}/derive', { path }))
    if (isGiven(given, 'cancel')) {
      await client.call('DELETE /api/stream/{uid}/derive', { path })
      return exit.done
    }
    const body = { ...timeOf(context, given, 'from'), ...timeOf(context, given, 'to') }
    const query = { wait: !isGiven(given, 'no-wait') ? undefined : false }
    const { signal } = context
    return print(context, given, await client.call('POST /api/stream/{uid}/derive', { path, body, query, signal }))
  },
}

const timeOf = ({ now }: Context, given: Given, name: 'from' | 'to') => {
  const text = textOf(given, name)
  return text === undefined ? {} : { [name]: readTime(text, now()) }
}

const print = async (context: Context, given: Given, { derive: shown }: Derivation): Promise<number> => {
  if (shown === null) {
    await context.err('it was never asked for\n')
    return exit.done
  }
  await printOne(context, given, shown)
  return shown.error === null ? exit.done : exit.refused
}
