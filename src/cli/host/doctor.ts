// coppice doctor: looks at configuration, database, disk and keys of this machine, whether the server runs or not, and says
// of each whether it is well (docs/command-line.md#on-the-host). It changes nothing; a stopped embedded database runs meanwhile.
import { stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Config } from '../../base/config.ts'
import { ConfigError, readConfig } from '../../base/config.ts'
import { migrationNames } from '../../base/database/migrate.ts'
import { hostUrls, placeOf } from '../../base/database/url.ts'
import { foreseeableHashesAdvice, hasForeseeableHashes } from '../../base/hashes.ts'
import { findMasterKey, masterKeyPath } from '../../base/master-key.ts'
import { openSecrets } from '../../base/secret.ts'
import { productVersion } from '../../base/version.ts'
import { diagnose } from '../../core/diagnosis.ts'
import { clusterMajor } from '../../embedded/cluster.ts'
import type { Command } from '../command.ts'
import { exit } from '../command.ts'
import type { Context } from '../context.ts'
import type { Finding } from './findings.ts'
import {
  judgeBackup,
  judgeDatabase,
  judgeDisk,
  judgeGrowth,
  judgeNames,
  judgeProxy,
  judgeStandby,
  ok,
  warn,
  wrong,
} from './findings.ts'
import { withDatabase } from './host.ts'

const leastNode = [20, 19] as const
const withinMs = 3000

export const runDoctor: Command['run'] = async (context) => {
  const { config, findings } = examineConfiguration(context)
  const say = async (found: readonly Finding[]) => {
    for (const finding of found) await context.out(lineOf(context, finding))
    findings.push(...found)
  }
  const first = findings.splice(0)
  await say(first)
  if (config !== undefined) {
    await say(await examineMachine(config))
    await say(await examineDatabase(context, config))
  }
  const count = (level: Finding['level']) => findings.filter((finding) => finding.level === level).length
  await context.out(
    `\nCoppice ${productVersion}: ${count('wrong')} wrong, ${count('warn')} to look at, ${count('ok')} well\n`,
  )
  return count('wrong') > 0 ? exit.refused : exit.done
}

const marks = { ok: ['green', 'ok   '], warn: ['yellow', 'warn '], wrong: ['red', 'wrong'] } as const

const lineOf = ({ paint }: Context, { level, about, text, help }: Finding): string => {
  const [colour, mark] = marks[level]
  return `${paint(colour, mark)}  ${about.padEnd(14)} ${text}${help === undefined ? '' : `: ${help}`}\n`
}

const examineConfiguration = ({
  environment,
}: Context): { readonly config: Config | undefined; readonly findings: Finding[] } => {
  const names = new Set<string>()
  readConfig({}, names)
  const strange = judgeNames(Object.keys(environment), names)
  try {
    const config = readConfig(environment)
    return {
      config,
      findings: [...strange, ...(strange.length > 0 ? [] : [ok('configuration', 'all variables are well')])],
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return {
      config: undefined,
      findings: [...strange, ...error.problems.map((problem) => wrong('configuration', problem, 'mend it first'))],
    }
  }
}

const examineMachine = async (config: Config): Promise<readonly Finding[]> => [
  examineNode(),
  await examinePort(config),
  ...judgeProxy(config),
  await examineKeyFile(config),
  await examineDisk(config),
  await examineZones(),
]

const examineNode = (): Finding => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isOld = major < leastNode[0] || (major === leastNode[0] && minor < leastNode[1])
  const text = `Node ${process.versions.node}, time zones of ${process.versions.tz}`
  if (!isOld && hasForeseeableHashes()) return wrong('node', text, foreseeableHashesAdvice)
  return isOld ? wrong('node', text, `Coppice needs ${leastNode.join('.')} or newer`) : ok('node', text)
}

