// The sink (docs/connectors.md#the-sink): a request to a connector's address becomes the variables of its script, which
// runs as the connector's user. The caller's key only opens the door.
import { someBytes } from '../access/holds.ts'
import { openMemory } from '../access/memory.ts'
import type { Remembered } from '../access/memory.ts'
import { readBody } from '../base/http/body.ts'
import type { Call } from '../base/http/call.ts'
import { busy, Fault, firstCharacters, forbidden, notFound } from '../base/errors.ts'
import { decodePercent } from '../base/http/query-string.ts'
import type { Reply } from '../base/http/reply.ts'
import { jsonReply } from '../base/http/reply.ts'
import type { World } from '../base/world.ts'
import { readAccessChanges } from '../core/access-change.ts'
import type { Caller, Method } from '../core/caller.ts'
import { demand, holdersOf } from '../core/caller.ts'
import { findSink } from '../core/connector.ts'
import type { Sink } from '../core/connector.ts'
import { callerForUser } from '../core/user.ts'
import type { CallLog } from './call-log.ts'
import { charsetText } from './charset.ts'
import type { Scripts } from './run-script.ts'

const mostBodyBytes = 16 * 1024 * 1024
/** Characters of a body, and of a query, that the log of calls keeps (docs/connectors.md#trying-and-watching). */
const mostLogged = 64 * 1024

type KnownSink = Remembered & { readonly bytes: number; readonly sink: Sink; readonly runAs: Caller | undefined }

const holdsNothing = () => {}

export const openSink = (world: World, scripts: Scripts, calls: CallLog) => {
  const { sql, clock } = world
  const memory = openMemory<KnownSink>((since) => readAccessChanges(sql, since))

  const look = async (organizationUid: string, endpoint: string): Promise<KnownSink | undefined> => {
    const sink = await findSink(sql, organizationUid, endpoint)
    if (sink === undefined) return undefined
    const { runAsUserKey, organizationKey } = sink
    const user = runAsUserKey === null ? undefined : await callerForUser(sql, organizationKey, runAsUserKey)
    return {
      tags: [`connector ${sink.key}`, `user ${runAsUserKey}`, `organization ${organizationKey}`],
      // Of its script: there are as many as anybody makes connectors.
      bytes: 2 * sink.sql.length,
      group: `tenant ${sink.tenantUid}`,
      rights: `${sink.version} ${user?.user?.role}`,
      sink,
      runAs: user && { ...user, title: "this connector's run-as user" },
    }
  }
  // Not async: fleets push all day to what is remembered, and each promise less counts.
  const find = (organizationUid: string, endpoint: string): KnownSink | Promise<KnownSink | undefined> => {
    const settling = memory.settle()
    const name = nameOf(organizationUid, endpoint)
    const recall = () => memory.get(name) ?? memory.find(name, () => look(organizationUid, endpoint))
    return settling ? settling.then(recall) : recall()
  }

  /**
   * Thousands of calls may wait, or their bodies hardly come, each at a sink of its own. As with keys (access/guard.ts), scripts of
   * some KB are left alone where nothing more is to come.
   */
  const hold = (organizationUid: string, endpoint: string, known: KnownSink, { body }: Call): (() => void) => {
    const isComing = body !== undefined && !Buffer.isBuffer(body)
    if (!isComing && known.bytes <= someBytes) return holdsNothing
    const letGo = memory.hold(nameOf(organizationUid, endpoint), known, false)
    if (letGo === undefined) throw busy('too many connectors with long scripts are called at once')
    return letGo
  }

  const serve = async (caller: Caller, call: Call): Promise<Reply> => {
    const { org, endpoint } = call.params as { org: string; endpoint: string }
    if (org !== caller.organizationUid) throw forbidden('this API key belongs to another organization')
    const startedMs = clock.now()
    const finding = find(org, endpoint)
    const before = finding instanceof Promise ? await finding : finding
    const permission = `${call.method as Method} connector/sink` as const
    const variables = variablesFrom(call)
    let bytes = Number(call.headers['content-length'] ?? 0)
    let text: string | null = null
    const log = (rows: number, error: string | null) => {
      if (!before?.sink.enabled || !caller.may(permission, before.sink.uid)) return
      const keep = (content: string) => (before.sink.debug ? firstCharacters(content, mostLogged) : null)
      calls.add({
        connectorKey: before.sink.key,
        atMs: startedMs,
        method: call.method,
        bytes,
        rows,
        ms: clock.now() - startedMs,
        error,
        body: keep(text ?? ''),
        query: keep(variables.HTTP_QUERY_RAW),
      })
    }
    const holders = holdersOf(caller, call.address)
    let [letGo, letGoOfOther] = [holdsNothing, holdsNothing]
    const scriptMemory = scripts.openMemory(holders)
    let release = () => {}
    try {
      if (before) letGo = hold(org, endpoint, before, call)
      const reading = readBody(call, mostBodyBytes)
      const body = reading instanceof Promise ? await reading : reading
      release = body.release
      bytes = body.bytes.length
      const decoding = bytes === 0 ? null : charsetText(body.bytes, call.headers['content-type'])
      text = decoding instanceof Promise ? await decoding : decoding
      body.drop()
      // It may have been switched off, or its user may have left, while the body was on its way.
      const known = reading instanceof Promise ? await find(org, endpoint) : before
      if (known && known !== before) letGoOfOther = hold(org, endpoint, known, call)
      demand(caller, permission, known?.sink.uid)
      if (!known?.sink.enabled) throw notFound('connector', endpoint)
      const { sink, runAs } = known
      if (runAs === undefined) throw forbidden("this connector's run-as user is gone")
      const compiling = scripts.compile(sink.sql, holders)
      const { inserted, updated, deleted } = await scripts.run(runAs, {
        script: compiling instanceof Promise ? await compiling : compiling,
        holders,
        memory: scriptMemory,
        timeZone: sink.timeZone ?? undefined,
        variables: { ...variables, HTTP_BODY: text },
      })
      log(inserted + (updated ?? 0) + (deleted ?? 0), null)
      return jsonReply({ success: true, message: '', inserted, updated, deleted })
    } catch (error) {
      log(0, error instanceof Fault ? error.message : 'internal error')
      throw error
    } finally {
      release()
      scriptMemory.close()
      letGo()
      letGoOfOther()
    }
  }
  return { serve, refresh: memory.refresh }
}

const nameOf = (organizationUid: string, endpoint: string) => `${organizationUid} ${endpoint}`

const credentialNames = new Set(['api_key', 'session', 'org', 'access_token'])

const parameterOf = (piece: string): string => {
  const end = piece.indexOf('=')
  return decoded(end < 0 ? piece : piece.slice(0, end)).toLowerCase()
}

// The guard has refused broken escapes.
const decoded = (text: string): string =>
  text.includes('%') || text.includes('+') ? (decodePercent(text.replaceAll('+', ' ')) ?? '') : text

/** A credential is no business of a script, however its name is spelled or escaped. */
const variablesFrom = (call: Call) => {
  const raw = call.rawQuery
    .split('&')
    .filter((piece) => !credentialNames.has(parameterOf(piece)))
    .join('&')
  return {
    HTTP_METHOD: call.method,
    HTTP_QUERY_RAW: raw,
    HTTP_QUERY_STRING: decoded(raw),
  }
}
