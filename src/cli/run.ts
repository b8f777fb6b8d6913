// One run of the command line: finds the command, reads its arguments, runs it, and makes an exit code of its end.
import { parseArgs } from 'node:util'
import { CoppiceError } from '../client/client.ts'
import type { Command } from './command.ts'
import { exit, optionsOf } from './command.ts'
import { commands, version } from './commands.ts'
import type { Context } from './context.ts'
import { withoutSteering } from './context.ts'
import type { Given } from './given.ts'
import { UsageError } from './given.ts'
import { helpOf, mostWords, overview } from './help.ts'

export const main = async (argv: readonly string[], surroundings: Context): Promise<number> => {
  const context = withoutSteering(surroundings)
  const [name = 'help', ...rest] = argv
  if (name === '--version') {
    await context.out(`${version}\n`)
    return exit.done
  }
  const isAskingForHelp = ['help', '--help', '-h'].includes(name)
  const wanted = isAskingForHelp ? rest.find((word) => !word.startsWith('-')) : name
  if (wanted === undefined) {
    await context.out(overview(commands, context.paint))
    return exit.done
  }
  const command = commands.find((one) => one.name === wanted)
  if (command === undefined) {
    await context.err(`coppice: there is no command '${wanted}'${nearest(wanted)}. All of them: coppice help\n`)
    return exit.usage
  }
  if (isAskingForHelp) {
    await context.out(helpOf(command, context.paint))
    return exit.done
  }
  try {
    const given = read(command, rest)
    if (given.values['help'] === true) {
      await context.out(helpOf(command, context.paint))
      return exit.done
    }
    const extra = given.positionals[mostWords(command.usage)]
    if (extra !== undefined) throw new UsageError(`'${extra}' is one word too many`)
    return await command.run(context, given)
  } catch (error) {
    return report(error, command, context)
  }
}

const read = (command: Command, args: readonly string[]): Given => {
  try {
    const options = Object.fromEntries(
      Object.entries(optionsOf(command)).map(([name, { type, short, multiple }]) => [
        name,
        { type, ...(short === undefined ? {} : { short }), ...(multiple === undefined ? {} : { multiple }) },
      ]),
    )
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    const message = (error as Error).message.split('. ')[0]!
    throw new UsageError(message)
  }
}

/** Errors that a user can mend are one line; others are ours, and keep their stack. */
const report = async (error: unknown, command: Command, context: Context): Promise<number> => {
  const say = (text: string) => context.err(`${paintErr(context)('red', `coppice ${command.name}:`)} ${text}\n`)
  if (context.signal.aborted) return exit.interrupted
  if (error instanceof UsageError) {
    await say(`${error.message}\nusage: coppice ${command.name} ${command.usage}\nmore: coppice ${command.name} --help`)
    return exit.usage
  }
  if (error instanceof CoppiceError) {
    const hint = error.status === 401 ? '. Sign in: coppice login' : ''
    await say(`${error.message}${hint}`)
    return [0, 502, 503, 504].includes(error.status) ? exit.away : exit.refused
  }
  if (isSystemError(error)) {
    await say(error.message)
    return exit.refused
  }
  await say(error instanceof Error ? (error.stack ?? error.message) : String(error))
  return exit.refused
}

const paintErr = ({ isErrTerminal, paint }: Context): Context['paint'] => (isErrTerminal ? paint : (_, text) => text)

/** A file that is not there, a disk that is full. */
const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string' && 'syscall' in error

/** A word that somebody has mistyped begins as it should, or has it inside. */
const nearest = (word: string): string => {
  const found = commands.find(({ name }) => name.startsWith(word.slice(0, 3)) || name.includes(word))
  return found === undefined ? '' : `; '${found.name}' perhaps?`
}
