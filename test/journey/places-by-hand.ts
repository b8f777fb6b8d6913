// Places of a word that the description does not have as a parameter or a member of JSON: lines of CSV and NDJSON, texts
// that a script reads, topics, headers, cookies, and fields of the pages (every-place.load.ts tries words in all of them).
import type { Client } from '../support/http.ts'
import { publish } from '../support/mqtt.ts'
import { addApiKey, addClient } from '../support/people.ts'
import type { TestReply, TestService } from '../support/service.ts'

export type Place = { readonly title: string; readonly send: (word: string) => Promise<TestReply> }

type Us = { readonly organizationUid: string; readonly session: string; readonly runAsUserUid: string }

const redirectUri = 'https://hand.example/back'

export const placesByHand = async (service: TestService, us: Us, call: Client): Promise<readonly Place[]> => {
  const { organizationUid, session, runAsUserUid } = us
  const credential = `session=${session}&org=${organizationUid}`
  const feeds = [{ resource: '*', methods: ['GET', 'PUT', 'POST', 'DELETE'] as const }]
  const { secret: key } = await addApiKey(service.sql, organizationUid, feeds)
  const secret = 'the secret of the client by hand'
  const { clientId } = await addClient(service.sql, organizationUid, { secret, redirectUris: [redirectUri] })
  const reads =
    "INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'Sunk', 's', 5, id FROM Stream WHERE cid = @HTTP_BODY"
  await call('POST', '/api/connector', { name: 'by hand', endpoint: 'byhand', runAsUserUid, sql: reads, debug: true })

  let made = 0
  const fresh = () => `hand${++made}`
  const cell = (word: string) => `"${word.replaceAll('"', '""')}"`
  const at = (title: string, method: string, path: (word: string) => string, init: (word: string) => RequestInit) => ({
    title: `${method} ${title}`,
    send: (word: string) => service.request(method, path(word), init(word)),
  })
  const imported = (title: string, type: string, body: (word: string) => string, query = '') =>
    at(
      `/api/import, ${title}`,
      'POST',
      () => `/api/import?${credential}${query}`,
      (word) => ({ body: body(word), headers: { 'Content-Type': type } }),
    )
  const csv = (title: string, body: (word: string) => string) => imported(`CSV: ${title}`, 'text/csv', body)
  const ndjson = (title: string, line: (word: string) => object, query = '') =>
    imported(`NDJSON: ${title}`, 'application/x-ndjson', (word) => JSON.stringify(line(word)), query)
  const row = { compId: 'Boiler', streamId: 'byhand', time: 5, data: 1 }
  const told = (title: string, topic: (word: string) => string, payload: (word: string) => string): Place => ({
    title: `MQTT: ${title}`,
    send: async (word) => {
      const code = await publish(service.service.mqttPort!, { username: key }, topic(word), payload(word))
      return { status: 200, headers: new Headers(), text: `{"code":"${code}"}`, json: undefined }
    },
  })
  const level = (word: string) => encodeURIComponent(word)
  /** Asked of the pages of the authorization, by a browser that is signed in. */
  const authorization = (name: string) =>
    at(
      `/alt/: ${name}`,
      'GET',
      (word) => {
        const usual = { response_type: 'code', client_id: clientId, redirect_uri: redirectUri, org: organizationUid }
        return `/alt/?${new URLSearchParams({ ...usual, [name]: word }).toString()}`
      },
      () => ({ headers: { Cookie: `session=${session}` } }),
    )
  const posted = (title: string, path: string, form: (word: string) => Readonly<Record<string, string>>) =>
    at(
      title,
      'POST',
      () => path,
      (word) => ({ body: new URLSearchParams(form(word)), headers: { Cookie: `session=${session}` } }),
    )
  const withHeader = (name: string, value: (word: string) => string, path = `/api/component?limit=1&${credential}`) =>
    at(
      `${path.replace(/\?.*/, '')}, a header: ${name === 'Cookie' ? 'cookie org' : name}`,
      'GET',
      () => path,
      // A header has no line ends: one that a client would send is refused by node before it leaves.
      (word) => ({ headers: { [name]: value(word.replaceAll(/[^\t\u0020-\u007E]/g, '')) } }),
    )
  return [
    csv('compId', (word) => `compId,streamId,time,data\n${cell(word)},byhand,5,1`),
    csv('streamId', (word) => `compId,streamId,time,data\nBoiler,${cell(word)},5,1`),
    csv('a value', (word) => `compId,streamId,time,data\nBoiler,text,5,${cell(word)}`),
    csv('the name of a column', (word) => `compId,streamId,time,data,${cell(word)}\nBoiler,byhand,5,1,2`),
    ndjson('compId', (word) => ({ ...row, compId: word })),
    ndjson('streamId', (word) => ({ ...row, streamId: word })),
    ndjson('the name of a member', (word) => ({ ...row, ...Object.fromEntries([[word, 1]]) })),
    ndjson('stream.componentUid', (word) => ({ stream: { componentUid: word, id: fresh() } }), '&what=catalogue'),
    ndjson('component.uid', (word) => ({ component: { uid: word, id: fresh() } }), '&what=catalogue'),
    ndjson('component.folder', (word) => ({ component: { id: fresh(), folder: word } }), '&what=catalogue'),
    ndjson('the name of a line', (word) => Object.fromEntries([[word, { id: fresh() }]]), '&what=catalogue'),
    told(
      'a topic, component',
      (word) => `${level(word)}/byhand`,
      () => '1',
    ),
    told(
      'a topic, stream',
      (word) => `Boiler/${level(word)}`,
      () => '1',
    ),
    told(
      'a payload, streamId',
      () => 'Boiler',
      (word) => JSON.stringify([{ streamId: word, data: 1 }]),
    ),
    at(
      '/api/conn_sink/…: a component that its script reads',
      'POST',
      () => `/api/conn_sink/${organizationUid}/byhand?api_key=${key}`,
      (word) => ({ body: word, headers: { 'Content-Type': 'text/plain' } }),
    ),
    at(
      '/api/conn_sink/…, of a query: org',
      'GET',
      (word) => `/api/conn_sink/${encodeURIComponent(word)}/byhand?api_key=${key}`,
      () => ({}),
    ),
    at(
      '/api/comp/Gate/stream/notes/feed/file, of a form: the name of a file',
      'PUT',
      (word) => `/api/comp/Gate/stream/notes/feed/file/${encodeURIComponent(word)}?${credential}&time=5`,
      (word) => {
        const form = new FormData()
        form.set('file', new Blob([word]), word)
        return { body: form }
      },
    ),
    withHeader('Last-Event-ID', (word) => word, `/api/live?compId=Boiler&seconds=0&${credential}`),
    withHeader('Cookie', (word) => `session=${session}; org=${word}`, '/api/component?limit=1'),
    withHeader('If-None-Match', (word) => word),
    withHeader('Accept', (word) => word),
    withHeader('User-Agent', (word) => word),
    withHeader('X-Forwarded-Host', (word) => word),
    ...['client_id', 'redirect_uri', 'response_type', 'scope', 'state', 'org', 'email'].map(authorization),
    posted('/alt/: carried, seal and ticket', '/alt/', (word) => ({
      carried: word,
      seal: word,
      ticket: word,
      step: word,
    })),
    posted('/alt/reset: token', '/alt/reset', (word) => ({
      token: word,
      password: 'x'.repeat(9),
      again: 'x'.repeat(9),
    })),
    ...['introspect', 'revoke'].map((name) =>
      posted(`/api/oauth_${name}, by another client: token`, `/api/oauth_${name}`, (word) => ({
        client_id: clientId,
        client_secret: secret,
        token: word,
      })),
    ),
    ...['code', 'refresh_token'].map((name) =>
      posted(`/api/oauth_access_token, by another client: ${name}`, '/api/oauth_access_token', (word) => ({
        client_id: clientId,
        client_secret: secret,
        grant_type: name === 'code' ? 'authorization_code' : name,
        redirect_uri: redirectUri,
        [name]: word,
      })),
    ),
  ]
}
