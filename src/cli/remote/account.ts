// The account and the log: whoami, audit.
import type { Command } from '../command.ts'
import { exit } from '../command.ts'
import { textOf, wholeNumberOf } from '../given.ts'
import { chosenServer } from '../settings.ts'
import { formOf, formOptions, printRows, withTimes } from '../table.ts'
import { readTime, timeAbout } from '../time.ts'
import { printOne } from './entity.ts'

export const whoami: Command = {
  name: 'whoami',
  summary: 'show the server, the user and the organizations',
  usage: '',
  examples: ['coppice whoami', 'coppice whoami --json'],
  options: formOptions,
  run: async (context, given) => {
    const { url, session, key } = await chosenServer(given, context.environment)
    const client = await context.client(given)
    const { userUid, organization } = await client.call('GET /api/login')
    const by = session !== undefined ? 'a session' : key === undefined ? 'nothing' : 'an API key'
    await printOne(context, given, { url, by, userUid, organizations: organization.map(({ name }) => name) })
    // A session that has ended is answered like none.
    return session !== undefined && userUid === null ? exit.refused : exit.done
  },
}

export const audit: Command = {
  name: 'audit',
  summary: 'list the changes that were made, latest first',
  usage: '[TEXT]',
  examples: ['coppice audit --entity unit', 'coppice audit celsius --json'],
  options: {
    entity: { type: 'string', value: 'ENTITY', about: 'of this entity, such as api_key' },
    action: { type: 'string', value: 'ACTION', about: 'of this action, such as api_key.reveal' },
    actor: { type: 'string', value: 'UID', about: 'by this user or key' },
    from: { type: 'string', value: 'TIME', about: timeAbout },
    limit: { type: 'string', short: 'n', value: 'N', about: 'at most so many; 100 unless given' },
    ...formOptions,
  },
  run: async (context, given) => {
    const from = textOf(given, 'from')
    const { audit: entries } = await (
      await context.client(given)
    ).call('GET /api/audit', {
      query: {
        text: given.positionals[0],
        entity: textOf(given, 'entity'),
        action: textOf(given, 'action'),
        actor: textOf(given, 'actor'),
        sd: from === undefined ? undefined : readTime(from, context.now()),
        limit: wholeNumberOf(given, 'limit') ?? 100,
      },
      signal: context.signal,
    })
    const rows = withTimes(entries, formOf(given))
    await printRows(context, ['time', 'actor', 'action', 'subject', 'detail'], rows, formOf(given))
    return exit.done
  },
}
