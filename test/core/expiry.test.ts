// Ended sessions, grants with their codes and tokens, and old notes of changes go, and nothing else.
import assert from 'node:assert/strict'
import type { Transaction } from '../../src/base/database/sql.ts'
import { transaction } from '../../src/base/database/sql.ts'
import { accessChangesKeptMs, removeOldAccessChanges } from '../../src/core/access-change.ts'
import { changesKeptMs, mergeOldChanges, noteChange } from '../../src/core/sample/catalog-change.ts'
import { everything, latestSerial, openGate } from '../../src/core/sample/gate.ts'
import type { OauthClient } from '../../src/core/oauth-client.ts'
import {
  accessTokenLifeMs,
  codeLifeMs,
  insertCode,
  insertTokens,
  refreshTokenLifeMs,
  removeEndedGrants,
} from '../../src/core/oauth-grant.ts'
import { removeEndedSessions, sessionIdleMs } from '../../src/core/session.ts'
import type { User } from '../../src/core/user.ts'
import type { TestDatabase } from '../support/database.ts'
import { isSomebodyWaiting, openTestDatabase } from '../support/database.ts'
import { addClient, addOrganization, addSession, addUser } from '../support/people.ts'
import { eventually } from '../support/within.ts'

const nowMs = Date.parse('2026-03-01T00:00:00Z')

