// A server that answers as a test says, one call after another, and remembers them: for answers that a healthy service
// does not give.
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Answer = (response: ServerResponse, request: IncomingMessage) => void

export type ScriptedServer = {
  readonly url: string
  /** The method, the address and the body of each call. */
  readonly calls: {
    readonly method: string
    readonly url: string
    readonly body: string
    readonly request: IncomingMessage
  }[]
  /** The answers to the next calls; the last one goes on answering. */
  readonly script: (...answers: readonly Answer[]) => void
  readonly close: () => Promise<void>
}

export const answer =
  (status: number, body: unknown = '', headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(text)
  }

export const hangUp: Answer = (_, request) => request.socket.destroy()

export const openScriptedServer = async (): Promise<ScriptedServer> => {
  let answers: readonly Answer[] = []
  const calls: ScriptedServer['calls'] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.once('end', () => {
      calls.push({ method: request.method!, url: request.url!, body, request })
      const [next] = answers
      if (answers.length > 1) answers = answers.slice(1)
      next!(response, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    script: (...next) => {
      answers = next
      calls.length = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
