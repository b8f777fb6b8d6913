// One server of a replicated database, as it reports itself: whether it is the primary, and how far it has come.
//
// A place in the log means something on one timeline of one cluster only: a standby that was ahead of the one which became the primary
// has a history of its own, until it is rewound. Its timeline is the one that it receives, or that of its last
// checkpoint where the user may not see the receiver (docs/scale.md#rights).
import { Socket } from 'node:net'
import { Client } from 'pg'
import { afterSilence } from './silence.ts'
import { SocketError } from './socket.ts'
import { sqlCode } from './sql.ts'
import type { Pool } from './sql.ts'
import { pgTarget, placeOf } from './url.ts'

export type NodeState = {
  readonly isStandby: boolean
  /** The cluster, which it has in common with those that follow it or have followed it. */
  readonly system: string
  readonly timeline: number
  /** In bytes of the log: of the primary all that is on its disk, of a standby all that it shows. */
  readonly position: number
  /** The age of the last transaction that a standby shows; grows on a primary without any. */
  readonly ageSeconds: number
}

/** A place in the log. */
export type Place = Pick<NodeState, 'system' | 'timeline' | 'position'>

export type Node = {
  readonly url: string
  /** Its host and port. */
  readonly name: string
  /** Asks it now, or soon together with others; never gives an answer that was on its way already. */
  readonly ask: () => Promise<NodeState>
  /** Its last answer, unless the last question had none. */
  readonly latest: () => NodeState | undefined
}

const answerWithinMs = 1000
const idleMs = 5000

type Line = { readonly client: Client; readonly socket: Socket; readonly connected: Promise<unknown> }

export const openNode = (url: string): Node => {
  const { host, port } = placeOf(url)
  let line: Line | undefined
  let latest: NodeState | undefined
  let underWay: Promise<unknown> | undefined
  let next: Promise<NodeState> | undefined
  let idle: NodeJS.Timeout | undefined

  const question = async (): Promise<NodeState> => {
    clearTimeout(idle)
    const asked = (line ??= openLine(url, (ended) => {
      if (line === ended) line = undefined
    }))
    const hangUp = (error?: Error) => {
      if (line === asked) line = undefined
      asked.socket.destroy(error)
    }
    const stop = afterSilence(answerWithinMs, () => hangUp(new SocketError('CONNECT_TIMEOUT', 'no answer')))
    try {
      await asked.connected
      const { rows } = await asked.client.query<NodeState>({ name: 'state', text: stateText })
      latest = rows[0]!
      idle = setTimeout(hangUp, idleMs).unref()
      return latest
    } catch (error) {
      latest = undefined
      hangUp()
      // The client's own words for a connection that broke have no code, which would make them an error of ours.
      throw sqlCode(error) === undefined ? new SocketError('CONNECTION_CLOSED', (error as Error).message) : error
    } finally {
      stop()
    }
  }
  const send = (): Promise<NodeState> => {
    const sent = question()
    next = undefined
    const over = () => {
      if (underWay === ended) underWay = undefined
    }
    const ended: Promise<unknown> = sent.then(over, over)
    underWay = ended
    return sent
  }
  return {
    url,
    name: `${host}:${port}`,
    latest: () => latest,
    ask: () => (next ??= underWay === undefined ? Promise.resolve().then(send) : underWay.then(send)),
  }
}

/** The primary's log is read up to its disk: standbys receive no more, and all that was answered is there. */
const stateText = `
  select is_standby as "isStandby",
    (select system_identifier from pg_control_system())::text as system,
    case when is_standby then
      greatest(
        (select received_tli from pg_stat_wal_receiver),
        (select timeline_id from pg_control_checkpoint()))
    else ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::integer end as timeline,
    (case when is_standby then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end - '0/0')::float8 as position,
    coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0)::float8 as "ageSeconds"
  from pg_is_in_recovery() as is_standby`

/**
 * Whether the server of this connection shows the log up to there, and which one it is; asked at once. A new primary
 * shows all of it.
 */
export const look = async (sql: Pool, { system, timeline, position }: Place): Promise<Look> => {
  const text = lookText('$1::text', '$2::integer', '$3::double precision')
  const [row] = await sql.unsafe<[Look]>(text, [system, timeline, position], { prepare: true }).execute()
  return row
}

/**
 * The same on a connection that has taken a role, asked by its user: the receiver is not for every role to see
 * (docs/scale.md#rights). If the question fails, the change of the role is undone with it.
 */
export const lookAsUser = async (sql: Pool, { system, timeline, position }: Place): Promise<Look> => {
  const text = `set role none; ${lookText(`'${system}'`, String(timeline), String(position))}; reset role`
  const results = (await sql.unsafe(text).execute()) as unknown as readonly [unknown, readonly [Look], unknown]
  return results[1][0]
}

export type Look = {
  readonly shows: boolean
  /** One name may stand for several servers: this is one of them, from its start to its end. */
  readonly server: string
}

const lookText = (system: string, timeline: string, position: string) => `
  select (select system_identifier from pg_control_system())::text = ${system} and case when not pg_is_in_recovery() then
    ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::integer >= ${timeline}
  else pg_last_wal_replay_lsn() - '0/0' >= ${position}
    and (exists (select from pg_stat_wal_receiver where received_tli = ${timeline})
      or (select timeline_id from pg_control_checkpoint()) = ${timeline}) end as shows,
  concat_ws(' ', inet_server_addr(), inet_server_port(), pg_postmaster_start_time()) as server`

const openLine = (url: string, onEnd: (line: Line) => void): Line => {
  const socket = new Socket().unref()
  const client = new Client({ ...pgTarget(url), application_name: 'coppice node', stream: () => socket })
  const connected = client.connect()
  connected.catch(() => {})
  const line = { client, socket, connected }
  // The question under way fails, and the next one has a new connection.
  client.on('error', () => onEnd(line)).on('end', () => onEnd(line))
  return line
}

const nodes = new Map<string, Node>()

/** The node with this address, the same for all that ask; it is connected only while somebody does. */
export const nodeOf = (url: string): Node => {
  const known = nodes.get(url) ?? openNode(url)
  nodes.set(url, known)
  return known
}
