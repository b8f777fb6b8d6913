// Grants, and all else that a client, a user or an organization has many of, end in pieces, each with its entry in the audit log, and the
// thing itself only when nothing is left.
import assert from 'node:assert/strict'
import type { Transaction } from '../../src/base/database/sql.ts'
import { transaction } from '../../src/base/database/sql.ts'
import {
  endSomeOfClient,
  endSomeOfMember,
  endSomeOfOrganization,
  endSomeOfUser,
  mostInPiece,
} from '../../src/core/ending.ts'
import type { Ended } from '../../src/core/ending.ts'
import { deleteOrganization } from '../../src/core/organization.ts'
import { holdClient } from '../../src/core/oauth-client.ts'
import type { User } from '../../src/core/user.ts'
import { insertResetLink, resetPassword, takeResetLink } from '../../src/core/reset-link.ts'
import { findUserWithPassword, insertMember, refuseManyMemberships, removeMember } from '../../src/core/user.ts'
import { demandSameClient, issueCode, readAuthorizationRequest } from '../../src/oauth/authorize.ts'
import { holdVisitor } from '../../src/oauth/ticket.ts'
import { isSomebodyWaiting } from '../support/database.ts'
import { addPerson, clientWith } from '../support/http.ts'
import {
  addApiKey,
  addClient,
  addMember,
  addOrganization,
  addSession,
  addUser,
  testPassword,
  testSecrets,
} from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { eventually } from '../support/within.ts'

