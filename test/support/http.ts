// A caller with one credential, for tests of who may do what: JSON in, status and JSON out.
import type { TestService } from './service.ts'

export type HttpAnswer = { readonly status: number; readonly body: unknown; readonly headers: Headers }

export type Client = (method: string, path: string, input?: unknown) => Promise<HttpAnswer>

/** The credential is a query such as 'session=..&org=..'. */
export const clientWith =
  (service: TestService, credential: string): Client =>
  async (method, path, input) => {
    const address = `${path}${path.includes('?') ? '&' : '?'}${credential}`
    const json = { 'Content-Type': 'application/json' }
    const init = input === undefined ? {} : { body: JSON.stringify(input), headers: json }
    const { status, json: body, headers } = await service.request(method, address, init)
    return { status, body, headers }
  }
