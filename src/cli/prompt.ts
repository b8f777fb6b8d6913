// Questions on the terminal. A secret is typed without an echo; where the input is no terminal, a line of it is the answer.
import { createInterface } from 'node:readline'
import type { ReadStream, WriteStream } from 'node:tty'
import { Writable } from 'node:stream'

export const ask = (input: ReadStream, output: WriteStream, question: string, isSecret = false): Promise<string> =>
  new Promise((resolve, reject) => {
    const isTerminal = input.isTTY
    const silent = new Writable({ write: (_, __, done) => done() })
    if (isTerminal) output.write(question)
    const lines = createInterface({ input, output: isSecret ? silent : output, terminal: isTerminal, prompt: '' })
    let answer: string | undefined
    lines.once('line', (line) => {
      answer = line
      lines.close()
    })
    // In raw mode readline takes Ctrl-C; it means the same as elsewhere.
    lines.once('SIGINT', () => {
      lines.close()
      process.kill(process.pid, 'SIGINT')
    })
    lines.once('close', () => {
      if (isTerminal && isSecret) output.write('\n')
      if (answer === undefined) reject(new Error('no answer'))
      else resolve(answer)
    })
  })
