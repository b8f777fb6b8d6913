// A command of the command line, as data: help, completion and the parsing of arguments are made from it (docs/command-line.md).
//
// Commands that need more than the client load it when they are run, by `await import(…)`, so that the others start fast.
import type { Context } from './context.ts'
import type { Given } from './given.ts'

export type Command = {
  readonly name: string
  /** One line, for the list of commands. */
  readonly summary: string
  /** The arguments behind the name, such as `COMPONENT STREAM=VALUE…`. */
  readonly usage: string
  /** More about it, for its own help. */
  readonly details?: string
  /** Whole lines as they are typed, each of which a test runs. */
  readonly examples: readonly string[]
  readonly options: Readonly<Record<string, Option>>
  /** Whether it works on this machine, and takes no server. */
  readonly isHost?: boolean
  /** Gives the exit code. A CoppiceError, a UsageError and an abort need not be caught. */
  readonly run: (context: Context, given: Given) => Promise<number>
}

/** As node:util parseArgs takes it, with a line of help. */
export type Option = {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  readonly multiple?: boolean
  readonly about: string
  /** The name of its value in the help, such as FILE. */
  readonly value?: string
}

/** The exit codes of all commands (docs/command-line.md#output). */
export const exit = { done: 0, refused: 1, usage: 2, away: 3, interrupted: 130 } as const

/** Taken by every command that talks to a server. */
export const serverOptions: Readonly<Record<string, Option>> = {
  server: { type: 'string', short: 's', value: 'NAME', about: 'a server of the configuration; else its default' },
  url: { type: 'string', value: 'URL', about: 'the address of the server (COPPICE_URL)' },
  key: { type: 'string', value: 'KEY', about: 'an API key; others on this machine may see it: rather set COPPICE_KEY' },
  org: { type: 'string', value: 'UID', about: 'the organization, for users of several (COPPICE_ORG)' },
}

export const commonOptions: Readonly<Record<string, Option>> = {
  help: { type: 'boolean', short: 'h', about: 'show this help' },
}

/** All options of a command, its own and those of all. */
export const optionsOf = ({ options, isHost }: Command): Readonly<Record<string, Option>> => ({
  ...options,
  ...(isHost ? {} : serverOptions),
  ...commonOptions,
})
