// Types command lines in this process, as a shell would, as far as examples of help need one: quotes, $NAME, $(coppice …),
// < file and > file. To start the program for each of them would take half a second of a core.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../../src/cli/context.ts'
import { paintOf } from '../../src/cli/context.ts'
import { main } from '../../src/cli/run.ts'
import { chosenServer, clientOptions } from '../../src/cli/settings.ts'
import { createClient } from '../../src/client/client.ts'

export type Typed = { readonly code: number; readonly out: string; readonly err: string }

export type Shell = {
  readonly type: (line: string, changed?: Partial<Context>) => Promise<Typed>
  /** The same with its arguments apart; a failure is an error here. */
  readonly run: (...args: readonly string[]) => Promise<string>
  readonly environment: Record<string, string | undefined>
  readonly write: (name: string, text: string) => void
  readonly read: (name: string) => string
}

/** The files of its lines are those of this directory, which is also its home. */
export const openShell = (directory: string, variables: Readonly<Record<string, string>>): Shell => {
  const environment: Record<string, string | undefined> = { HOME: directory, ...variables }
  const start = async (args: readonly string[], input: string, changed: Partial<Context> = {}): Promise<Typed> => {
    const [out, err]: [Buffer[], string[]] = [[], []]
    const answers = input.split('\n')
    const context: Context = {
      out: async (text) => void out.push(Buffer.from(text)),
      err: async (text) => void err.push(text),
      isTerminal: false,
      isErrTerminal: false,
      paint: paintOf(false),
      width: () => 80,
      environment,
      input: async function* () {
        yield Buffer.from(input)
      },
      isInputTerminal: false,
      ask: async () => answers.shift() ?? '',
      signal: new AbortController().signal,
      now: Date.now,
      directory,
      client: async (given) => createClient(clientOptions(await chosenServer(given, environment))),
      ...changed,
    }
    const code = await main(args, context)
    return { code, out: Buffer.concat(out).toString(), err: err.join('') }
  }
  const type = async (line: string, changed: Partial<Context> = {}): Promise<Typed> => {
    const words = await wordsOf(line, environment, async (inner) => (await type(inner, changed)).out.trimEnd())
    const redirects = new Map<string, string>()
    const args: string[] = []
    for (let n = 0; n < words.length; n++)
      if (words[n] === '<' || words[n] === '>') redirects.set(words[n]!, join(directory, words[++n]!))
      else args.push(words[n]!)
    assert.equal(args.shift(), 'coppice', line)
    const input = redirects.get('<')
    const typed = await start(args, input === undefined ? '' : readFileSync(input, 'utf8'), changed)
    const output = redirects.get('>')
    if (output !== undefined) writeFileSync(output, typed.out)
    return typed
  }
  return {
    type,
    run: async (...args) => {
      const { code, out, err } = await start(args, '')
      assert.equal(code, 0, `coppice ${args.join(' ')}: ${err}`)
      return out
    },
    environment,
    write: (name, text) => writeFileSync(join(directory, name), text),
    read: (name) => readFileSync(join(directory, name), 'utf8'),
  }
}

const wordsOf = async (
  line: string,
  environment: Readonly<Record<string, string | undefined>>,
  substitute: (line: string) => Promise<string>,
): Promise<readonly string[]> => {
  const words: string[] = []
  let word: string | undefined
  let rest = line
  while (rest.length > 0) {
    const take = (pattern: RegExp): readonly string[] | undefined => {
      const match = pattern.exec(rest)
      if (match) rest = rest.slice(match[0].length)
      return match ?? undefined
    }
    let match: readonly string[] | undefined
    if (take(/^ +/)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if ((match = take(/^'([^']*)'/))) word = (word ?? '') + match[1]!
    else if ((match = take(/^"((?:[^"\\$]|\\.|\$\([^)]*\)|\$\w*)*)"/)))
      word = (word ?? '') + (await expand(match[1]!, environment, substitute))
    else if ((match = take(/^(?:\$\([^)]*\)|\$\w+)/)))
      word = (word ?? '') + (await expand(match[0]!, environment, substitute))
    else word = (word ?? '') + take(/^[^]/)![0]!
  }
  return word === undefined ? words : [...words, word]
}

const expand = async (
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
  substitute: (line: string) => Promise<string>,
): Promise<string> => {
  let expanded = ''
  for (const [part, inner, name, escaped] of text.matchAll(/\$\(([^)]*)\)|\$(\w+)|\\(["\\$])|[^]/g))
    if (inner !== undefined) expanded += await substitute(inner)
    else if (name !== undefined) {
      const value = new Map(Object.entries(environment)).get(name)
      assert.ok(value !== undefined, `$${name} is not set`)
      expanded += value
    } else expanded += escaped ?? part
  return expanded
}
