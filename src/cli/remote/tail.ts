// Samples as they are stored, one line each, until Ctrl-C.
import type { LiveOf } from '../../client/client.ts'
import type { Command } from '../command.ts'
import { exit } from '../command.ts'
import { textOf, textsOf, UsageError, wholeNumberOf } from '../given.ts'
import { formOf, formOptions, openLines } from '../table.ts'
import { showTime } from '../time.ts'

export const tail: Command = {
  name: 'tail',
  summary: 'show samples as they are stored, last values first',
  usage: '[COMPONENT [STREAM…]] [--component COMPONENT…] [--folder FOLDER…]',
  details: 'Goes on until Ctrl-C. A connection that is lost is made again, and nothing is missing.',
  examples: ['coppice tail Boiler temp --seconds 0', 'coppice tail --folder /Components/North --seconds 0 --json'],
  options: {
    component: {
      type: 'string',
      multiple: true,
      value: 'COMPONENT',
      about: 'one more, with all of its streams; repeatable',
    },
    folder: { type: 'string', multiple: true, value: 'FOLDER', about: 'all components in it and below; repeatable' },
    seconds: { type: 'string', value: 'N', about: 'end after so many; 0: after the last values' },
    after: { type: 'string', value: 'ID', about: 'go on behind this event, as --json shows its id' },
    ...formOptions,
  },
  run: async (context, given) => {
    const [compId, ...streams] = given.positionals
    const of: readonly LiveOf[] = [
      ...(compId === undefined ? [] : [{ compId, streams }]),
      ...textsOf(given, 'component').map((id) => ({ compId: id })),
      ...textsOf(given, 'folder').map((folder) => ({ folder })),
    ]
    if (of.length === 0) throw new UsageError('which component, or --folder?')
    const form = formOf(given)
    const print = openLines(context, ['component', 'stream', 'time', 'value'], form)
    const after = textOf(given, 'after')
    const events = (await context.client(given)).live(of, {
      signal: context.signal,
      seconds: wholeNumberOf(given, 'seconds'),
      ...(after === undefined ? {} : { lastEventId: after }),
      onLost: (reason) => void context.err(`${reason}; coming back\n`),
    })
    for await (const event of events) {
      if (form === 'json') await print.row(event)
      else if (event.kind === 'sample') {
        const { compId: component, streamId: stream, time, data: value } = event.sample
        await print.row({ component, stream, time: showTime(time), value })
      } else if (event.kind === 'gap') await context.err(`${event.message}\n`)
    }
    await print.end()
    return exit.done
  },
}
