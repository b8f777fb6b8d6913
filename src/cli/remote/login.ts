// Sign in and out, and the servers that are known.
import { createClient, signIn } from '../../client/client.ts'
import type { Command } from '../command.ts'
import { exit } from '../command.ts'
import type { Given } from '../given.ts'
import { isGiven, memberOf, textOf, UsageError } from '../given.ts'
import type { Context } from '../context.ts'
import type { SavedServer } from '../settings.ts'
import { chosenServer, clientOptions, readSettings, saveServer, withoutSlash, writeSettings } from '../settings.ts'
import { printRows } from '../table.ts'

export const login: Command = {
  name: 'login',
  summary: 'sign in to a server, and remember it',
  usage: '[URL] [--name NAME] [--email EMAIL] [--with-key]',
  details:
    'Asks for e-mail and password, and keeps the session (never the password) in ~/.config/coppice/config.json, which only you can read.\n' +
    'Where the input is no terminal, its first line is the password. With --with-key it asks for an API key instead.',
  examples: [
    'coppice login $URL --name home --email $EMAIL < password.txt',
    'coppice login $URL --name devices --with-key < key.txt',
  ],
  options: {
    name: { type: 'string', value: 'NAME', about: "the server's name here; its host unless given" },
    email: { type: 'string', value: 'EMAIL', about: 'of the account' },
    'with-key': { type: 'boolean', about: 'keep an API key in place of a session' },
  },
  run: async (context, given) => {
    const url = withoutSlash(given.positionals[0] ?? (await chosenServer(given, context.environment)).url)
    if (!URL.canParse(url)) throw new UsageError(`'${url}' is no address such as https://data.example.org`)
    const name = textOf(given, 'name') ?? new URL(url).host
    const server = await (isGiven(given, 'with-key') ? byKey(context, url) : byPassword(context, given, url))
    await saveServer(context.environment, name, { ...server, ...orgOf(given) })
    await context.err(
      `${server.email === undefined ? 'kept the key' : `signed in as ${server.email}`}, server '${name}'\n`,
    )
    return exit.done
  },
}

const orgOf = (given: Given) => {
  const org = textOf(given, 'org')
  return org === undefined ? {} : { org }
}

const byKey = async ({ ask }: Context, url: string): Promise<SavedServer> => {
  const key = (await ask('API key: ', true)).trim()
  // Nobody else knows whether a key may do anything at all: a wrong one is refused, and so is a server that is none.
  await createClient({ url, apiKey: key }).call('GET /api/login')
  return { url, key }
}

const byPassword = async ({ ask }: Context, given: Given, url: string): Promise<SavedServer> => {
  const email = textOf(given, 'email') ?? (await ask('e-mail: '))
  const { sessionUid, organization } = await signIn({ email, password: await ask('password: ', true) }, { url })
  const [only, ...others] = organization
  return { url, email, session: sessionUid, ...(only !== undefined && others.length === 0 ? { org: only.uid } : {}) }
}

export const logout: Command = {
  name: 'logout',
  summary: 'sign out, and forget the session or key',
  usage: '',
  examples: ['coppice logout --server devices', 'coppice logout'],
  options: {},
  run: async ({ environment, err }, given) => {
    const { name, ...server } = await chosenServer(given, environment)
    // The session ends at the server too; one that has ended already is as good.
    if (server.session !== undefined)
      await createClient(clientOptions(server))
        .call('DELETE /api/login')
        .catch((error: { readonly status?: number }) => {
          if (error.status !== 401) throw error
        })
    if (name !== undefined) {
      const settings = await readSettings(environment)
      const { [name]: _, ...servers } = settings.servers
      const first = settings.default === name ? Object.keys(servers)[0] : settings.default
      await writeSettings(environment, { ...(first === undefined ? {} : { default: first }), servers })
    }
    await err(`signed out of ${name ?? server.url}\n`)
    return exit.done
  },
}

export const servers: Command = {
  name: 'servers',
  summary: 'list the servers that are remembered, or choose the default',
  usage: '[use NAME]',
  examples: ['coppice servers', 'coppice servers use home'],
  options: {},
  run: async (context, { positionals: [action, name] }) => {
    const settings = await readSettings(context.environment)
    if (action === 'use') {
      if (name === undefined || memberOf(settings.servers, name) === undefined)
        throw new UsageError(`there is no server '${name ?? ''}'`)
      await writeSettings(context.environment, { ...settings, default: name })
      return exit.done
    }
    if (action !== undefined) throw new UsageError(`'${action}' is not known: use NAME`)
    const rows = Object.entries(settings.servers).map(([one, { url, email, key }]) => ({
      name: one,
      url,
      as: email ?? (key === undefined ? '' : 'an API key'),
      default: one === settings.default,
    }))
    await printRows(context, ['name', 'url', 'as', 'default'], rows, 'table')
    return exit.done
  },
}
