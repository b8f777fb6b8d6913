// The subjects of measurement: this server as a process of its own with everything on, and the databases it is compared
// with, where they are installed. Each listens on the loopback and keeps its files in a temporary directory.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startVariables } from '../../support/server-process.ts'
import type { Program } from './process.ts'
import { freePort, isInstalled, startProgram, temporaryDirectory, waitFor } from './process.ts'

export type Subject = { readonly name: string; readonly url: string; readonly program: Program }

export const benchApiKey = 'key-of-the-bench-0123456789abcdef'

const mainFile = fileURLToPath(new URL('../../../dist/main.js', import.meta.url))

/** The server as `npm start` runs it: key check, capabilities, rate limit (set high) and jobs are all on. */
export const startCoppice = async (
  databaseUrl: string,
  { nodeOptions = [], env = {} }: { nodeOptions?: readonly string[]; env?: Readonly<Record<string, string>> } = {},
): Promise<Subject> => {
  const dir = await temporaryDirectory()
  const program = startProgram(process.execPath, [...nodeOptions, mainFile], {
    log: join(dir, 'log'),
    env: {
      PORT: '0',
      ...startVariables,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dir,
      MASTER_KEY: 'master key of the bench',
      OWNER_PASSWORD: 'password of the bench',
      ORG_TIME_ZONE: 'UTC',
      FEED_API_KEY: benchApiKey,
      RATE_LIMITS: 'feed=999999999/60,property=999999999/60,file=999999999/60',
      ...env,
    },
  })
  const url = await waitFor('this server', () => /listening on (http:\/\/[^\s"]+)/.exec(program.output())?.[1])
  return { name: 'Coppice', url, program }
}

export const startInflux = async (): Promise<Subject | undefined> => {
  if (!(await isInstalled('influxd'))) return missing('InfluxDB', 'influxdb')
  const dir = await temporaryDirectory()
  const port = await freePort()
  const config = join(dir, 'influxdb.conf')
  // Its defaults, among them a write-ahead log that reaches the disk before the answer; but it may have as many
  // series as the bench wants, and need not log every request, as we do not.
  await writeFile(
    config,
    `reporting-enabled = false
bind-address = "127.0.0.1:${await freePort()}"
[meta]
  dir = "${dir}/meta"
[data]
  dir = "${dir}/data"
  wal-dir = "${dir}/wal"
  max-series-per-database = 0
  max-values-per-tag = 0
[monitor]
  store-enabled = false
[http]
  bind-address = "127.0.0.1:${port}"
  log-enabled = false
`,
  )
  const program = startProgram('influxd', ['run', '-config', config], { log: join(dir, 'log') })
  const url = `http://127.0.0.1:${port}`
  await waitFor('InfluxDB', async () => ((await fetch(`${url}/ping`)).ok ? true : undefined))
  await fetch(`${url}/query?q=create+database+bench`, { method: 'POST' })
  return { name: 'InfluxDB', url, program }
}

export const startVictoria = async (): Promise<Subject | undefined> => {
  if (!(await isInstalled('victoria-metrics'))) return missing('VictoriaMetrics', 'victoria-metrics')
  const dir = await temporaryDirectory()
  await mkdir(join(dir, 'data'))
  const port = await freePort()
  const program = startProgram(
    'victoria-metrics',
    [`-httpListenAddr=127.0.0.1:${port}`, `-storageDataPath=${dir}/data`, '-retentionPeriod=100y'],
    { log: join(dir, 'log') },
  )
  const url = `http://127.0.0.1:${port}`
  await waitFor('VictoriaMetrics', async () => ((await fetch(`${url}/health`)).ok ? true : undefined))
  return { name: 'VictoriaMetrics', url, program }
}

const missing = (name: string, debianPackage: string): undefined => {
  process.stdout.write(`${name} is not installed and left out (Debian: apt install ${debianPackage})\n`)
}
