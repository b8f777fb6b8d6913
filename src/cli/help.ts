// Help: the overview of all commands, and the page of one, made from their descriptions.
import type { Command, Option } from './command.ts'
import { commonOptions, exit, serverOptions } from './command.ts'
import type { Paint } from './context.ts'

export const overview = (commands: readonly Command[], paint: Paint): string => {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const lines = (some: readonly Command[]) => some.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return [
    'Coppice: time series from the command line.',
    '',
    `${paint('bold', 'usage')}: coppice COMMAND …`,
    '',
    paint('bold', 'with a server'),
    ...lines(commands.filter(({ isHost }) => !isHost)),
    '',
    paint('bold', 'on this machine'),
    ...lines(commands.filter(({ isHost }) => isHost)),
    '',
    'coppice COMMAND --help shows options and examples, coppice --version the version of this program.',
    `Exit codes: ${exit.done} done, ${exit.refused} refused or failed, ${exit.usage} wrong usage, ${exit.away} the server is away,`,
    `${exit.interrupted} interrupted.`,
    '',
  ].join('\n')
}

/** As many arguments as the usage of a command shows, so that one that is not read is not taken for one that counts. */
export const mostWords = (usage: string): number => {
  const words = usage
    .split('<')[0]!
    .replaceAll(/\[--[^[\]]*\]|(?<!\S)--\S+ \S+/g, ' ')
    .replaceAll(/[[\]]/g, ' ')
  if (/…|MEMBERS/.test(words)) return Number.POSITIVE_INFINITY
  return Math.max(...words.split('|').map((way) => way.split(' ').filter((word) => word !== '').length))
}

export const helpOf = (command: Command, paint: Paint): string => {
  const { name, summary, usage, details, examples, options, isHost } = command
  const parts = [
    `coppice ${name}: ${summary}`,
    `${paint('bold', 'usage')}: coppice ${name} ${usage}`.trimEnd(),
    ...(details === undefined ? [] : [details]),
    ...(Object.keys(options).length === 0 ? [] : [`${paint('bold', 'options')}\n${optionLines(options)}`]),
    `${paint('bold', 'examples')}\n${examples.map((line) => `  ${line}`).join('\n')}`,
    ...(isHost
      ? []
      : [`${paint('bold', 'options of every command')}\n${optionLines({ ...serverOptions, ...commonOptions })}`]),
  ]
  return `${parts.join('\n\n')}\n`
}

const optionLines = (options: Readonly<Record<string, Option>>): string => {
  const rows = Object.entries(options).map(([name, { short, value, type, about }]) => [
    `  ${short === undefined ? '    ' : `-${short}, `}--${name}${type === 'string' ? ` ${value ?? 'TEXT'}` : ''}`,
    about,
  ])
  const width = Math.max(...rows.map(([left]) => left!.length))
  return rows.map(([left, about]) => `${left!.padEnd(width)}  ${about}`).join('\n')
}
