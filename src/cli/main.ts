#!/usr/bin/env node
// The program `coppice`: the command line with the terminal, the environment and the signals of its process.
import { once } from 'node:events'
import { fstatSync } from 'node:fs'
import { addAbortSignal } from 'node:stream'
import { createClient } from '../client/client.ts'
import type { Context } from './context.ts'
import { paintOf, wantsColours } from './context.ts'
import { openAsk } from './prompt.ts'
import { main } from './run.ts'
import { chosenServer, clientOptions } from './settings.ts'
import { writeAll } from './whole-file.ts'

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

/** Into a file (`> history.csv`) not by the stream, which does not look whether all was written. */
const isFile = fstatSync(stdout.fd).isFile()

const context: Context = {
  out: isFile ? (text) => writeAll(stdout.fd, Buffer.from(text)) : writer(stdout),
  err: writer(stderr),
  isTerminal: stdout.isTTY,
  isErrTerminal: stderr.isTTY,
  paint: paintOf(wantsColours(stdout.isTTY, env)),
  width: () => stdout.columns ?? stderr.columns ?? 80,
  environment: env,
  input: () => addAbortSignal(interrupted.signal, stdin) as AsyncIterable<Uint8Array>,
  isInputTerminal: stdin.isTTY,
  ask: openAsk(stdin, stderr),
  signal: interrupted.signal,
  now: Date.now,
  directory: process.cwd(),
  client: async (given) => createClient(clientOptions(await chosenServer(given, env))),
}

process.exitCode = await main(process.argv.slice(2), context)
// The rest of an input that nobody closes would keep the program waiting.
stdin.destroy()
