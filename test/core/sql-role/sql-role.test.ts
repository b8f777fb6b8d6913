// Roles for people who ask by SQL (docs/bi.md): one of one organization sees nothing of another, and harms nobody.
import assert from 'node:assert/strict'
import { Client } from 'pg'
import { openPool } from '../../../src/base/database/pool.ts'
import { closeEverybodysDoors, createSqlRole, dropSqlRole, listSqlRoles } from '../../../src/core/sql-role/sql-role.ts'
import { endLongWork, openShutOut } from '../../../src/core/sql-role/watch.ts'
import type { Pool } from '../../../src/base/database/sql.ts'
import { startJobs } from '../../../src/jobs.ts'
import { fillEdges } from '../../../src/core/sql-role/calendar.ts'
import { openEmptyDatabase } from '../../support/database.ts'
import { addApiKey, addOrganization, addUser } from '../../support/people.ts'
import type { TestService } from '../../support/service.ts'
import { openTestService } from '../../support/service.ts'
import type { SqlPerson } from '../../support/sql-role.ts'
import { asSuperuser, openSqlPerson } from '../../support/sql-role.ts'
import { skipWithout } from '../../support/skip.ts'
import { eventually, within } from '../../support/within.ts'

describe('an SQL role', function () {
  this.timeout(120_000)
  let service: TestService
  let ours: SqlPerson
  let theirs: SqlPerson
  let admin: Client
  before(async () => {
    service = await openTestService()
    admin = new Client({ connectionString: asSuperuser(service.databaseUrl) })
    await admin.connect()
    const other = await addOrganization(service.sql, 'Next door', await addUser(service.sql, 'eve@example.org'))
    const { secret } = await addApiKey(service.sql, other.uid, [{ resource: '*', methods: ['PUT'] }])
    const time = Date.now() - 3_600_000
    const put = async (credential: string, compId: string, text: string, data: number) => {
      const samples = [
        { compId, streamId: 'note', time, data: text },
        { compId, streamId: 'temp', time, data },
      ]
      const reply = await service.put(`/api/feed?api_key=${credential}`, JSON.stringify(samples))
      assert.equal(reply.status, 200, reply.text)
    }
    await put(service.apiKey, 'ours', 'our note', 1)
    await put(secret, 'theirs-secret', 'their note', 42)
    ours = await openSqlPerson(service)
    theirs = await openSqlPerson({ ...service, organizationUid: other.uid })
  })
  after(async () => {
    for (const person of [ours, theirs]) await person.leave()
    await admin.end()
    await service.close()
  })

  it('sees the rows of its organization in every view, and no others', async () => {
    for (const [view, column] of [
      ['component', 'id'],
      ['stream', 'component_id'],
      ['sample', 'component_id'],
      ['hour', 'component_id'],
      ['day', 'component_id'],
      ['month', 'component_id'],
    ]) {
      assert.deepEqual(await ours.ask(`select distinct ${column} from ${view}`), [['ours']], view)
      assert.deepEqual(await theirs.ask(`select distinct ${column} from coppice.${view}`), [['theirs-secret']], view)
    }
  })

  it('learns nothing of others by conditions that fail on their rows', async () => {
    for (const condition of [
      '1 / (value - 42)::integer > -2 or value is null',
      "(text is null or text not like 'their%' or text::integer > 0)",
      "case when component_id like 'theirs%' then component_id::integer > 0 else true end",
      "1 / case when folder = folder and component_name like 'theirs%' then 0 else 1 end = 1",
    ])
      assert.equal((await ours.ask(`select * from sample where ${condition}`)).length, 2, condition)
    assert.equal((await ours.ask('select * from component where 1 / (length(id) - 13) < 1')).length, 1)
    const lines = await ours.ask("explain select * from day where component_id = 'theirs-secret'")
    const plan = lines.map(([line]) => String(line)).join('\n')
    assert.doesNotMatch(plan, / on (component|stream|sample|_hyper\w*)\b/)
    assert.deepEqual(
      await ours.ask(
        "select distinct schemaname from pg_stats where schemaname not in ('pg_catalog', 'information_schema')",
      ),
      [],
    )
  })

  it('learns nothing of others by the counts that a plan shows', async () => {
    const planOf = async (condition: string, value: string) => {
      const lines = await ours.ask(
        `explain (analyze, costs off, timing off, summary off) select * from sample where ${condition} ${value}`,
      )
      return lines.map(([line]) => String(line).replaceAll(value.replaceAll("'", ''), 'value'))
    }
    await ours.ask('set enable_nestloop = off')
    for (const [condition, theirOwn, nobodys] of [
      ['text =', "'their note'", "'nobodys note'"],
      ['text >=', "'their'", "'zzzz'"],
      ['value =', '42', '43'],
    ] as const)
      assert.deepEqual(await planOf(condition, theirOwn), await planOf(condition, nobodys), condition)
    await ours.ask('reset enable_nestloop')
    assert.deepEqual(await ours.ask("select component_id from sample where text = 'our note'"), [['ours']])
  })

  it('reads and writes nothing but the views', async () => {
    const [{ chunk, stream }] = await service.sql<[{ chunk: string; stream: number }]>`
      select (select show_chunks('sample')::text order by 1 desc limit 1) as chunk,
        (select max(key) from stream) as stream`
    await ours.ask('set default_transaction_read_only = off')
    for (const [text, expected] of [
      ['select * from public.sample', /permission denied for table sample/],
      ['select * from public.component', /permission denied for table component/],
      ['select secret_hash from public.api_key', /permission denied for table api_key/],
      [`select * from ${chunk}`, /permission denied/],
      ['select * from bi.role', /permission denied for schema bi/],
      [`select * from bi.measure(${stream}, '2000-01-01', '2100-01-01')`, /permission denied for schema bi/],
      ['select * from gs.stream_row', /permission denied for schema gs/],
      [`set role ${theirs.name}`, /permission denied to set role/],
      [`set session authorization ${theirs.name}`, /permission denied/],
      ['set role coppice_gsql', /permission denied to set role/],
      ['create table coppice.mine ()', /permission denied for schema coppice/],
      ['create table public.mine ()', /permission denied for schema public/],
      ['create temporary table mine ()', /permission denied to create temporary/],
      [
        "create function pg_temp.f() returns int language sql as 'select 1'",
        /permission denied|cannot create temporary/,
      ],
      ['delete from component', /permission denied|cannot delete/],
      ["insert into stream (id) values ('x')", /permission denied|cannot insert/],
      ['do $$ begin lock table coppice.sample in exclusive mode; end $$', /permission denied/],
      ["select pg_read_file('/etc/passwd')", /permission denied/],
      ["copy component to program 'id'", /permission denied|must be/],
      [`alter role ${ours.name} connection limit 1000`, /permission denied|must have/],
      ['select pg_advisory_lock(7309453881)', /permission denied for function/],
      ['select pg_try_advisory_xact_lock_shared(1, 2)', /permission denied for function/],
      ["select lo_from_bytea(0, 'x')", /permission denied for function/],
      ['select lo_create(0)', /permission denied for function/],
      ["select pg_logical_emit_message(true, 'x', 'y')", /permission denied for function/],
      ['select pg_export_snapshot()', /permission denied for function/],
      ["select public.add_job('pg_sleep'::regproc, '1 second')", /permission denied for function/],
      [`select _timescaledb_functions.drop_chunk('${chunk}')`, /permission denied for function/],
      [`select _timescaledb_internal.drop_chunk('${chunk}')`, /permission denied for function/],
      [`select _timescaledb_functions.freeze_chunk('${chunk}')`, /permission denied for function/],
      ["set temp_file_limit = '1TB'", /permission denied to set parameter/],
      ["set log_min_messages = 'log'", /permission denied to set parameter/],
      [
        'select pg_terminate_backend(pid) from pg_stat_activity where usename <> current_user',
        /permission denied|must/,
      ],
      ['select public.close_gate()', /permission denied/],
    ] as const)
      assert.match(await ours.refused(text), expected, text)
    await ours.ask('reset default_transaction_read_only')
  })

  it('has none of the functions of TimescaleDB itself that may change something, and those for queries', async () => {
    assert.deepEqual(
      await ours.ask(
        `select oid::regprocedure::text from pg_proc
        where provolatile = 'v' and exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e') and pronamespace <> 'public'::regnamespace
          and pronamespace <> 'pg_catalog'::regnamespace and prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
          and has_function_privilege(oid, 'execute')`,
      ),
      [],
    )
    assert.equal(
      (await ours.ask("select public.time_bucket('1 day', time), count(*) from sample group by 1")).length,
      1,
    )
  })

  it('writes nothing into the log of the database, by settings that it cannot take back', async () => {
    const before = await ours.ask('show log_min_messages')
    await ours.ask('set default_transaction_read_only = off')
    await ours.ask('alter role current_user reset all')
    const again = new Client({ connectionString: ours.url })
    await again.connect()
    const found = await again.query({
      text: "select current_setting('log_min_messages'), current_setting('temp_file_limit')",
      rowMode: 'array',
    })
    await again.end()
    assert.deepEqual([before, found.rows], [[['fatal']], [['fatal', '1GB']]])
    await ours.ask('reset default_transaction_read_only')
  })

  it('loses them where it was made by a version before, as soon as a server starts with its own database', async () => {
    await admin.query('grant execute on function _timescaledb_functions.drop_chunk(regclass) to public')
    await admin.query(`alter role ${ours.name} reset log_min_messages`)
    const pool = openPool(asSuperuser(service.databaseUrl), { connections: 1, name: 'superuser' })
    assert.equal(await closeEverybodysDoors(pool), true)
    await pool.end()
    assert.match(
      await ours.refused("select _timescaledb_functions.drop_chunk('sample')"),
      /permission denied for function/,
    )
    const { rows } = await admin.query(
      "select rolconfig from pg_roles where rolname = $1 and 'log_min_messages=fatal' = any(rolconfig)",
      [ours.name],
    )
    assert.equal(rows.length, 1)
    assert.equal((await service.put('/api/feed?compId=ours&temp=1&time=1650000000000')).status, 200)
  })

  it('cannot put its own things in front of the views', async () => {
    await ours.ask('set search_path = pg_temp, public, coppice')
    assert.deepEqual(await ours.ask('select distinct component_id from coppice.hour'), [['ours']])
    await ours.ask('reset search_path')
  })

  it('begins with limits, and is ended where it takes them away or takes locks of servers', async () => {
    const names = ['default_transaction_read_only', 'statement_timeout', 'work_mem', 'search_path']
    const found: unknown[] = []
    for (const name of names) found.push((await ours.ask(`show ${name}`))[0]![0])
    assert.deepEqual(found, ['on', '30s', '16MB', 'coppice'])
    const [{ most }] = await service.sql<[{ most: number }]>`
      select rolconnlimit as most from pg_roles where rolname = ${ours.name}`
    assert.equal(most, 10)
    assert.equal(await endLongWork(service.sql), 0)
    const second = new Client({ connectionString: ours.url })
    const ending = new Promise<void>((resolve) => second.once('end', resolve))
    second.on('error', () => {})
    await second.connect()
    // As where no superuser makes the roles.
    await admin.query(`grant execute on function pg_advisory_lock(integer, integer) to ${ours.name}`)
    await second.query("select pg_advisory_lock(hashtext('coppice job'), hashtext('sql roles'))")
    assert.equal(await endLongWork(service.sql), 1)
    await ending
    await admin.query(`revoke execute on function pg_advisory_lock(integer, integer) from ${ours.name}`)
  })

  it('is ended by servers beside one of which they are no members', async function () {
    const [{ user, isSuper }] = await service.sql<[{ user: string; isSuper: boolean }]>`
      select quote_ident(current_user) as user, rolsuper as "isSuper" from pg_roles where rolname = current_user`
    if (isSuper) return skipWithout(this, 'a database whose user is no superuser')
    const sessions = [theirs, ours, theirs].map(({ name, url }) => ({
      name,
      client: new Client({ connectionString: url }),
    }))
    await service.sql.unsafe(`revoke ${theirs.name} from ${user} granted by ${user}`)
    try {
      for (const { name, client } of sessions) {
        client.on('error', () => {})
        await client.connect()
        await admin.query(`grant execute on function pg_advisory_lock(integer, integer) to ${name}`)
        await client.query(`select pg_advisory_lock(1, ${sessions.findIndex((each) => each.client === client)})`)
      }
      await assert.rejects(endLongWork(service.sql), { message: new RegExp(`cannot be ended: ${theirs.name}$`) })
      await assert.rejects(sessions[1]!.client.query('select'))
      // It may be told of its end before it is gone.
      await eventually(async () => {
        const { rowCount } = await admin.query(
          "select from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory' and usename = $1",
          [ours.name],
        )
        return rowCount === 0
      })
      for (const n of [0, 2]) await sessions[n]!.client.query('select')
      await service.sql.unsafe(`grant ${theirs.name} to ${user}`)
      assert.equal(await endLongWork(service.sql), 2)
    } finally {
      for (const { name, client } of sessions) {
        await client.end().catch(() => {})
        await admin.query(`revoke execute on function pg_advisory_lock(integer, integer) from ${name}`)
      }
    }
  })

  it('is ended by servers though it holds the lock of the job that ends it', async () => {
    const second = new Client({ connectionString: ours.url })
    const ending = new Promise<void>((resolve) => second.once('end', resolve))
    second.on('error', () => {})
    await second.connect()
    await admin.query(`grant execute on function pg_advisory_lock(integer, integer) to ${ours.name}`)
    await second.query("select pg_advisory_lock(hashtext('coppice job'), hashtext('sql roles'))")
    const jobs = startJobs(service.service.world, service.databaseUrl)
    try {
      await ending
    } finally {
      await jobs.stop()
      await admin.query(`revoke execute on function pg_advisory_lock(integer, integer) from ${ours.name}`)
    }
  })

  describe('that can keep others waiting by locks', () => {
    let person: SqlPerson
    let watch: Pool
    beforeEach(async () => {
      person = await openSqlPerson(service)
      await person.ask('set default_transaction_read_only = off')
      await person.ask('set lock_timeout = 0')
      watch = openPool(service.databaseUrl, { connections: 1, name: 'watch' })
    })
    afterEach(async () => {
      await watch.end()
      await person.leave()
    })

    const isOut = async ({ url }: Pick<SqlPerson, 'url'>): Promise<boolean> => {
      const client = new Client({ connectionString: url })
      const says = await client.connect().then(
        () => 'in',
        (error: Error) => error.message,
      )
      await client.end()
      return says.includes('not permitted to log in')
    }
    /** Of somebody who writes, and of autovacuum, where these are in the way and readings are not. */
    const otherModes = [
      [/trigger/, 'row exclusive'],
      [/comment|statistics/, 'share update exclusive'],
    ] as const
    /** While somebody reads the table, or writes to it, the person waits for a lock on it. Asks nothing but functions: the catalog may be locked. */
    const whileWaiting = async (table: string, text: string, work: () => Promise<void>): Promise<string> => {
      const isWaiting = async () =>
        (await admin.query('select from pg_lock_status() where pid = any($1) and not granted', [[pid]])).rowCount === 1
      const pid = (await person.ask('select pg_backend_pid()'))[0]![0]
      const held = otherModes.find(([pattern]) => pattern.test(text))?.[1] ?? 'access share'
      await admin.query(`begin; lock table ${table} in ${held} mode`)
      try {
        assert.equal(await isWaiting(), false)
        const asked = person.refused(text)
        await eventually(isWaiting)
        await work()
        return await asked
      } finally {
        await admin.query('rollback')
      }
    }

    for (const [table, text] of [
      ['public.sample', 'truncate public.sample'],
      ['public.sample', 'drop table public.sample'],
      ['public.stream', 'create trigger mine before insert on public.stream execute function public.mine()'],
      ['public.sample', "comment on table public.sample is 'mine'"],
      ['public.stream', 'create statistics mine on key, id from public.stream'],
      ['pg_catalog.pg_class', "comment on table pg_catalog.pg_class is 'mine'"],
      ['bi.role', "select public.create_hypertable(oid::regclass, 'created_at') from pg_class where relname = 'role'"],
      ['pg_catalog.pg_class', 'truncate pg_catalog.pg_class'],
      ['pg_catalog.pg_proc', 'truncate pg_catalog.pg_proc'],
      ['pg_catalog.pg_authid', 'truncate pg_catalog.pg_authid'],
    ] as const)
      it(`loses its login and its sessions when it waits by: ${text}`, async () => {
        const shutOut = openShutOut()
        const idle = new Client({ connectionString: person.url })
        const ending = new Promise<void>((resolve) => idle.once('end', resolve))
        idle.on('error', () => {})
        await idle.connect()
        assert.deepEqual(await shutOut(service.sql, watch), [])
        const says = await whileWaiting(table, text, async () => {
          const uploading = service.put('/api/feed?compId=ours&temp=1&time=1650000000000')
          assert.deepEqual(await shutOut(service.sql, watch), [person.name])
          assert.equal((await uploading).status, 200)
        })
        assert.match(says, /terminat|closed/)
        await ending
        assert.ok(await isOut(person))
        assert.deepEqual(await shutOut(service.sql, watch), [])
      })

    /** So that what is refused at once is no longer taken for that. */
    const untilOld = async () => {
      const [[pid]] = (await person.ask('select pg_backend_pid()')) as [[number]]
      await eventually(async () => {
        const { rowCount } = await admin.query(
          "select from pg_stat_activity where pid = $1 and clock_timestamp() - xact_start > interval '1.1 seconds'",
          [pid],
        )
        return rowCount === 1
      })
    }

    for (const [name, text] of [
      ['writes', 'delete from public.sample'],
      ['locks rows', 'select from public.stream for update'],
      ['locks rows behind a view', 'select from coppice.hour for update'],
    ] as const)
      it(`loses its login and its sessions when it keeps a table by a prepared statement that ${name}`, async () => {
        const shutOut = openShutOut()
        await shutOut(service.sql, watch)
        await person.ask('begin')
        await person.ask(`prepare mine as ${text}`)
        assert.deepEqual(await shutOut(service.sql, watch), [])
        await untilOld()
        assert.deepEqual(await shutOut(service.sql, watch), [person.name])
        assert.match(await person.refused('select'), /terminat|closed|not queryable/)
        assert.ok(await isOut(person))
      })

    it('loses them by a job of servers, though other jobs wait with all the others', async () => {
      let isEnded = false
      person.client.once('end', () => (isEnded = true))
      const jobs = startJobs(service.service.world, service.databaseUrl)
      try {
        await eventually(async () => {
          const { rowCount } = await admin.query(
            "select from pg_stat_activity where datname = current_database() and application_name = 'coppice watch' and state = 'idle' and query like '%to_regrole%'",
          )
          return rowCount === 1
        })
        await whileWaiting('pg_catalog.pg_authid', 'truncate pg_catalog.pg_authid', () =>
          within(20_000, async () => isEnded),
        )
      } finally {
        await jobs.stop()
      }
      assert.ok(await isOut(person))
    })

    it('is looked for at moments that it cannot foresee', async () => {
      const looks = new Set<number>()
      const jobs = startJobs(service.service.world, service.databaseUrl)
      try {
        await within(60_000, async () => {
          const { rows } = await admin.query<{ at: number }>(
            "select extract(epoch from query_start)::double precision as at from pg_stat_activity where datname = current_database() and application_name = 'coppice watch' and state = 'idle' and query like '%to_regrole%'",
          )
          for (const { at } of rows) looks.add(at)
          return looks.size >= 4
        })
      } finally {
        await jobs.stop()
      }
      const distances = [...looks].slice(1).map((at, n) => at - [...looks][n]!)
      assert.ok(Math.min(...distances) < 4.9, `${distances.join(', ')} s`)
    })

    it('keeps them while it reads, and locks what is its own, though nobody else sees it yet', async () => {
      const shutOut = openShutOut()
      await shutOut(service.sql, watch)
      const [{ database }] = await service.sql<[{ database: string }]>`
        select quote_ident(current_database()) as database`
      await admin.query(`grant temporary on database ${database} to ${person.name}`)
      await person.ask('create temporary table mine ()')
      await person.ask('begin; select from sample; lock table mine; create temporary table another ()')
      await person.ask('prepare own as select from mine for update')
      await untilOld()
      const { rowCount } = await admin.query(
        "select from pg_locks join pg_stat_activity using (pid) where usename = $1 and mode = 'AccessExclusiveLock' and locktype = 'relation'",
        [person.name],
      )
      assert.equal(rowCount, 2)
      assert.deepEqual(await shutOut(service.sql, watch), [])
      assert.deepEqual(await person.ask('select from mine'), [])
      await person.ask('commit')
      assert.equal(await isOut(person), false)
    })

    it('is named where a superuser has made it, and loses its login once the service may administer it', async function () {
      const [{ user, isSuper }] = await service.sql<[{ user: string; isSuper: boolean }]>`
        select quote_ident(current_user) as user, rolsuper as "isSuper" from pg_roles where rolname = current_user`
      if (isSuper) return skipWithout(this, 'a database whose user is no superuser')
      const superuser = openPool(asSuperuser(service.databaseUrl), { connections: 1, name: 'superuser' })
      const made = await openSqlPerson({ ...service, sql: superuser })
      const shutOut = openShutOut()
      await shutOut(service.sql, watch)
      try {
        await made.ask('set default_transaction_read_only = off')
        await admin.query('begin; lock table public.sample in access share mode')
        const asked = made.refused('truncate public.sample')
        await eventually(async () => {
          const { rows } = await admin.query('select from pg_locks where not granted')
          return rows.length > 0
        })
        await assert.rejects(shutOut(service.sql, watch), {
          message: new RegExp(`by the server's user: ${made.name}$`),
        })
        await superuser.unsafe(`grant ${made.name} to ${user} with admin option`)
        // By the look before its sessions cannot be ended.
        await assert.rejects(shutOut(service.sql, watch))
        assert.deepEqual(await shutOut(service.sql, watch), [])
        assert.match(await asked, /terminat|closed/)
        assert.ok(await isOut(made))
      } finally {
        await admin.query('rollback')
        await made.leave()
        await superuser.end()
      }
    })
  })

  it('loses the jobs that it has made, at once and when it is dropped', async function () {
    const { rows } = await admin.query<{ license: string }>("select current_setting('timescaledb.license') as license")
    if (rows[0]!.license !== 'timescale') return skipWithout(this, 'the Community edition of TimescaleDB')
    const person = await openSqlPerson(service)
    const jobsOf = () => service.sql`select from timescaledb_information.jobs where owner::text = ${person.name}`
    // As where no superuser makes the roles.
    const makeJob = async () => {
      await admin.query(`grant execute on all functions in schema public to ${person.name}`)
      await person.ask('set default_transaction_read_only = off')
      await person.ask("select public.add_job('pg_sleep'::regproc, '1 hour')")
      assert.equal((await jobsOf()).length, 1)
      await admin.query(`revoke execute on all functions in schema public from ${person.name}`)
    }
    await makeJob()
    assert.equal(await endLongWork(service.sql), 1)
    assert.equal((await jobsOf()).length, 0)
    await makeJob()
    await person.leave()
    assert.equal((await jobsOf()).length, 0)
  })

  it('may be called by a word of the language, and loses its jobs then, too', async () => {
    const { sql, databaseUrl, organizationUid } = service
    const name = 'left'
    // The roles of a server are those of all its databases; a run that was killed leaves its own.
    const { rows: left } = await admin.query('select from pg_roles where rolname = $1', [name])
    if (left.length > 0) await admin.query(`drop owned by "${name}"; drop role "${name}"`)
    const { password } = await createSqlRole(sql, { organizationUid, name }, Date.now())
    try {
      const { rows } = await admin.query<{ license: string }>(
        "select current_setting('timescaledb.license') as license",
      )
      if (rows[0]!.license !== 'timescale') return
      await admin.query(`grant execute on all functions in schema public to "${name}"`)
      const client = new Client({
        connectionString: Object.assign(new URL(databaseUrl), { username: name, password }).href,
      })
      await client.connect()
      await client.query('set default_transaction_read_only = off')
      await client.query("select public.add_job('pg_sleep'::regproc, '1 hour')")
      await client.end()
      assert.equal(await endLongWork(sql), 1)
    } finally {
      await admin.query(`revoke execute on all functions in schema public from "${name}"`)
      await dropSqlRole(sql, name)
    }
    assert.equal((await sql`select from pg_roles where rolname = ${name}`).length, 0)
  })

  it('learns nothing of the statements of others', async () => {
    const seen = await ours.ask(
      `select distinct query from pg_stat_activity where usename <> '${ours.name}' and query is not null`,
    )
    assert.deepEqual(
      seen.filter(([query]) => query !== '<insufficient privilege>' && query !== ''),
      [],
    )
  })

  it('has a password that nobody else knows', async () => {
    const url = Object.assign(new URL(ours.url), { password: theirs.password }).href
    const isIn = new Client({ connectionString: url })
    const outcome = await isIn.connect().then(
      () => isIn.end().then(() => 'in'),
      (error: Error) => error.message,
    )
    // A server of TEST_DATABASE_URL may trust everybody.
    if (!process.env['TEST_DATABASE_URL']) assert.match(outcome, /password authentication failed/)
    const [{ kept }] = await service.sql<[{ kept: number }]>`
      select count(*)::integer as kept from audit where detail::text like ${`%${ours.password}%`}`
    assert.equal(kept, 0)
  })

  it('is listed, and dropped together with its connections', async () => {
    const { organizationUid, sql } = service
    const person = await openSqlPerson(service)
    const listed = (await listSqlRoles(sql)).find(({ name }) => name === person.name)
    assert.equal(listed!.organizationUid, organizationUid)
    await assert.rejects(createSqlRole(sql, { organizationUid, name: person.name }, Date.now()), { code: 'conflict' })
    for (const name of ['x', 'pg_reader', 'a"b', "a'b", 'A', 'a-b'])
      await assert.rejects(createSqlRole(sql, { organizationUid, name }, Date.now()), { code: 'bad_request' })
    await assert.rejects(createSqlRole(sql, { organizationUid: 'none' }, Date.now()), {
      code: 'organization_not_found',
    })
    await dropSqlRole(sql, person.name)
    await eventually(async () => /terminat|closed|not queryable/.test(await person.refused('select 1')))
    assert.equal((await sql`select from pg_roles where rolname = ${person.name}`).length, 0)
    await assert.rejects(dropSqlRole(sql, 'postgres'), { code: 'bad_request' })
    const actions = await sql`select action from audit where subject = ${person.name} order by key`
    assert.deepEqual(
      actions.map(({ action }) => action as string),
      ['sql_role.create', 'sql_role.delete'],
    )
  })

  it('is dropped together with connections that begin meanwhile', async () => {
    for (let times = 0; times < 3; times += 1) {
      const person = await openSqlPerson(service)
      const [[oid]] = (await person.ask('select current_user::regrole::oid::bigint')) as [[number]]
      const begun: Client[] = []
      const over = new AbortController()
      const signIn = async () => {
        while (!over.signal.aborted) {
          const client = new Client({ connectionString: person.url })
          client.on('error', () => {})
          begun.push(client)
          await client.connect().catch(() => {})
        }
      }
      const signingIn = [signIn(), signIn(), signIn()]
      await eventually(() => Promise.resolve(begun.length > 10))
      await dropSqlRole(service.sql, person.name)
      over.abort()
      await Promise.all(signingIn)
      const left = await admin.query('select from pg_stat_activity where usesysid = $1', [oid])
      await Promise.all([person.client, ...begun].map((client) => client.end().catch(() => {})))
      assert.equal(left.rowCount, 0)
    }
  })

  it('has no door in the database of another installation that closes its own', async () => {
    const neighbour = await openTestService()
    const neighbourAdmin = new Client({ connectionString: asSuperuser(neighbour.databaseUrl) })
    await neighbourAdmin.connect()
    const person = await openSqlPerson(neighbour)
    const { pathname } = new URL(neighbour.databaseUrl)
    const there = new Client({ connectionString: Object.assign(new URL(ours.url), { pathname }).href })
    await there.connect()
    await there.query('set default_transaction_read_only = off')
    const assertClosed = async () => {
      for (const text of [
        "select _timescaledb_functions.drop_chunk('pg_class')",
        'select lo_create(0)',
        'select pg_try_advisory_lock(1)',
      ])
        await assert.rejects(there.query(text), /permission denied for function/, text)
    }
    try {
      await assertClosed()
      // As a version before gave them, to each role that was there.
      await neighbourAdmin.query(
        `grant execute on function _timescaledb_functions.drop_chunk(regclass), lo_create(oid), pg_try_advisory_lock(bigint) to ${ours.name}`,
      )
      const pool = openPool(asSuperuser(neighbour.databaseUrl), { connections: 1, name: 'superuser' })
      assert.equal(await closeEverybodysDoors(pool), true)
      await pool.end()
      await assertClosed()
      // It has learned them of one of a version before by then.
      await admin.query(`comment on role ${ours.name} is null`)
      const own = openPool(asSuperuser(service.databaseUrl), { connections: 1, name: 'superuser' })
      await closeEverybodysDoors(own)
      await own.end()
      const { rows } = await admin.query("select shobj_description($1::regrole, 'pg_authid') as mark", [ours.name])
      assert.deepEqual(rows, [{ mark: 'An SQL role of Coppice' }])
    } finally {
      await there.end()
      await person.leave()
      await neighbourAdmin.end()
      await neighbour.close()
    }
  })

  it('is made with the names of other databases that it may connect to', async () => {
    const other = await openEmptyDatabase()
    const name = new URL(other.url).pathname.slice(1)
    const made = await createSqlRole(service.sql, { organizationUid: service.organizationUid }, Date.now())
    await dropSqlRole(service.sql, made.name)
    await admin.query(`revoke connect on database ${name} from public`)
    const again = await createSqlRole(service.sql, { organizationUid: service.organizationUid }, Date.now())
    await dropSqlRole(service.sql, again.name)
    await other.drop()
    assert.deepEqual(
      [made, again].map(({ elsewhere }) => elsewhere.includes(name)),
      [true, false],
    )
    assert.ok(!made.elsewhere.includes(new URL(service.databaseUrl).pathname.slice(1)))
  })

  it('is open, shut out or gone in the list', async () => {
    const { organizationUid, sql } = service
    const { name } = await createSqlRole(sql, { organizationUid }, Date.now())
    const state = async () => (await listSqlRoles(sql)).find((role) => role.name === name)?.state
    assert.equal(await state(), 'open')
    await sql.unsafe(`alter role ${name} nologin`)
    assert.equal(await state(), 'shut out')
    await sql.unsafe(`drop owned by ${name}; drop role ${name}`)
    assert.equal(await state(), 'gone')
    await dropSqlRole(sql, name)
  })

  it('is made anew, listed and dropped also where somebody has dropped it by hand', async () => {
    const { organizationUid, sql } = service
    const make = () => createSqlRole(sql, { organizationUid, name: 'by_hand' }, Date.now())
    const dropByHand = () => sql.unsafe('drop owned by by_hand; drop role by_hand')
    const listed = async () => (await listSqlRoles(sql)).filter(({ name }) => name === 'by_hand').length
    await make()
    await dropByHand()
    await make()
    assert.equal(await listed(), 1)
    await dropByHand()
    assert.equal(await listed(), 1)
    await dropSqlRole(sql, 'by_hand')
    assert.equal(await listed(), 0)
  })

  it('is not dropped while it has things in another database, which the refusal says', async () => {
    const person = await openSqlPerson(service)
    const other = await openEmptyDatabase()
    const { pathname } = new URL(other.url)
    const there = new Client({ connectionString: Object.assign(new URL(person.url), { pathname }).href })
    await there.connect()
    await there.query('set default_transaction_read_only = off')
    await there.query('select lo_create(0)')
    await there.end()
    await assert.rejects(dropSqlRole(service.sql, person.name), { code: 'conflict', message: /in each other database/ })
    await other.drop()
    await person.leave()
  })

  it('sees nothing any more when its organization is gone, and is listed and dropped still', async () => {
    const other = await addOrganization(service.sql, 'Short', await addUser(service.sql, 'short@example.org'))
    const { name, password } = await createSqlRole(service.sql, { organizationUid: other.uid }, Date.now())
    await service.sql`delete from organization where key = ${other.key}`
    const client = new Client({ connectionString: Object.assign(new URL(ours.url), { username: name, password }).href })
    client.on('error', () => {})
    await client.connect()
    assert.equal((await client.query('select * from sample')).rowCount, 0)
    await client.end()
    const listed = (await listSqlRoles(service.sql)).find((role) => role.name === name)
    assert.deepEqual([listed?.organizationUid, listed?.organizationName], [null, null])
    await dropSqlRole(service.sql, name)
    assert.equal((await service.sql`select from pg_roles where rolname = ${name}`).length, 0)
  })

  it('gets the edges of a new zone, of older samples and of newer rules', async () => {
    const count = async () => (await service.sql<[{ n: number }]>`select count(*)::integer as n from bi.edge`)[0].n
    const before = await count()
    await fillEdges(service.sql, Date.now())
    assert.equal(await count(), before)
    const old = Date.parse('2020-06-01T00:00:00Z')
    await service.put(`/api/feed?compId=ours&temp=1&time=${old}`)
    assert.deepEqual(await ours.ask("select count(*)::integer from day where time < '2021-01-01'"), [[0]])
    await fillEdges(service.sql, Date.now())
    assert.deepEqual(await ours.ask("select sum from day where time < '2021-01-01'"), [[1]])
    await service.sql`update bi.edge set start_time = start_time - interval '1 hour'
      where calendar_key in (select key from bi.calendar where cycle = 'day')`
    await fillEdges(service.sql, Date.now())
    assert.deepEqual(
      await ours.ask("select extract(hour from start_time at time zone 'UTC')::integer from day limit 1"),
      [[23]],
    )
    await fillEdges(service.sql, Date.now(), '9999z')
    assert.deepEqual(
      await ours.ask("select extract(hour from start_time at time zone 'UTC')::integer from day limit 1"),
      [[0]],
    )
  })
})