describe('expiry', () => {
  let database: TestDatabase
  let user: User
  let client: OauthClient
  before(async () => {
    database = await openTestDatabase()
    user = await addUser(database.sql, 'ada@example.org')
    const organization = await addOrganization(database.sql, 'Ours', user)
    client = await addClient(database.sql, organization.uid)
  })
  after(() => database.drop())

  const count = async (table: 'session' | 'oauth_grant' | 'oauth_code' | 'oauth_token' | 'access_change') => {
    const [row] = await database.sql<[{ n: number }]>`select count(*)::integer as n from ${database.sql(table)}`
    return row.n
  }

  const grant = async (label: string, atMs: number): Promise<number> => {
    const code = {
      clientKey: client.key,
      userKey: user.key,
      organizationKey: client.organizationKey,
      scope: 'read write' as const,
      redirectUri: 'https://a.example/',
      challenge: null,
    }
    await insertCode(database.sql, { ...code, codeHash: Buffer.from(label) }, atMs)
    const [row] = await database.sql<[{ key: number }]>`select max(key) as key from oauth_grant`
    return row.key
  }
  const labelsOf = async (table: 'oauth_code' | 'oauth_token', column: 'code_hash' | 'token_hash') => {
    const { sql } = database
    const rows = await sql<{ label: string }[]>`
      select convert_from(${sql(column)}, 'utf8') as label from ${sql(table)} order by 1`
    return rows.map(({ label }) => label)
  }

  /** Each with an access and a refresh token; their keys, the oldest first. */
  const grantsOfThreeAges = async (): Promise<readonly number[]> => {
    const keys: number[] = []
    for (const [label, ageMs] of [
      ['oldest', 30],
      ['older', 20],
      ['newest', 10],
    ] as const) {
      const key = await grant(label, nowMs - ageMs)
      const [access, refresh] = [Buffer.from(`access ${label}`), Buffer.from(`refresh ${label}`)] as const
      await insertTokens(database.sql, key, 'read write', access, refresh, nowMs - ageMs)
      keys.push(key)
    }
    return keys
  }

  /** While a transaction holds rows, the work comes to its end: it waits for none of them. */
  const besideOne = async (
    hold: (tx: Transaction) => Promise<unknown>,
    work: () => Promise<unknown>,
    goOn: (tx: Transaction) => Promise<unknown>,
  ) => {
    let working: Promise<unknown> | undefined
    await transaction(database.sql, async (tx) => {
      await hold(tx)
      let isDone = false
      working = work().finally(() => (isDone = true))
      working.catch(() => {})
      await eventually(async () => isDone || (await isSomebodyWaiting(database.sql)))
      assert.ok(isDone)
      await goOn(tx)
    })
    await working
  }

  it('removes sessions that were idle for 30 days', async () => {
    await addSession(database.sql, user, nowMs - sessionIdleMs - 1)
    await addSession(database.sql, user, nowMs - sessionIdleMs + 1)
    await removeEndedSessions(database.sql, nowMs)
    assert.equal(await count('session'), 1)
  })

  it('removes the longest unused sessions of a user beyond the most, and none of others', async () => {
    const { sql } = database
    await sql`delete from session`
    const other = await addUser(sql, 'bob@example.org')
    for (const [of, ageMs] of [
      [user, 30],
      [user, 10],
      [user, 20],
      [other, 40],
      [other, 50],
    ] as const)
      await addSession(sql, of, nowMs - ageMs)
    await removeEndedSessions(sql, nowMs, 2)
    const left = await sql<{ ms: number }[]>`select used_at as ms from session order by used_at`
    assert.deepEqual(
      left.map(({ ms }) => nowMs - ms),
      [50, 40, 20, 10],
    )
  })

  it('removes those beyond the most some at a time, since each leaves a note that all servers read', async () => {
    const { sql } = database
    await sql`delete from session`
    for (let n = 0; n < 7; n += 1) await addSession(sql, user, nowMs - n)
    const removed: unknown[] = []
    for (let n = 0; n < 3; n += 1) removed.push([await removeEndedSessions(sql, nowMs, 2, 2), await count('session')])
    assert.deepEqual(removed, [
      [true, 5],
      [true, 3],
      [false, 2],
    ])
    await sql`delete from oauth_grant`
    for (let n = 0; n < 4; n += 1) await grant(`some ${n}`, nowMs - n)
    assert.deepEqual([await removeEndedGrants(sql, nowMs, 1, 2), await count('oauth_grant')], [true, 2])
    assert.deepEqual([await removeEndedGrants(sql, nowMs, 1, 2), await count('oauth_grant')], [false, 1])
    await sql`delete from oauth_grant`
  })

  it('removes ended ones some at a time, too', async () => {
    const { sql } = database
    const endedMs = nowMs - sessionIdleMs - 1
    for (let n = 0; n < 3; n += 1) await addSession(sql, user, endedMs)
    await sql`delete from access_change`
    assert.equal(await removeEndedSessions(sql, nowMs, 10, 2), true)
    assert.equal(await count('access_change'), 2)
    assert.equal(await removeEndedSessions(sql, nowMs, 10, 2), false)
    for (let n = 0; n < 3; n += 1) {
      const ended = await grant(`ended ${n}`, nowMs - refreshTokenLifeMs)
      const [access, refresh] = [Buffer.from(`access ${n}`), Buffer.from(`refresh ${n}`)] as const
      await insertTokens(sql, ended, 'read', access, refresh, nowMs - refreshTokenLifeMs)
    }
    const left: number[] = []
    for (let isMore = true; isMore; left.push(await count('oauth_token')))
      isMore = await removeEndedGrants(sql, nowMs, 10, 2)
    assert.deepEqual(left, [4, 2, 0, 0])
    assert.equal(await count('oauth_grant'), 0)
    for (let n = 0; n < 3; n += 1) await grant(`not redeemed ${n}`, nowMs - codeLifeMs)
    assert.deepEqual([await removeEndedGrants(sql, nowMs, 10, 2), await count('oauth_grant')], [true, 1])
    assert.deepEqual([await removeEndedGrants(sql, nowMs, 10, 2), await count('oauth_grant')], [false, 0])
    const busy = await grant('busy', nowMs)
    for (let n = 0; n < 4; n += 1)
      await insertTokens(sql, busy, 'read', Buffer.from(`access ${n}`), Buffer.from(`refresh ${n}`), nowMs + n)
    assert.deepEqual([await removeEndedGrants(sql, nowMs, 1, 2), await count('oauth_token')], [true, 6])
    assert.deepEqual([await removeEndedGrants(sql, nowMs, 1, 2), await count('oauth_token')], [false, 5])
    await sql`delete from oauth_grant`
  })

  it('removes grants that no code or token can bring back', async () => {
    const { sql } = database
    await grant('a code that nobody redeemed', nowMs - codeLifeMs)
    await grant('a code on its way', nowMs - codeLifeMs + 1)
    const used = await grant('in use', nowMs - refreshTokenLifeMs - 1)
    const [old, young] = [nowMs - refreshTokenLifeMs, nowMs - accessTokenLifeMs]
    await insertTokens(sql, used, 'read write', Buffer.from('access 1'), Buffer.from('refresh 1'), old)
    await insertTokens(sql, used, 'read write', Buffer.from('access 2'), Buffer.from('refresh 2'), young)
    const over = await grant('over', old)
    await insertTokens(sql, over, 'read write', Buffer.from('access 3'), Buffer.from('refresh 3'), old)

    await removeEndedGrants(sql, nowMs)
    assert.deepEqual(await labelsOf('oauth_code', 'code_hash'), ['a code on its way', 'in use'])
    assert.deepEqual(await labelsOf('oauth_token', 'token_hash'), ['refresh 2'])
    assert.equal(await count('oauth_grant'), 2)
  })

  it('removes the oldest access tokens of a grant, but no refresh token, and the longest unused grants to a client beyond the most', async () => {
    const { sql } = database
    await sql`delete from oauth_grant`
    const tokens = (key: number, label: string, ageMs: number) =>
      insertTokens(
        sql,
        key,
        'read write',
        Buffer.from(`access ${label}`),
        Buffer.from(`refresh ${label}`),
        nowMs - ageMs,
      )
    const first = await grant('first', nowMs - 50)
    const second = await grant('second', nowMs - 40)
    await tokens(second, 'of the second', 40)
    await tokens(first, 'that is surplus', 30)
    await tokens(first, 'before', 20)
    await tokens(first, 'now', 10)
    await grant('on its way', nowMs - 5)
    await removeEndedGrants(sql, nowMs, 2)
    assert.deepEqual(await labelsOf('oauth_code', 'code_hash'), ['first', 'on its way'])
    assert.deepEqual(await labelsOf('oauth_token', 'token_hash'), [
      'access before',
      'access now',
      'refresh before',
      'refresh now',
      'refresh that is surplus',
    ])
  })

  it('removes the tokens of grants beyond the most some at a time, and each grant with its last one', async () => {
    const { sql } = database
    await sql`delete from oauth_grant`
    await grantsOfThreeAges()
    const steps: unknown[] = []
    for (let n = 0; n < 3; n += 1)
      steps.push([await removeEndedGrants(sql, nowMs, 1, 2), await count('oauth_token'), await count('oauth_grant')])
    assert.deepEqual(steps, [
      [true, 4, 2],
      [true, 2, 1],
      [false, 2, 1],
    ])
    assert.deepEqual(await labelsOf('oauth_token', 'token_hash'), ['access newest', 'refresh newest'])
    await sql`delete from oauth_grant`
  })

  it('leaves a grant beyond the most that is in use, and is not in the way of whoever ends it', async () => {
    const { sql } = database
    const [oldest] = await grantsOfThreeAges()
    await besideOne(
      (tx) => tx`select from oauth_grant where key = ${oldest!} for update`,
      () => removeEndedGrants(sql, nowMs, 1),
      (tx) => tx`delete from oauth_token where grant_key = ${oldest!}`,
    )
    assert.deepEqual(await labelsOf('oauth_token', 'token_hash'), ['access newest', 'refresh newest'])
    assert.equal(await count('oauth_grant'), 2)
    await sql`delete from oauth_grant`
  })

  it('leaves what somebody else is ending, and is in the way of nobody who does it in another order', async () => {
    const { sql } = database
    const of = (name: string) => Buffer.from(`access ${name}`)
    const leftIn = async (table: 'session' | 'oauth_token' | 'oauth_grant') =>
      (await sql`select from ${sql(table)}`).length
    await grantsOfThreeAges()
    await besideOne(
      (tx) => tx`delete from oauth_token where token_hash = ${of('newest')}`,
      () => removeEndedGrants(sql, nowMs + accessTokenLifeMs),
      (tx) => tx`delete from oauth_token where kind = 'access'`,
    )
    assert.equal(await leftIn('oauth_token'), 3)
    const [{ key }] = await sql<[{ key: number }]>`select min(key) as key from oauth_grant`
    for (const [n, name] of ['a', 'b', 'c'].entries())
      await insertTokens(sql, key, 'read write', of(name), Buffer.from(`refresh ${name}`), nowMs + n)
    await besideOne(
      (tx) => tx`delete from oauth_token where token_hash = ${of('a')}`,
      () => removeEndedGrants(sql, nowMs, 1),
      (tx) => tx`delete from oauth_token where grant_key = ${key}`,
    )
    await sql`delete from oauth_grant`
    await grantsOfThreeAges()
    await sql`delete from oauth_token`
    const [, second] = await sql<{ key: number }[]>`select key from oauth_grant order by key`
    await besideOne(
      (tx) => tx`delete from oauth_grant where key = ${second!.key}`,
      () => removeEndedGrants(sql, nowMs + codeLifeMs),
      (tx) => tx`delete from oauth_grant`,
    )
    assert.equal(await leftIn('oauth_grant'), 0)
    for (const [most, ageMs] of [
      [10, sessionIdleMs + 1],
      [0, 1],
    ] as const) {
      await sql`delete from session`
      for (let n = 0; n < 3; n += 1) await addSession(sql, user, nowMs - ageMs)
      await besideOne(
        (tx) => tx`delete from session where token_hash = (select token_hash from session order by 1 desc limit 1)`,
        () => removeEndedSessions(sql, nowMs, most),
        (tx) => tx`delete from session`,
      )
      assert.equal(await leftIn('session'), 0)
    }
  })

  it('removes notes that every server has read long ago', async () => {
    assert.notEqual(await count('access_change'), 0)
    await removeOldAccessChanges(database.sql, Date.now())
    assert.notEqual(await count('access_change'), 0)
    const laterMs = Date.now() + accessChangesKeptMs + 60_000
    const all = await count('access_change')
    assert.equal(await removeOldAccessChanges(database.sql, laterMs, 2), true)
    assert.equal(await count('access_change'), all - 2)
    assert.equal(await removeOldAccessChanges(database.sql, laterMs), false)
    assert.equal(await count('access_change'), 0)
  })

  it('removes changes of the catalogue, all but the last of the old ones, which is of everything', async () => {
    const { sql } = database
    const changes = async () =>
      (await sql`select component_key from catalog_change order by serial`).map((row) => row['component_key'] as number)
    const note = (...keys: number[]) => transaction(sql, (inside) => noteChange(inside, keys))
    await note(7, 8, 9)
    const serial = await latestSerial(sql)
    await mergeOldChanges(sql, Date.now())
    assert.deepEqual(await changes(), [7, 8, 9])
    const laterMs = Date.now() + changesKeptMs + 60_000
    for (let time = 0; time < 2; time += 1) {
      await mergeOldChanges(sql, laterMs)
      assert.deepEqual(await changes(), [everything])
      assert.equal(await latestSerial(sql), serial)
    }
    await sql`insert into catalog_change (component_key, at) values (5, ${laterMs})`
    await mergeOldChanges(sql, laterMs)
    assert.deepEqual(await changes(), [everything, 5])
    assert.deepEqual(
      await Promise.all(
        [serial - 1, serial].map(async (known) =>
          transaction(sql, async (inside) => (await openGate(inside, known)).changedComponentKeys),
        ),
      ),
      [[everything, 5], [5]],
    )
  })
})
