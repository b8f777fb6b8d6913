// coppice reset-password on a machine: a link, or a password at once, for every user.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mostInPiece } from '../../src/core/ending.ts'
import { checkMasterKey } from '../../src/core/installation.ts'
import type { User } from '../../src/core/user.ts'
import { newDirectory } from '../support/directory.ts'
import { typeCommand } from '../support/host-command.ts'
import { addToken, testSecrets } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService, testMasterKey } from '../support/service.ts'

describe('coppice reset-password', () => {
  let service: TestService
  let environment: Readonly<Record<string, string>>
  before(async () => {
    service = await openTestService()
    await checkMasterKey(service.sql, testSecrets)
    environment = { DATABASE_URL: service.databaseUrl, MASTER_KEY: testMasterKey, BASE_URL: service.url }
  })
  after(() => service.close())

  const signIn = (password: string) =>
    service.request('POST', '/api/login', { body: JSON.stringify({ email: service.ownerEmail, password }) })
  const actions = async () =>
    (await service.sql<{ action: string; actor: string }[]>`select action, actor from audit order by key`)
      .filter(({ action }) => action.startsWith('user.reset'))
      .map(({ action, actor }) => `${action} by ${actor}`)

  it('prints a link, also for an owner, that sets a new password', async () => {
    const { code, out, err } = await typeCommand(['reset-password', service.ownerEmail.toUpperCase()], environment)
    assert.equal(code, 0, err)
    const link = new URL(out.trim())
    assert.equal(`${link.origin}${link.pathname}`, `${service.url}/alt/reset`)
    const form = { token: link.hash.slice(1), password: 'set by the link', again: 'set by the link' }
    const done = await service.request('POST', '/alt/reset', { body: new URLSearchParams(form) })
    assert.equal(done.status, 200, done.text)
    assert.equal((await signIn('set by the link')).status, 200)
    assert.deepEqual(await actions(), ['user.reset_link by host', 'user.reset_password by anyone'])
  })

  it('sets a password from a file, or typed twice, and signs the user out', async () => {
    const { sessionUid } = (await signIn('set by the link')).json as { readonly sessionUid: string }
    const path = join(await newDirectory('password'), 'new')
    await writeFile(path, 'from a file\n')
    const set = await typeCommand(['reset-password', service.ownerEmail, '--password-file', path], environment)
    assert.equal(set.code, 0, set.err)
    assert.equal((await signIn('from a file')).status, 200)
    assert.equal((await service.request('GET', `/api/unit?session=${sessionUid}`)).status, 401)
    const typed = ['typed at last', 'typed at last']
    const ask = () => Promise.resolve(typed.shift()!)
    const asked = await typeCommand(['reset-password', service.ownerEmail, '--set'], environment, {
      isInputTerminal: true,
      ask,
    })
    assert.equal(asked.code, 0, asked.err)
    assert.equal((await signIn('typed at last')).status, 200)
    assert.equal((await actions()).at(-1), 'user.reset_password by host')
  })

  it('leaves an entry of each piece of very many grants that ends before', async () => {
    const { sql } = service
    const [user] = await sql<[User]>`select * from user_account where email = ${service.ownerEmail}`
    await addToken(sql, service.organizationUid, user)
    await sql`
      insert into oauth_token (token_hash, grant_key, kind, scope, expires_at)
      select sha256(n::text::bytea), key, 'refresh', 'read', now() from oauth_grant, generate_series(1, ${mostInPiece}) n`
    const path = join(await newDirectory('password'), 'new')
    await writeFile(path, 'from a file\n')
    const { code, err } = await typeCommand(
      ['reset-password', service.ownerEmail, '--password-file', path],
      environment,
    )
    assert.equal(code, 0, err)
    const entries =
      await sql`select action, actor, detail from audit where subject = ${user.uid} order by key desc limit 2`
    assert.deepEqual(
      [...entries],
      [
        { action: 'user.reset_password', actor: 'host', detail: {} },
        { action: 'user.end_some', actor: 'host', detail: { tokens: mostInPiece } },
      ],
    )
  })

  it('refuses an unknown user, another master key and a short password, in a sentence', async () => {
    const unknown = await typeCommand(['reset-password', 'nobody@example.org'], environment)
    assert.equal(unknown.code, 1)
    assert.match(
      unknown.err,
      /^coppice reset-password: There is no user nobody@example\.org\. Owners are owner@localhost\.$/m,
    )
    const wrong = await typeCommand(['reset-password', service.ownerEmail], {
      ...environment,
      MASTER_KEY: 'another key of enough length',
    })
    assert.match(wrong.err, /^coppice reset-password: The master key is not the one this database was made with/)
    const path = join(await newDirectory('password'), 'short')
    await writeFile(path, 'short')
    const short = await typeCommand(['reset-password', service.ownerEmail, '--password-file', path], environment)
    assert.equal(short.code, 2)
    assert.match(short.err, /the password must have from 8 to 1000 characters/)
    const none = await typeCommand(['reset-password'], environment)
    assert.equal(none.code, 2)
  })
})
