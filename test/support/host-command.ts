// A command of the host (src/cli/host) as somebody types it, in this process: its exit code, and all that it wrote.
//
//   const { code, err } = await typeCommand(['backup', path], { DATA_DIR: directory })
import { main } from '../../src/cli/run.ts'
import type { Context } from '../../src/cli/context.ts'
import { paintOf } from '../../src/cli/context.ts'
import { createClient } from '../../src/client/client.ts'

export type Typed = { readonly code: number; readonly out: string; readonly err: string }

/** COPPICE_URL and COPPICE_SESSION of the environment name the server of commands that have one. */
export const typeCommand = async (
  argv: readonly string[],
  environment: Readonly<Record<string, string>>,
  more: Partial<Context> = {},
): Promise<Typed> => {
  const out: (string | Uint8Array)[] = []
  const err: string[] = []
  const context: Context = {
    out: async (text) => void out.push(text),
    err: async (text) => void err.push(text),
    isTerminal: false,
    isErrTerminal: false,
    paint: paintOf(false),
    width: () => 80,
    environment,
    input: async function* none() {},
    isInputTerminal: false,
    ask: () => Promise.reject(new Error('nobody is there to be asked')),
    signal: new AbortController().signal,
    now: () => Date.now(),
    directory: process.cwd(),
    client: async () =>
      createClient({ url: environment['COPPICE_URL'] ?? '', session: environment['COPPICE_SESSION'] ?? '' }),
    ...more,
  }
  const code = await main(argv, context)
  return {
    code,
    out: out.map((part) => (typeof part === 'string' ? part : Buffer.from(part).toString('latin1'))).join(''),
    err: err.join(''),
  }
}
