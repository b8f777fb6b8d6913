// Questions on the terminal. A secret is typed without an echo; where the input is no terminal, each answer is a line of it.
import { createInterface } from 'node:readline'
import type { ReadStream, WriteStream } from 'node:tty'
import { Writable } from 'node:stream'
import { UsageError } from './given.ts'
import { linesOf } from './lines.ts'

export type Ask = (question: string, isSecret?: boolean) => Promise<string>

export const openAsk = (input: ReadStream, output: WriteStream): Ask => {
  if (input.isTTY) return (question, isSecret = false) => askOnTerminal(input, output, question, isSecret)
  const lines = linesOf(input)
  return async () => {
    const line = await lines.next()
    if (line.done) throw new UsageError('no answer')
    return line.value
  }
}

const askOnTerminal = (input: ReadStream, output: WriteStream, question: string, isSecret: boolean): Promise<string> =>
  new Promise((resolve, reject) => {
    const silent = new Writable({ write: (_, __, done) => done() })
    // The terminal shows no more of what is typed from here on; only then it is asked for.
    const lines = createInterface({ input, output: isSecret ? silent : output, terminal: true, prompt: '' })
    output.write(question)
    let answer: string | undefined
    lines.once('line', (line) => {
      answer = line
      lines.close()
    })
    // In raw mode readline takes Ctrl-C; it means the same as elsewhere.
    lines.once('SIGINT', () => {
      process.emit('SIGINT')
      lines.close()
    })
    lines.once('close', () => {
      if (isSecret) output.write('\n')
      if (answer === undefined) reject(new UsageError('no answer'))
      else resolve(answer)
    })
  })