describe('what ends in pieces', () => {
  let service: TestService
  let added = 0
  before(async () => {
    service = await openTestService()
  })
  after(() => service.close())

  const inside = (work: Parameters<typeof transaction<Ended | undefined>>[1]) => transaction(service.sql, work)
  const addFounder = async () => {
    added += 1
    const user = await addUser(service.sql, `founder${added}@example.org`)
    const organization = await addOrganization(service.sql, `Plant ${added}`, user)
    const call = clientWith(service, `session=${await addSession(service.sql, user)}&org=${organization.uid}`)
    const client = await addClient(service.sql, organization.uid)
    return { user, organization, call, client }
  }
  type Founded = Awaited<ReturnType<typeof addFounder>>

  /** Grants, each with as many access tokens, a refresh token and a used code. */
  const addGrants = async ({ client, organization }: Founded, user: User, grants: number, tokens = 1) => {
    await service.sql`
      with made as (
        insert into oauth_grant (client_key, user_key, organization_key, scope)
        select ${client.key}, ${user.key}, ${organization.key}, 'read' from generate_series(1, ${grants})
        returning key),
      code as (
        insert into oauth_code (code_hash, grant_key, redirect_uri, expires_at)
        select sha256(('code' || key)::bytea), key, 'https://client.example/callback', now() from made)
      insert into oauth_token (token_hash, grant_key, kind, scope, expires_at)
      select sha256((key || ' ' || n)::bytea), key, case n when 0 then 'refresh' else 'access' end, 'read', now() + interval '1 day'
      from made, generate_series(0, ${tokens}) n`
  }
  const entriesOf = async (subject: string, action: string) =>
    (await service.sql`select from audit where subject = ${subject} and action = ${action}`).length
  const pieceEntries = (subject: string) => service.sql<{ action: string; actor: string; detail: Ended }[]>`
    select action, actor, detail from audit where subject = ${subject} and action like '%.end_some' order by key`
  const grantsOf = async (user: User) =>
    (await service.sql`select from oauth_grant where user_key = ${user.key}`).length

  /** The most credentials that ended in one transaction while the work was done. */
  const mostAtOnce = async (work: () => Promise<unknown>): Promise<number> => {
    const [before] = await service.sql<
      [{ serial: number }]
    >`select coalesce(max(serial), 0) as serial from access_change`
    await work()
    const [row] = await service.sql<[{ most: number }]>`
      select coalesce(max(n), 0)::integer as most
      from (select count(*) as n from access_change where serial > ${before.serial} group by xact) counted`
    return row.most
  }
  /** More tokens than go in a piece, of fewer grants than do. */
  const addCrowd = (founded: Founded, user = founded.user) => addGrants(founded, user, 4, mostInPiece / 4 + 10)

  /** The call is answered with success, when all grants of the user are gone, and ends no more at once than a piece. */
  const assertPieces = async (user: User, call: () => Promise<{ readonly status: number }>, status = 200) => {
    assert.equal(await grantsOf(user), 4)
    const most = await mostAtOnce(async () => assert.equal((await call()).status, status))
    assert.ok(most <= mostInPiece, `${most} at once`)
    assert.equal(await grantsOf(user), 0)
  }

  it('is a client: its grants end before it, and no others', async () => {
    const founded = await addFounder()
    const other = await addFounder()
    await addCrowd(founded)
    await addGrants(other, other.user, 1)
    const path = `/api/oauth_client/${founded.client.uid}`
    await assertPieces(founded.user, () => founded.call('DELETE', path))
    assert.equal((await founded.call('GET', path)).status, 404)
    assert.equal(await grantsOf(other.user), 1)
    assert.equal(await entriesOf(founded.client.uid, 'oauth_client.delete'), 1)
  })

  it('is a user with a new password, whose version and role are changed once', async () => {
    const founded = await addFounder()
    const { user } = await addPerson(service, 'guest', founded.organization.uid)
    await addCrowd(founded, user)
    const path = `/api/user/${user.uid}`
    const change = { password: 'another password', role: 'member', firstName: 'Bob', version: user.version }
    await assertPieces(user, () => founded.call('PUT', path, change))
    const { body } = await founded.call('GET', path)
    const { role, firstName } = (body as { user: { role: string; firstName: string } }).user
    assert.deepEqual([role, firstName], ['member', 'Bob'])
    assert.equal(await entriesOf(user.uid, 'user.update'), 1)
  })

  it('is a user with a new password of their own, whose session goes last', async () => {
    const founded = await addFounder()
    await addCrowd(founded)
    const change = { password: 'another password', currentPassword: testPassword }
    await assertPieces(founded.user, () => founded.call('PUT', `/api/user/${founded.user.uid}`, change))
    assert.equal((await founded.call('GET', '/api/user')).status, 401)
  })

  it('is a user with a new password by a link, which is used up once', async () => {
    const founded = await addFounder()
    const { user } = await addPerson(service, 'guest', founded.organization.uid)
    await addCrowd(founded, user)
    const { body } = await founded.call('POST', `/api/user/${user.uid}/reset_link`)
    const [, token] = (body as { reset_link: { url: string } }).reset_link.url.split('#')
    const form = { token: token!, password: 'another password', again: 'another password' }
    const use = () => service.request('POST', '/alt/reset', { body: new URLSearchParams(form) })
    await assertPieces(user, use)
    const address = '127.0.0.1'
    assert.deepEqual(
      [...(await pieceEntries(user.uid))],
      [{ action: 'user.end_some', actor: 'anyone', detail: { address, tokens: mostInPiece } }],
    )
    assert.equal((await use()).status, 404)
  })

  it('is a user who is removed', async () => {
    const founded = await addFounder()
    const { user } = await addPerson(service, 'guest', founded.organization.uid)
    await addCrowd(founded, user)
    await assertPieces(user, () => founded.call('DELETE', `/api/user/${user.uid}`))
    assert.equal((await service.sql`select from user_account where key = ${user.key}`).length, 0)
  })

  it('is an organization', async () => {
    const founded = await addFounder()
    await addCrowd(founded)
    await assertPieces(founded.user, () => founded.call('DELETE', `/api/organization/${founded.organization.uid}`), 202)
    assert.equal((await founded.call('GET', '/api/user')).status, 403)
  })

  it('leaves an entry of what has ended in the piece after which the call breaks off, and one of the rest', async () => {
    const { sql } = service
    await sql`
      create function break_off() returns trigger language plpgsql as $$
        begin raise exception using errcode = '53200'; end $$`
    // Nothing but tokens ends in the first piece of a crowd.
    const assertEntry = async (of: (founded: Founded, user: User) => readonly [string, string, string, object?]) => {
      const founded = await addFounder()
      const { user } = await addPerson(service, 'guest', founded.organization.uid)
      await addCrowd(founded, user)
      const [entity, uid, method, input] = of(founded, user)
      const change = () => founded.call(method, `/api/${entity}/${uid}`, input)
      const actions = async () =>
        (await sql`select action, actor, detail from audit where subject = ${uid} order by key`).map(
          ({ action, actor, detail }) => (action === `${entity}.end_some` ? [action, actor, detail] : action),
        )
      const ended = [`${entity}.end_some`, `user ${founded.user.uid}`, { tokens: mostInPiece }]
      await sql`create trigger break_off before delete on oauth_grant for each row execute function break_off()`
      assert.equal((await change()).status, 503)
      await sql`drop trigger break_off on oauth_grant`
      assert.deepEqual(await actions(), [ended])
      assert.ok((await change()).status < 300)
      assert.deepEqual(await actions(), [ended, `${entity}.${method === 'PUT' ? 'update' : 'delete'}`])
    }
    await assertEntry(({ client }) => ['oauth_client', client.uid, 'DELETE'])
    await assertEntry((_founded, user) => ['user', user.uid, 'DELETE'])
    await assertEntry((_founded, user) => ['user', user.uid, 'PUT', { password: 'another password' }])
    await assertEntry(({ organization }) => ['organization', organization.uid, 'DELETE'])
  })

  it('leaves no entry but its own where one piece is all', async () => {
    const founded = await addFounder()
    const { user } = await addPerson(service, 'guest', founded.organization.uid)
    const { user: other } = await addPerson(service, 'guest', founded.organization.uid)
    await addGrants(founded, user, 3)
    await addGrants(founded, other, 3)
    const { client, organization, call } = founded
    const entries = async (entity: string, uid: string, method: string, input?: object) => {
      assert.ok((await call(method, `/api/${entity}/${uid}`, input)).status < 300)
      return (await service.sql`select action from audit where subject = ${uid} order by key`).map(
        ({ action }) => action,
      )
    }
    const password = 'another password'
    assert.deepEqual(await entries('user', user.uid, 'PUT', { password }), ['user.update'])
    assert.deepEqual(await entries('user', user.uid, 'DELETE'), ['user.update', 'user.delete'])
    assert.deepEqual(await entries('oauth_client', client.uid, 'DELETE'), ['oauth_client.delete'])
    assert.deepEqual(await entries('organization', organization.uid, 'DELETE'), ['organization.delete'])
  })

  /** The second one is done, or waits for the first one, before that is committed. */
  const atOnce = async (first: (sql: Transaction) => Promise<unknown>, second: () => Promise<unknown>) => {
    let other: Promise<unknown> | undefined
    await transaction(service.sql, async (sql) => {
      await first(sql)
      let isDone = false
      other = second().finally(() => (isDone = true))
      await eventually(async () => isDone || (await isSomebodyWaiting(service.sql)))
    })
    return other
  }

  it('is everything but a grant in use at that moment, which is waited for at the end', async () => {
    const founded = await addFounder()
    const { client, call, user } = founded
    await addGrants(founded, user, 5)
    const hold = async (sql: Transaction) => {
      await sql`select from oauth_grant where user_key = ${user.key} order by key limit 1 for update`
      const endSome = async (tx: Transaction) => {
        await tx`set local lock_timeout = '10s'`
        return endSomeOfClient(tx, client.key, 4)
      }
      while (await inside(endSome));
      assert.equal(await grantsOf(user), 1)
    }
    let status: number | undefined
    await atOnce(hold, async () => {
      ;({ status } = await call('DELETE', `/api/oauth_client/${client.uid}`))
    })
    assert.equal(status, 200)
    assert.equal(await grantsOf(user), 0)
  })

  const leaveOne: Readonly<Record<string, (sql: Transaction, of: Founded, user: User) => Promise<unknown>>> = {
    'a piece of the organization': (sql, { organization }) => endSomeOfOrganization(sql, organization.key),
    'the rest of it': (sql, { organization }) => deleteOrganization(sql, organization),
    'the membership alone': (sql, { organization }, user) => removeMember(sql, organization.key, user.key),
  }
  for (const [name, leave] of Object.entries(leaveOne)) {
    it(`is also an account whose two last organizations end at once, as ${name}`, async () => {
      const [one, other] = [await addFounder(), await addFounder()]
      const { user } = await addPerson(service, 'member', one.organization.uid)
      await addMember(service.sql, other.organization.uid, user, 'member')
      await atOnce(
        (sql) => leave(sql, one, user),
        () => transaction(service.sql, (sql) => leave(sql, other, user)),
      )
      assert.equal((await service.sql`select from user_account where key = ${user.key}`).length, 0)
    })

    it(`is no account that is added to another organization at once, as ${name}`, async () => {
      const [one, other] = [await addFounder(), await addFounder()]
      const { user } = await addPerson(service, 'member', one.organization.uid)
      await atOnce(
        async (sql) => {
          await refuseManyMemberships(sql, user.key)
          await insertMember(sql, other.organization.key, user.key, 'member')
        },
        () => transaction(service.sql, (sql) => leave(sql, one, user)),
      )
      const left = await service.sql`select organization_key as key from member where user_key = ${user.key}`
      assert.deepEqual([...left], [{ key: other.organization.key }])
    })
  }

  /** A user agrees to a client, and gets the code when other work is done or waits. Gives the error of that. */
  const agreeBeside = async (of: Founded, user: User, work: () => Promise<unknown>): Promise<string> => {
    const { clientId, redirectUris } = of.client
    const input = { response_type: 'code', client_id: clientId, redirect_uri: redirectUris[0]! }
    const request = await readAuthorizationRequest(service.sql, input, service.url)
    const { key: userKey, uid: userUid } = user
    const { key: organizationKey } = of.organization
    const visitor = { user: (await findUserWithPassword(service.sql, userKey))!, sessionHash: undefined }
    let working = Promise.resolve('')
    await transaction(service.sql, async (sql) => {
      await demandSameClient(sql, request)
      let isDone = false
      working = work().then(() => '', String)
      void working.then(() => (isDone = true))
      await eventually(async () => isDone || (await isSomebodyWaiting(service.sql)))
      assert.ok(await holdVisitor(sql, visitor, organizationKey))
      await issueCode(sql, testSecrets, Date.now(), request, { userKey, userUid, organizationKey })
    })
    return working
  }
  for (const name of ['a piece of the organization', 'the rest of it'])
    it(`waits for a user who agrees to a client of the organization, as ${name}`, async () => {
      const founded = await addFounder()
      const { user } = await addPerson(service, 'member', founded.organization.uid)
      const outcome = agreeBeside(founded, user, () =>
        transaction(service.sql, (sql) => leaveOne[name]!(sql, founded, user)),
      )
      assert.equal(await outcome, '')
      assert.equal(await grantsOf(user), 0)
    })

  it('holds no grant of a user while it waits for one who agrees to a client, and whose account a new password holds', async () => {
    const founded = await addFounder()
    const { organization, client } = founded
    const { user } = await addPerson(service, 'member', organization.uid)
    await addGrants(founded, user, 2)
    const visitor = { user: (await findUserWithPassword(service.sql, user.key))!, sessionHash: undefined }
    const waiting = async () =>
      (
        await service.sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      ).length
    const others: Promise<unknown>[] = []
    await transaction(service.sql, async (sql) => {
      assert.ok(await holdClient(sql, client))
      others.push(inside((tx) => endSomeOfOrganization(tx, organization.key)))
      await eventually(async () => (await waiting()) === 1)
      let isSet = false
      others.push(
        transaction(service.sql, (tx) => resetPassword(tx, user.key, 'another')).finally(() => (isSet = true)),
      )
      others.forEach((other) => void other.catch(() => {}))
      await eventually(async () => isSet || (await waiting()) === 2)
      assert.equal(await holdVisitor(sql, visitor, organization.key), false)
    })
    await Promise.all(others)
  })

  it('is no client that somebody else has deleted while the call waited for it', async () => {
    const { client, call } = await addFounder()
    let status: number | undefined
    await atOnce(
      (sql) => sql`delete from oauth_client where key = ${client.key}`,
      async () => {
        ;({ status } = await call('DELETE', `/api/oauth_client/${client.uid}`))
      },
    )
    assert.equal(status, 404)
    assert.equal(await entriesOf(client.uid, 'oauth_client.delete'), 0)
  })

  it('waits for a user who agrees to the client that is deleted', async () => {
    const founded = await addFounder()
    const { user } = await addPerson(service, 'member', founded.organization.uid)
    await addGrants(founded, user, 2)
    const path = `/api/oauth_client/${founded.client.uid}`
    const remove = async () => assert.equal((await founded.call('DELETE', path)).status, 200)
    assert.equal(await agreeBeside(founded, user, remove), '')
    assert.equal(await grantsOf(user), 0)
  })

  it('is told to the second of two who delete a client at once', async () => {
    const founded = await addFounder()
    const { key, uid } = founded.client
    let status: unknown
    await atOnce(
      (sql) => sql`delete from oauth_client where key = ${key}`,
      async () => ({ status } = await founded.call('DELETE', `/api/oauth_client/${uid}`)),
    )
    assert.equal(status, 404)
  })

  it('is told to a user who agrees to a client that goes or changes while the password is checked', async () => {
    const founded = await addFounder()
    const { user } = await addPerson(service, 'member', founded.organization.uid)
    const login = async () => {
      const { clientId: client_id, redirectUris } = founded.client
      const form = { response_type: 'code', client_id, redirect_uri: redirectUris[0]!, email: user.email }
      const body = new URLSearchParams({ ...form, password: testPassword })
      const { status, json } = await service.request('POST', '/api/oauth_login', { body })
      return [status, (json as { message: string }).message]
    }
    const told = [400, 'this client has changed meanwhile, or is not registered any more']
    let outcome: unknown
    for (const change of ['update oauth_client set version = version + 1', 'delete from oauth_client'])
      await atOnce(
        (sql) => sql.unsafe(`${change} where key = ${founded.client.key}`),
        async () => (outcome = await login()),
      ).then(() => assert.deepEqual(outcome, told, change))
  })

  it('waits for nobody by a link and by an admin at once, who both set the password', async () => {
    const founded = await addFounder()
    const { user } = await addPerson(service, 'guest', founded.organization.uid)
    const link = Buffer.from('a link')
    await insertResetLink(service.sql, link, user.key, undefined, Date.now())
    let other: Promise<unknown> | undefined
    await transaction(service.sql, async (sql) => {
      assert.equal(await takeResetLink(sql, link, Date.now()), user.key)
      other = transaction(service.sql, (tx) => resetPassword(tx, user.key, 'of the admin'))
      other.catch(() => {})
      await eventually(() => isSomebodyWaiting(service.sql))
      await resetPassword(sql, user.key, 'of the link')
    })
    await other
  })

  it('is nothing where the call is refused', async () => {
    const founded = await addFounder()
    const { user } = await addPerson(service, 'admin', founded.organization.uid)
    await addGrants(founded, user, 1)
    await addGrants(founded, founded.user, 1)
    const path = `/api/user/${user.uid}`
    for (const [refused, status] of [
      [{ password: 'another password', version: 7 }, 409],
      [{ password: 'another password', email: founded.user.email }, 409],
      [{ password: 'short' }, 400],
    ] as const)
      assert.equal((await founded.call('PUT', path, refused)).status, status)
    // The last owner.
    assert.equal((await founded.call('DELETE', `/api/user/${founded.user.uid}`)).status, 409)
    assert.deepEqual([await grantsOf(user), await grantsOf(founded.user)], [1, 1])
  })

  it('has less after each piece, and goes on where it was left', async () => {
    const founded = await addFounder()
    const { client, organization, user } = founded
    await addGrants(founded, user, 5, 2)
    // Ten access tokens and five refresh tokens in pieces of four, and the grants one by one.
    const left: number[] = []
    const piece = { tokens: 3, codes: 1, grants: 1 }
    for (;;) {
      const ended = await inside((sql) => endSomeOfClient(sql, client.key, 4))
      if (ended === undefined) break
      assert.deepEqual(ended, piece)
      left.push(await grantsOf(user))
    }
    assert.deepEqual(left, [4, 3, 2, 1, 0])
    await addGrants(founded, user, 2, 2)
    assert.deepEqual(await inside((sql) => endSomeOfUser(sql, user.key, 4)), piece)
    assert.deepEqual(await inside((sql) => endSomeOfMember(sql, organization.key, user.key, 4)), piece)
    assert.equal(await grantsOf(user), 0)
  })

  it('is of an organization everything but its owners', async () => {
    const founded = await addFounder()
    const { organization, user, client } = founded
    const { sql } = service
    for (let n = 0; n < 5; n += 1) {
      await addApiKey(sql, organization.uid, [])
      await addClient(sql, organization.uid)
      const { user: member } = await addPerson(service, 'member', organization.uid)
      await addGrants(founded, member, 1)
      await sql`
        insert into connector (organization_key, type, name, sql, endpoint)
        values (${organization.key}, 'http', 'c', 'select 1', ${`c${n}`})`
    }
    // Somebody who is of another one too keeps the account.
    const both = (await addPerson(service, 'member', organization.uid)).user
    await addMember(sql, service.organizationUid, both, 'member')
    await addGrants(founded, user, 3)
    const all: Record<string, number> = {}
    const most = await mostAtOnce(async () => {
      for (;;) {
        const ended = await inside((tx) => endSomeOfOrganization(tx, organization.key, 4))
        if (ended === undefined) break
        for (const [word, count] of Object.entries(ended)) all[word] = (all[word] ?? 0) + count
      }
    })
    assert.ok(most <= 8, `${most} at once`)
    const others = { apiKeys: 5, connectors: 5, oauthClients: 6, members: 6, accounts: 5, sessions: 5 }
    assert.deepEqual(all, { ...others, grants: 8, codes: 8, tokens: 16 })
    const rows = async (table: 'api_key' | 'oauth_client' | 'connector' | 'member' | 'oauth_grant') =>
      (await sql`select from ${sql(table)} where organization_key = ${organization.key}`).length
    assert.deepEqual(
      [await rows('api_key'), await rows('oauth_client'), await rows('connector'), await rows('member')],
      [0, 0, 0, 1],
    )
    assert.equal(await rows('oauth_grant'), 0)
    assert.equal((await sql`select from oauth_client where key = ${client.key}`).length, 0)
    assert.equal((await sql`select from session where user_key = ${both.key}`).length, 1)
    assert.equal((await founded.call('DELETE', `/api/organization/${organization.uid}`)).status, 202)
  })
})
