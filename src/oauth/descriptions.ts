// Sessions and the authorization service, described (base/http/description.ts).
import type { Description } from '../base/http/description.ts'
import { doneReply } from '../base/http/description.ts'
import type { Schema } from '../base/http/schema.ts'
import { objectSchema } from '../base/http/schema.ts'

const text = { type: 'string' } as const
const organizations: Schema = {
  type: 'array',
  items: { type: 'object', properties: { uid: text, name: text }, required: ['uid', 'name'] },
}
const done = doneReply.schema.properties!

const form = (properties: readonly string[], required: readonly string[], example: unknown) => ({
  type: 'application/x-www-form-urlencoded',
  schema: { type: 'object', properties: Object.fromEntries(properties.map((name) => [name, text])), required } as const,
  example,
})
const client = ['client_id', 'client_secret']

export const oauthDescriptions = {
  login: {
    part: 'access',
    summary: 'Sign in',
    by: 'nobody',
    body: {
      schema: { type: 'object', properties: { email: text, password: text }, required: ['email', 'password'] },
      example: { email: 'owner@example.org', password: '…' },
    },
    reply: {
      schema: objectSchema({
        ...done,
        sessionUid: text,
        userUid: text,
        userEmail: text,
        userFirstName: text,
        userLastName: text,
        organization: organizations,
      }),
    },
  },
  session: {
    part: 'access',
    summary: 'Show whose session this is',
    by: 'nobody',
    reply: {
      schema: objectSchema({
        ...done,
        userUid: { type: ['string', 'null'] },
        userEmail: { type: ['string', 'null'] },
        userFirstName: { type: ['string', 'null'] },
        userLastName: { type: ['string', 'null'] },
        organization: organizations,
        mqttPort: { type: ['integer', 'null'] },
      }),
    },
  },
  logout: { part: 'access', summary: 'Sign out', reply: doneReply },
  oauthLogin: {
    part: 'oauth',
    summary: 'Get a code for a client that takes passwords itself',
    by: 'nobody',
    body: {
      schema: {
        type: 'object',
        properties: Object.fromEntries(
          ['email', 'password', 'response_type', 'client_id', 'redirect_uri', 'state', 'scope', 'org', 'resource'].map(
            (name) => [name, text],
          ),
        ),
        required: ['email', 'password', 'response_type', 'client_id'],
      },
      example: {
        email: 'owner@example.org',
        password: '…',
        response_type: 'code',
        client_id: 'portal',
        redirect_uri: 'https://portal.example/back',
      },
    },
    reply: { schema: objectSchema({ ...done, oauthCode: text, oauthState: text, oauthRedirectUri: text }) },
  },
  token: {
    part: 'oauth',
    summary: 'Redeem a code, or refresh a token',
    by: 'nobody',
    body: form(
      ['grant_type', 'code', 'redirect_uri', 'code_verifier', 'refresh_token', 'scope', 'resource', ...client],
      ['grant_type'],
      { grant_type: 'refresh_token', refresh_token: '…', client_id: 'portal', client_secret: '…' },
    ),
    reply: { schema: { type: 'object', required: ['access_token', 'token_type', 'expires_in'] } },
  },
  revoke: {
    part: 'oauth',
    summary: 'Revoke a token (RFC 7009)',
    by: 'nobody',
    body: form(['token', 'token_type_hint', ...client], ['token'], { token: '…', client_id: 'portal' }),
    reply: { schema: {} },
  },
  introspect: {
    part: 'oauth',
    summary: 'Ask whether a token holds (RFC 7662)',
    by: 'nobody',
    body: form(['token', 'token_type_hint', ...client], ['token'], { token: '…', client_id: 'portal' }),
    reply: { schema: { type: 'object', required: ['active'] } },
  },
  metadata: {
    part: 'oauth',
    summary: 'The addresses and abilities of the authorization service (RFC 8414)',
    by: 'nobody',
    reply: { schema: { type: 'object', required: ['issuer', 'token_endpoint'] } },
  },
} satisfies Record<string, Description>
