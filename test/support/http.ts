// A caller with one credential, for tests of who may do what: JSON in, status and JSON out.
import type { Role } from '../../src/core/caller.ts'
import { addMember, addSession, addUser } from './people.ts'
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

let added = 0

/** A new user with a role in an organization, and the calls they make. */
export const addPerson = async (service: TestService, role: Role, organizationUid = service.organizationUid) => {
  added += 1
  const user = await addUser(service.sql, `${role}${added}@example.org`)
  await addMember(service.sql, organizationUid, user, role)
  return { user, call: clientWith(service, `session=${await addSession(service.sql, user)}`) }
}

export type Person = Awaited<ReturnType<typeof addPerson>>

export const messageIn = (body: unknown) => (body as { readonly message: string }).message
