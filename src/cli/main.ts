#!/usr/bin/env node
// The program `coppice`: the command line with the terminal, the environment and the signals of its process.
import { once } from 'node:events'
import { createClient } from '../client/client.ts'
import type { Context } from './context.ts'
import { paintOf, wantsColours } from './context.ts'
import { ask } from './prompt.ts'
import { main } from './run.ts'
import { chosenServer, clientOptions } from './settings.ts'

const { stdout, stderr, stdin, env } = process

/** A reader that has seen enough (`| head`) ends the program, and that is no error. */
const endQuietly = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
}
stdout.on('error', endQuietly)
stderr.on('error', endQuietly)

const interrupted = new AbortController()
process.once('SIGINT', () => interrupted.abort(new Error('interrupted')))
process.once('SIGTERM', () => interrupted.abort(new Error('ended')))

const writer = (stream: NodeJS.WriteStream) => async (text: string | Uint8Array) => {
  if (!stream.write(text)) await once(stream, 'drain')
}

const context: Context = {
  out: writer(stdout),
  err: writer(stderr),
  isTerminal: stdout.isTTY,
  isErrTerminal: stderr.isTTY,
  paint: paintOf(wantsColours(stdout.isTTY, env)),
  width: () => stdout.columns ?? stderr.columns ?? 80,
  environment: env,
  input: () => stdin as AsyncIterable<Uint8Array>,
  isInputTerminal: stdin.isTTY,
  ask: (question, isSecret) => ask(stdin, stderr, question, isSecret),
  signal: interrupted.signal,
  now: Date.now,
  directory: process.cwd(),
  client: async (given) => createClient(clientOptions(await chosenServer(given, env))),
}

process.exitCode = await main(process.argv.slice(2), context)
