// Any call of the API, for everything that has no command of its own.
import type { Operation } from '../../client/client.ts'
import type { Command } from '../command.ts'
import { exit } from '../command.ts'
import { textOf, textsOf, UsageError } from '../given.ts'
import { readMembers } from '../members.ts'
import { readable } from '../readable.ts'

export const call: Command = {
  name: 'call',
  summary: 'make any call of the API',
  usage: 'METHOD /api/… [MEMBERS] [--query NAME=VALUE…]',
  details: 'The reply is printed as it comes. All calls: /docs of the server.',
  examples: [
    'coppice call GET /api/comp/Boiler/last_value --query retStreamId',
    'coppice call POST /api/unit id=kelvin symbol=" K"',
    'coppice call GET /api/openapi.json',
  ],
  options: {
    query: {
      type: 'string',
      short: 'q',
      multiple: true,
      value: 'NAME=VALUE',
      about: 'a parameter; without a value a flag; repeatable',
    },
    data: { type: 'string', short: 'd', value: 'BODY', about: 'the body: JSON, @FILE, or - for the input' },
    accept: { type: 'string', value: 'TYPE', about: 'the type of the reply, such as text/csv' },
  },
  run: async (context, given) => {
    const [method = '', path = '', ...words] = given.positionals
    // Parameters stand apart, because they decide whether the call may be tried again.
    if (!/^(GET|PUT|POST|DELETE)$/.test(method) || !/^(?:\/[^/?#\s]+)+$/.test(path))
      throw new UsageError(
        'a call is GET, PUT, POST or DELETE and a path such as /api/unit, with parameters by --query',
      )
    const data = textOf(given, 'data')
    const isWhole = data !== undefined && words.length === 0
    const body = isWhole
      ? await readable(context, data)
      : words.length === 0
        ? undefined
        : JSON.stringify(await readMembers(context, given, words))
    const accept = textOf(given, 'accept')
    const reply = await (
      await context.client(given)
    ).fetch(`${method} ${path}` as Operation, {
      query: Object.fromEntries(textsOf(given, 'query').map(readPair)),
      ...(body === undefined ? {} : { body }),
      ...(accept === undefined ? {} : { headers: { Accept: accept } }),
      signal: context.signal,
    })
    const reader = reply.body?.getReader()
    for (let part = await reader?.read(); part && !part.done; part = await reader!.read()) await context.out(part.value)
    if (context.isTerminal) await context.out('\n')
    return exit.done
  },
}

const readPair = (pair: string): readonly [string, string | true] => {
  const mark = pair.indexOf('=')
  return mark < 0 ? [pair, true] : [pair.slice(0, mark), pair.slice(mark + 1)]
}
