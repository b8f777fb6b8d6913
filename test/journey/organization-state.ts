// Everything that an organization's owner can see of it, for a test that others have changed nothing.
import assert from 'node:assert/strict'
import type { Client } from '../support/http.ts'

const lists =
  'stream component template unit cycle folder user api_key connector query dashboard connection oauth_client grant ' +
  'organization removal import audit'

type Listed = Readonly<Record<string, readonly { readonly uid: string; readonly type?: string }[]>>

/** Of the play of the description (test/support/described.ts): its components, and the file of one. */
const feeds = ['Boiler', 'Mast', 'Gate'].map((id) => `/api/comp/${id}/feed?limit=1000&sd=0&ed=4102444800000`)
const files = ['hello.txt'].map((name) => `/api/comp/Gate/stream/notes/feed/file/${name}`)

export const stateOf = async (call: Client): Promise<readonly unknown[]> => {
  const show = async (path: string): Promise<unknown> => {
    const { status, body, headers } = await call('GET', path)
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
    // The contents of a file, by their hash.
    return body ?? headers.get('etag')
  }
  const shown = await Promise.all(lists.split(' ').map((name) => show(`/api/${name}?limit=1000`)))
  const { connector } = Object.assign({}, ...(shown as object[])) as Listed
  const calls = connector!.map(({ uid }) => `/api/connector/${uid}/call`)
  const runs = connector!.filter(({ type }) => type === 'import').map(({ uid }) => `/api/connector/${uid}/run`)
  return [...shown, ...(await Promise.all([...calls, ...runs, ...feeds, ...files].map(show)))]
}
