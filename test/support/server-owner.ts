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
  readonly session: string
  /** Asserts that it is done, and gives the reply. */
  readonly ask: (method: string, path: string, input?: unknown) => Promise<unknown>
}

export const signInOwner = async (url: string): Promise<ServerOwner> => {
  const askBy = async (query: string, method: string, path: string, input?: unknown): Promise<unknown> => {
    const reply = await fetch(`${url}${path}${query}`, {
      method,
      ...(input === undefined ? {} : { body: JSON.stringify(input), headers: { 'Content-Type': 'application/json' } }),
    })
    const text = await reply.text()
    assert.ok(reply.ok, `${method} ${path}: ${reply.status} ${text}`)
    return JSON.parse(text)
  }
  const login = { email: 'owner@localhost', password: ownerPassword }
  const { sessionUid, userUid, organization } = (await askBy('', 'POST', '/api/login', login)) as {
    sessionUid: string
    userUid: string
    organization: readonly { uid: string }[]
  }
  return {
    uid: userUid,
    organizationUid: organization[0]!.uid,
    session: sessionUid,
    ask: (method, path, input) => askBy(`?session=${sessionUid}`, method, path, input),
  }
}

/** A connector that runs a script; gives the path of its calls, with a key for them. */
export const makeSink = async (owner: ServerOwner, endpoint: string, sql: string): Promise<string> => {
  const connector = { type: 'http', name: endpoint, endpoint, runAsUserUid: owner.uid, sql }
  await owner.ask('POST', '/api/connector', connector)
  const key = { name: endpoint, capabilities: [{ resource: 'connector/*/sink', methods: ['POST'] }] }
  const made = (await owner.ask('POST', '/api/api_key', key)) as { api_key: { secret: string } }
  return `/api/conn_sink/${owner.organizationUid}/${endpoint}?api_key=${made.api_key.secret}`
}
