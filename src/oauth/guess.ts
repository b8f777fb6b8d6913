// The limit of guesses at the token endpoints: of client secrets, codes and tokens, per address and client
// (docs/access.md#rate-limits). A client that has shown its secret is known, and its failed requests are no guesses:
// after many users took their consent back, a portal's refreshes fail by the hundred.
//
// The count of an address and a client that is named for the first time is not known yet, and anybody can make up
// clients: so requests take turns, address by address, before anything is read of them. The counts are read where the
// credentials of all callers are looked up.
import { openLookUps } from '../access/look-up.ts'
import type { Call, Handler } from '../base/http/call.ts'
import { Fault } from '../base/errors.ts'
import type { Limiter } from '../base/http/limit.ts'
import type { Reply } from '../base/http/reply.ts'
import type { World } from '../base/world.ts'
import { findClientById } from '../core/oauth-client.ts'
import { inputOf, oauthReply } from './token.ts'

/** The reply to a guess, on its way out of the limit. */
class Guess extends Error {
  readonly reply: Reply

  constructor(reply: Reply) {
    super('a guess')
    this.reply = reply
  }
}

export const limitGuesses = ({ sql }: Pick<World, 'sql'>, limiter: Limiter): ((handle: Handler) => Handler) => {
  const turns = openLookUps('too many requests for tokens at once')
  return (handle) => {
    const isGuess = async ({ status, body }: Reply, clientId: string): Promise<boolean> => {
      if (status === 401) return true
      if (status !== 400 || typeof body !== 'string') return false
      const { error } = JSON.parse(body) as { readonly error?: string }
      if (error === 'invalid_client') return true
      if (error !== 'invalid_grant') return false
      const client = await findClientById(sql, clientId)
      return client === undefined || client.secretHash === null
    }
    return async (call) => {
      const clientId = await clientIdOf(call)
      const work = async () => {
        const reply = await handle(call)
        if (await isGuess(reply, clientId)) throw new Guess(reply)
        return reply
      }
      try {
        return await turns.inTurn(call.address, () =>
          limiter.clientRequest(call.address, clientId, work, (error) => error instanceof Guess),
        )
      } catch (error) {
        if (error instanceof Guess) return error.reply
        if (error instanceof Fault && (error.status === 429 || error.status === 503)) return refusal(error)
        throw error
      }
    }
  }
}

/** The handler reports errors in the body. */
const clientIdOf = async (call: Call): Promise<string> => {
  try {
    return (await inputOf(call))['client_id'] ?? ''
  } catch {
    return ''
  }
}

const refusal = ({ status, message, headers }: Fault): Reply => {
  const reply = oauthReply(status, { error: 'temporarily_unavailable', error_description: message })
  return { ...reply, headers: { ...reply.headers, ...headers } }
}
