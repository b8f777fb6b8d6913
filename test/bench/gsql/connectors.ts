// The connectors of the bench: their scripts, how they are made over HTTP, and what is pushed to them.
import type { Fleet } from '../feed/loads.ts'
import type { Load, Times } from '../harness/load.ts'
import { benchApiKey } from '../harness/subjects.ts'

/** As a LoRaWAN network server pushes it, a kilobyte in all. */
const uplink = JSON.stringify({
  end_device_ids: {
    device_id: 'uplink$DEVICE',
    application_ids: { application_id: 'greenhouse-monitoring' },
    dev_eui: '70B3D57ED005A1B2',
    join_eui: '0000000000000000',
    dev_addr: '260B1234',
  },
  correlation_ids: ['gs:uplink:01HXQ6Z6Q1M2V5T5Q4J5V5S3C7', 'rpc:/ttn.lorawan.v3.AppAs/SimulateUplink'],
  received_at: '$DATE',
  uplink_message: {
    session_key_id: 'AZNe9gP1P9kqvWyuwJqQ5Q==',
    f_port: 2,
    f_cnt: 4711,
    frm_payload: 'AWcBEAJoXQMCAWc=',
    decoded_payload: { temperature: '$VALUE', humidity: 46.5, battery: 3.59 },
    rx_metadata: [
      {
        gateway_ids: { gateway_id: 'roof-north', eui: 'B827EBFFFE8C1234' },
        time: '2026-11-15T04:00:00.123456Z',
        timestamp: 2_463_457_000,
        rssi: -57,
        channel_rssi: -57,
        snr: 9.25,
        location: { latitude: 48.137154, longitude: 11.576124, altitude: 519, source: 'SOURCE_REGISTRY' },
      },
    ],
    settings: {
      data_rate: { lora: { bandwidth: 125_000, spreading_factor: 7, coding_rate: '4/5' } },
      frequency: '868300000',
      timestamp: 2_463_457_000,
    },
    received_ms: '$TIME',
    consumed_airtime: '0.056576s',
  },
}).replaceAll(/"(\$VALUE|\$TIME)"/g, '$1')

export const uplinkBytes = uplink.length

/** The components that the sinks of an uplink write to; creation by sinks is not measured. */
export const createUplinkDevices = async (url: string, devices: number): Promise<void> => {
  for (const prefix of ['uplink', 'computed-uplink']) {
    const samples = Array.from({ length: devices }, (_, device) =>
      ['temperature', 'humidity', 'battery'].map((id) => ({
        compId: `${prefix}${device}`,
        streamId: id,
        data: 1,
        time: 0,
      })),
    ).flat()
    const reply = await fetch(`${url}/api/feed?api_key=${benchApiKey}`, {
      method: 'PUT',
      body: JSON.stringify(samples),
    })
    if (!reply.ok) throw new Error(await reply.text())
  }
}

const wanted = `JSON_TABLE(@HTTP_BODY) WITH (
    dev String '$.end_device_ids.device_id',
    ms Long '$.uplink_message.received_ms',
    at String '$.received_at',
    temperature Double '$.uplink_message.decoded_payload.temperature',
    humidity Double '$.uplink_message.decoded_payload.humidity',
    battery Double '$.uplink_message.decoded_payload.battery')`

const csvColumns = 'CSV_TABLE(@HTTP_BODY) WITH (1 c STRING, 2 s STRING, 3 v DOUBLE, 4 t LONG)'

/** By endpoint. Those that copy need nothing worked out; the others are about as connectors are. */
export const scripts: Readonly<Record<string, string>> = {
  'uplink-copied': `
    INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
    SELECT dev, 'temperature', ms, temperature FROM ${wanted}
    UNION ALL SELECT dev, 'humidity', ms, humidity FROM ${wanted}
    UNION ALL SELECT dev, 'battery', ms, battery FROM ${wanted};`,
  'uplink-computed': `
    WITH body AS (
      SELECT dev, TOEPOCHMILLIS(at, 'yyyy-MM-dd''T''HH:mm:ss.SSSX') AS t, temperature, humidity, battery FROM ${wanted})
    INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
    SELECT 'computed-' + dev, 'temperature', t, Round(temperature * 9 / 5 + 32, 2) FROM body
    UNION ALL SELECT 'computed-' + dev, 'humidity', t, humidity / 100 FROM body
    UNION ALL SELECT 'computed-' + dev, 'battery', t, battery FROM body WHERE battery BETWEEN 0 AND 5;`,
  'csv-copied': `INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT c, s, t, v FROM ${csvColumns};`,
  'csv-filtered': `
    INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT c, s, t, v FROM ${csvColumns} WHERE v > -100;`,
  'csv-dated': `
    INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
    SELECT c, s, TOEPOCHMILLIS(d, 'yyyy-MM-dd''T''HH:mm:ss.SSSX'), v
    FROM CSV_TABLE(@HTTP_BODY) WITH (1 c STRING, 2 s STRING, 3 v DOUBLE, 4 d STRING);`,
}

export const uplinkLoad = (path: string, devices: number, times: Times): Load => ({
  method: 'POST',
  path,
  headers: { 'Content-Type': 'application/json' },
  body: uplink,
  devices,
  times,
})

/** A row per stream of the fleet, `blocks` times over. */
export const csvLoad = (
  path: string,
  { name, components, streams }: Fleet,
  blocks: number,
  time: '$TIME' | '$DATE',
  times: Times,
): Load => {
  const rows = Array.from(
    { length: components * streams },
    (_, at) => `${name}${Math.floor(at / streams)},s${at % streams},$SAMPLE`,
  )
  const body = { open: '', slices: [rows.join('\n')], sample: `$VALUE,${time}`, blocks, between: '\n', close: '\n' }
  return { method: 'POST', path, headers: { 'Content-Type': 'text/csv' }, body, devices: 1, times }
}

/** Makes a connector for each script, as its owner would, and a key that opens their sinks; gives the way to one. */
export const openConnectors = async (
  url: string,
  scriptsByEndpoint: Readonly<Record<string, string>>,
): Promise<(endpoint: string) => string> => {
  const post = async (path: string, input: object): Promise<unknown> => {
    const headers = { 'Content-Type': 'application/json' }
    const reply = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(input) })
    if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`)
    return reply.json()
  }
  const login = (await post('/api/login', { email: 'owner@localhost', password: 'password of the bench' })) as {
    sessionUid: string
    userUid: string
    organization: readonly { uid: string }[]
  }
  const withSession = `?session=${login.sessionUid}`
  for (const [endpoint, sql] of Object.entries(scriptsByEndpoint))
    await post(`/api/connector${withSession}`, {
      type: 'http',
      name: endpoint,
      endpoint,
      runAsUserUid: login.userUid,
      timeZone: 'UTC',
      sql,
    })
  const made = (await post(`/api/api_key${withSession}`, {
    name: 'sinks',
    capabilities: [{ resource: 'connector/*/sink', methods: ['POST'] }],
  })) as { api_key: { secret: string } }
  return (endpoint) =>
    `/api/conn_sink/${login.organization[0]!.uid}/${endpoint}?api_key=${encodeURIComponent(made.api_key.secret)}`
}
