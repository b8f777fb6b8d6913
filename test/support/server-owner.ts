// The owner of a server in a process of its own (server-process.ts), who makes what an API key cannot.
//
//   const owner = await signInOwner(server.url)
//   const sink = await makeSink(owner, 'readings', 'INSERT INTO SAMPLE ...')
//   await fetch(`${server.url}${sink}`, { method: 'POST', body: '{}' })
import assert from 'node:assert/strict'

/** To be given to the server as OWNER_PASSWORD. */
export const ownerPassword = 'password of the owner'

export type ServerOwner = {
  readonly uid: string
  readonly organizationUid: string
  /** A query, with the organization: an owner may make others. */
  readonly credential: string
  /** Asserts that it is done, and gives the reply. */
  readonly ask: (method: string, path: string, input?: unknown) => Promise<unknown>
  /** The same person in a further organization, which is made. */
  readonly elsewhere: (name: string) => Promise<ServerOwner>
}

export const signInOwner = async (url: string): Promise<ServerOwner> => {
  const login = { email: 'owner@localhost', password: ownerPassword }
  const { sessionUid, userUid, organization } = (await askAt(`${url}/api/login`, 'POST', login)) as {
    sessionUid: string
    userUid: string
    organization: readonly { uid: string }[]
  }
  const ownerIn = (organizationUid: string): ServerOwner => {
    const credential = `session=${sessionUid}&org=${organizationUid}`
    const ask = (method: string, path: string, input?: unknown) => askAt(`${url}${path}?${credential}`, method, input)
    const elsewhere = async (name: string) => {
      const made = (await ask('POST', '/api/organization', { name })) as { organization: { uid: string } }
      return ownerIn(made.organization.uid)
    }
    return { uid: userUid, organizationUid, credential, ask, elsewhere }
  }
  return ownerIn(organization[0]!.uid)
}

const askAt = async (address: string, method: string, input?: unknown): Promise<unknown> => {
  const reply = await fetch(address, {
    method,
    ...(input === undefined ? {} : { body: JSON.stringify(input), headers: { 'Content-Type': 'application/json' } }),
  })
  const text = await reply.text()
  assert.ok(reply.ok, `${method} ${new URL(address).pathname}: ${reply.status} ${text}`)
  return JSON.parse(text)
}

/** The secret of a new key. */
export const makeKey = async (owner: ServerOwner, resource: string, methods: readonly string[]): Promise<string> => {
  const key = { name: resource, capabilities: [{ resource, methods }] }
  const made = (await owner.ask('POST', '/api/api_key', key)) as { api_key: { secret: string } }
  return made.api_key.secret
}

/** A connector that runs a script; gives the path of its calls, with a key for them. */
export const makeSink = async (owner: ServerOwner, endpoint: string, sql: string): Promise<string> => {
  const connector = { type: 'http', name: endpoint, endpoint, runAsUserUid: owner.uid, sql }
  await owner.ask('POST', '/api/connector', connector)
  const key = await makeKey(owner, 'connector/*/sink', ['POST'])
  return `/api/conn_sink/${owner.organizationUid}/${endpoint}?api_key=${key}`
}