const examinePort = async ({ host, port }: Config): Promise<Finding> => {
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const code = await new Promise<string | undefined>((resolve) => {
    const server = createServer().once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
  if (code === undefined) return ok('port', `${host}:${port} is free: no server runs there`)
  if (code !== 'EADDRINUSE') return wrong('port', `${host}:${port} cannot be opened (${code})`, 'set HOST and PORT')
  try {
    const reply = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(withinMs) })
    if (reply.ok) return ok('port', `a server answers at ${address}, and is ready`)
    return reply.status === 503
      ? wrong('port', `a server answers at ${address}, and is not ready`, 'look at its database, below, and at its log')
      : wrong('port', `${address} is in use by another program`, 'stop it, or set PORT')
  } catch {
    return wrong(
      'port',
      `${host}:${port} is in use, and does not answer as Coppice does`,
      'stop that program, or set PORT',
    )
  }
}

const examineKeyFile = async ({ dataDir, masterKey }: Config): Promise<Finding> => {
  if (masterKey !== undefined) return ok('master key', 'comes from MASTER_KEY')
  const path = masterKeyPath(dataDir)
  const found = await stat(path).catch(() => undefined)
  if (found === undefined)
    return warn('master key', `there is no ${path}`, 'the first start makes it; of an older server, give it back')
  const mode = (found.mode & 0o777).toString(8)
  return (found.mode & 0o077) === 0
    ? ok('master key', `${path} is readable by its owner alone`)
    : wrong('master key', `${path} may be read by others (${mode})`, `chmod 600 ${path}`)
}

const examineDisk = async ({ dataDir }: Config): Promise<Finding> => {
  const free = await freeOf(dataDir)
  return free === undefined
    ? ok('disk', `${dataDir} is not made yet`)
    : judgeDisk(dataDir, free.freeBytes, free.allBytes)
}

const freeOf = async (dir: string) => {
  const found = await statfs(join(dir, 'postgres')).catch(() => statfs(dir).catch(() => undefined))
  return found && { freeBytes: found.bavail * found.bsize, allBytes: found.blocks * found.bsize }
}

const examineZones = async (): Promise<Finding> => {
  const isThere = await stat('/usr/share/zoneinfo/America/New_York').catch(() => undefined)
  return isThere
    ? ok('time zones', 'this host has them')
    : warn('time zones', 'this host has none, which an embedded database needs', 'install tzdata')
}

const examineDatabase = async (context: Context, config: Config): Promise<readonly Finding[]> => {
  const isEmbedded = config.databaseUrl === undefined
  if (isEmbedded && (await clusterMajor(join(config.dataDir, 'postgres')).catch(() => undefined)) === undefined)
    return [warn('database', `there is none in ${config.dataDir} yet`, 'the first start makes it')]
  try {
    const found = await withDatabase(context, config, diagnose)
    const masterKey = await findMasterKey(config)
    const keyHash = masterKey === undefined ? undefined : openSecrets(masterKey).hash('master key')
    const free = isEmbedded ? await freeOf(config.dataDir) : undefined
    return [
      ...judgeDatabase(found, config, await migrationNames(), keyHash),
      ...judgeGrowth(found, free?.freeBytes),
      ...judgeBackup(found, context.now()),
      ...(config.databaseReadUrl === undefined ? [] : await examineStandbys(config.databaseReadUrl)),
    ]
  } catch (error) {
    return [
      wrong(
        'database',
        `cannot be reached: ${(error as Error).message || (error as NodeJS.ErrnoException).code}`,
        isEmbedded ? 'look at DATA_DIR/postgres/log' : 'look at DATABASE_URL, and whether it runs',
      ),
    ]
  }
}

const examineStandbys = async (readUrl: string): Promise<readonly Finding[]> => {
  const urls = hostUrls(readUrl)
  const findings = await Promise.all(
    urls.map((url) =>
      diagnose(url).then(
        // Of several hosts one is the primary.
        (found) => (urls.length > 1 && !found.isStandby ? [] : [judgeStandby(found)]),
        (error: Error) => [
          wrong('standby', `${placeOf(url).host} cannot be reached: ${error.message}`, 'look at DATABASE_READ_URL'),
        ],
      ),
    ),
  )
  return findings.flat()
}
