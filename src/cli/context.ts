// The surroundings of a command: where it writes, what it may ask, the servers it knows. The program makes one from its
// process (main.ts), a test one of its own.
import type { Client } from '../client/client.ts'
import type { Given } from './given.ts'

export type Context = {
  /** Results, for people or the next program; it waits while that one is slow. */
  readonly out: (text: string | Uint8Array) => Promise<void>
  /** Remarks for people. */
  readonly err: (text: string) => Promise<void>
  /** Whether results, and remarks, are read on a terminal. */
  readonly isTerminal: boolean
  readonly isErrTerminal: boolean
  /** Colours results, on a terminal that wants it. */
  readonly paint: Paint
  /** The columns of the terminal. */
  readonly width: () => number
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The standard input, as it comes. */
  readonly input: () => AsyncIterable<Uint8Array>
  readonly isInputTerminal: boolean
  /** Asks on the terminal, without an echo where the answer is a secret. */
  readonly ask: (question: string, isSecret?: boolean) => Promise<string>
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  readonly now: () => number
  /** The directory from which files are named. */
  readonly directory: string
  /** The client of the server that options, environment and configuration name. */
  readonly client: (given: Given) => Promise<Client>
}

export type Paint = (colour: Colour, text: string) => string
export type Colour = 'bold' | 'faint' | 'red' | 'green' | 'yellow'

const codes: Readonly<Record<Colour, number>> = { bold: 1, faint: 2, red: 31, green: 32, yellow: 33 }

export const paintOf =
  (isColoured: boolean): Paint =>
  (colour, text) =>
    isColoured ? `\u001B[${codes[colour]}m${text}\u001B[0m` : text

/** Our colours, and the beginning of a bar that is shown anew (progress.ts); and all others that do more than begin a line or a column. */
const steering = /(^\r\u001B\[K|\u001B\[(?:[012]|3[123])m)|[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g

/**
 * Names, and messages with them, are other people's, and none of them may steer a terminal: it is mostly an operator's. Results for
 * the next program stay as they are.
 */
export const withoutSteering = ({ out, err, isTerminal, ...context }: Context): Context => {
  const plain = (text: string) => text.replaceAll(steering, '$1')
  // A character may come in two pieces.
  const decoder = new TextDecoder()
  const textOf = (given: string | Uint8Array) =>
    typeof given === 'string' ? decoder.decode() + given : decoder.decode(given, { stream: true })
  return {
    ...context,
    isTerminal,
    out: (given) => out(isTerminal ? plain(textOf(given)) : given),
    err: (text) => err(plain(text)),
  }
}

/** Colours only on a terminal, and not where NO_COLOR says otherwise (no-color.org) or the terminal knows none. */
export const wantsColours = (isTerminal: boolean, environment: Context['environment']): boolean =>
  isTerminal && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb'
