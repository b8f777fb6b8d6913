// Files in and out, as they are, however large.
import { open } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { Command } from '../command.ts'
import { exit } from '../command.ts'
import { textOf, UsageError } from '../given.ts'
import { readTime, timeAbout } from '../time.ts'
import { writeWhole } from '../whole-file.ts'

const operation = '/api/comp/{compId}/stream/{streamId}/feed/file/{fileName}'

export const file: Command = {
  name: 'file',
  summary: 'store a file in a stream, or fetch the newest of its name',
  usage: 'put COMPONENT STREAM FILE | get COMPONENT STREAM NAME [--output FILE]',
  examples: ['coppice file put Gate notes hello.txt', 'coppice file get Gate notes hello.txt --output copy.txt'],
  options: {
    time: {
      type: 'string',
      short: 't',
      value: 'TIME',
      about: `of the file that is stored; now unless given: ${timeAbout}`,
    },
    name: { type: 'string', value: 'NAME', about: 'its name in the stream; that of the file unless given' },
    output: { type: 'string', short: 'o', value: 'FILE', about: 'where to write; the standard output unless given' },
  },
  run: async (context, given) => {
    const [action, compId, streamId, path] = given.positionals
    if (compId === undefined || streamId === undefined || path === undefined)
      throw new UsageError('which component, stream and file?')
    const client = await context.client(given)
    const { signal } = context
    if (action === 'put') {
      const time = textOf(given, 'time')
      const handle = await open(resolve(context.directory, path))
      const body = Readable.toWeb(handle.createReadStream()) as ReadableStream<Uint8Array>
      await client.call(`PUT ${operation}`, {
        path: { compId, streamId, fileName: textOf(given, 'name') ?? basename(path) },
        query: { time: time === undefined ? undefined : readTime(time, context.now()) },
        body,
        signal,
      })
      return exit.done
    }
    if (action !== 'get') throw new UsageError('put or get?')
    const reply = await client.fetch(`GET ${operation}`, { path: { compId, streamId, fileName: path }, signal })
    const output = textOf(given, 'output')
    const write = async (to: (piece: Uint8Array) => Promise<void>) => {
      for await (const piece of reply.body as unknown as AsyncIterable<Uint8Array>) await to(piece)
    }
    if (output === undefined) await write(context.out)
    else await writeWhole(resolve(context.directory, output), write)
    return exit.done
  },
}
