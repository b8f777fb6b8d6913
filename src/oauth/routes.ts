// The authorization service's routes (docs/oauth.md), sessions (docs/access.md#sessions), and RFC 7009, 7662 and 8414.
import type { Access } from '../access/guard.ts'
import { baseUrlOf } from '../base/http/address.ts'
import type { Handler, Route } from '../base/http/call.ts'
import type { Limiter } from '../base/http/limit.ts'
import { jsonReply } from '../base/http/reply.ts'
import type { Secrets } from '../base/secret.ts'
import type { World } from '../base/world.ts'
import { oauthDescriptions as about } from './descriptions.ts'
import { limitGuesses } from './guess.ts'
import { loginHandlers, signInWith } from './login.ts'
import { pageHandler } from './authorization-page.ts'
import { resetPageHandler } from './reset-page.ts'
import { tokenHandlers } from './token.ts'

/** `studio` answers at /alt/ where no authorization is asked for. */
export const oauthRoutes = (
  world: World,
  access: Access,
  secrets: Secrets,
  limiter: Limiter,
  studio: Handler,
): readonly Route[] => {
  const signIn = signInWith(world, limiter)
  const { login, showSession, logout, oauthLogin } = loginHandlers(world, access, secrets, signIn)
  const { issue, revoke, introspect } = tokenHandlers(world, access, secrets)
  const limited = limitGuesses(world, limiter)
  const page = pageHandler(world, access, secrets, signIn, studio)
  const resetPage = resetPageHandler(world, access, secrets, limiter)
  return [
    raw('POST', '/api/login', login, about.login),
    raw('GET', '/api/login', showSession, about.session),
    raw('DELETE', '/api/login', logout, about.logout),
    raw('POST', '/api/oauth_login', oauthLogin, about.oauthLogin),
    raw('POST', '/api/oauth_access_token', limited(issue), about.token),
    raw('POST', '/api/oauth_revoke', limited(revoke), about.revoke),
    raw('POST', '/api/oauth_introspect', limited(introspect), about.introspect),
    raw('GET', '/.well-known/oauth-authorization-server', metadata(world), about.metadata),
    raw('GET', '/alt/', page, isPage),
    raw('POST', '/alt/', page, isPage),
    raw('GET', '/alt/reset', resetPage, isPage),
    raw('POST', '/alt/reset', resetPage, isPage),
    raw('GET', '/alt', toPage, isPage),
    raw('POST', '/alt', toPage, isPage),
  ]
}

/** Bodies are read by the handlers, which take forms and JSON alike. */
const raw = (method: Route['method'], path: string, handle: Handler, description: Route['description']): Route => ({
  method,
  path,
  handle,
  description,
})

const isPage = { isPage: true } as const

/** Relative, because a proxy may serve us below a path of its own; a browser keeps method, body and fragment. */
const toPage: Handler = async ({ rawQuery }) => ({
  status: 308,
  headers: { Location: rawQuery === '' ? 'alt/' : `alt/?${rawQuery}` },
  body: '',
})

const metadata =
  ({ config }: World): Handler =>
  async ({ headers }) => {
    const issuer = baseUrlOf(config, headers)
    return jsonReply({
      issuer,
      authorization_endpoint: `${issuer}/alt/`,
      token_endpoint: `${issuer}/api/oauth_access_token`,
      revocation_endpoint: `${issuer}/api/oauth_revoke`,
      introspection_endpoint: `${issuer}/api/oauth_introspect`,
      scopes_supported: ['read', 'write'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    })
  }
