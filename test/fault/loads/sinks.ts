// A connector's script that stores three samples of each call.
import type { Calls, Load, Owner } from './load.ts'
import { samplesOf } from './load.ts'
import { openLedger } from './ledger.ts'

const sql = `
  INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
  SELECT 'Sink', s, t, t FROM JSON_TABLE(@HTTP_BODY) WITH (s String '$.rows[*].s', t Long '$.rows[*].t')`

export const sinkCalls = async (doors: Calls, owner: Owner): Promise<Load> => {
  const connector = { type: 'http', name: 'sink', endpoint: 'sink', runAsUserUid: owner.uid, sql }
  await doors.ask('POST', '/api/connector', connector)
  const key = { name: 'sink', capabilities: [{ resource: 'connector/*/sink', methods: ['POST'] }] }
  const made = (await doors.ask('POST', '/api/api_key', key)) as { api_key: { secret: string } }
  const path = `/api/conn_sink/${owner.organizationUid}/sink?api_key=${made.api_key.secret}`
  const ledger = openLedger<string>('calls of a sink')
  const streamIds = ['a', 'b', 'c']
  let next = 0
  return {
    name: 'calls of a sink',
    step: async () => {
      const t = (next += 1)
      const rows = streamIds.map((s) => ({ s, t }))
      const acknowledge = ledger.note(new Map(streamIds.map((s) => [`${s} ${t}`, t])))
      if ((await doors.ask('POST', path, { rows })) === undefined) return false
      acknowledge()
      return true
    },
    judge: async () => ledger.judge(await samplesOf(doors, 'Sink', streamIds)),
  }
}
