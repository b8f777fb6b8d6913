// Checks of deploy/cluster: nodes of etcd and Patroni that find each other, a database with room for all servers, and HAProxy
// in front of these.
import assert from 'node:assert/strict'
import { connectionsInAll } from '../../src/base/database/connections.ts'
import { inRanges } from '../../src/base/http/address.ts'
import { checkCompose, proxyConfiguration, textsAt } from './compose.ts'
import { configOf, databasesOf, imageOf, refuseUnknown } from './files.ts'
import type { Files } from './files.ts'
import { listAt, mapAt, numberAt, readYaml, textAt } from './yaml.ts'
import type { YamlMap } from './yaml.ts'

/** Gives the paths by which others ask whether a server is well. */
export const checkCluster = async (files: Files): Promise<readonly string[]> => {
  const { services, servers, published } = await checkCompose('deploy/cluster/docker-compose.yml', files)
  const etcds = checkEtcd(services)
  const nodes = checkNodes(services, etcds, files)
  checkDatabase(files, servers)
  for (const { config } of servers)
    assert.deepEqual(new Set(databasesOf(config).map(({ host }) => host)), new Set(nodes), 'servers know all nodes')
  const proxy = services.get(published.service)!
  checkTrust(files, textAt(proxy, 'networks.default.ipv4_address'), servers)
  const path = checkProxy(await proxyConfiguration(proxy, files['deploy/cluster/haproxy.cfg']), published.port, servers)
  checkScript(files['deploy/cluster/cluster.sh'])
  return [path]
}

type Services = ReadonlyMap<string, YamlMap>
type Servers = Awaited<ReturnType<typeof checkCompose>>['servers']

const checkEtcd = (services: Services): readonly string[] => {
  const etcds = [...services].filter(([, { image }]) => typeof image === 'string' && image.includes('/etcd:'))
  const names = etcds.map(([name]) => name)
  assert.ok(names.length % 2 === 1, 'an odd number of etcd can agree')
  for (const [name, service] of etcds) {
    const given = [...textAt(service, 'command').matchAll(/--([\w-]+) (\S+)/g)]
    const options = Object.fromEntries(given.map(([, option, value]) => [option!, value!]))
    const expected = {
      name,
      'data-dir': '/data',
      'listen-client-urls': 'http://0.0.0.0:2379',
      'advertise-client-urls': `http://${name}:2379`,
      'listen-peer-urls': 'http://0.0.0.0:2380',
      'initial-advertise-peer-urls': `http://${name}:2380`,
      'initial-cluster': names.map((one) => `${one}=http://${one}:2380`).join(','),
    }
    assert.deepEqual(options, expected, `the options of ${name}`)
    assert.deepEqual(service['volumes'], [`${name}:/data`])
  }
  return names
}

const checkNodes = (services: Services, etcds: readonly string[], files: Files): readonly string[] => {
  const nodes = [...services].filter(([, { build }]) => build === '.')
  const { ports } = imageOf(files['deploy/cluster/Dockerfile'])
  for (const [name, service] of nodes) {
    const { COPPICE_PASSWORD, ...environment } = textsAt(service, 'environment')
    assert.ok(COPPICE_PASSWORD, 'make-database.sh needs COPPICE_PASSWORD')
    const { PATRONI_SUPERUSER_PASSWORD, PATRONI_REPLICATION_PASSWORD, PATRONI_RESTAPI_PASSWORD, ...shown } = environment
    const passwords = [PATRONI_SUPERUSER_PASSWORD, PATRONI_REPLICATION_PASSWORD, PATRONI_RESTAPI_PASSWORD]
    assert.equal(
      new Set(passwords.filter(Boolean)).size,
      3,
      'a password for each of the database, replication and Patroni',
    )
    const expected = {
      PATRONI_NAME: name,
      PATRONI_ETCD3_HOSTS: etcds.map((one) => `${one}:2379`).join(','),
      PATRONI_RESTAPI_LISTEN: '0.0.0.0:8008',
      PATRONI_RESTAPI_CONNECT_ADDRESS: `${name}:8008`,
      PATRONI_RESTAPI_USERNAME: 'patroni',
      PATRONI_POSTGRESQL_LISTEN: '0.0.0.0:5432',
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${name}:5432`,
      PATRONI_SUPERUSER_USERNAME: 'postgres',
      PATRONI_REPLICATION_USERNAME: 'replicator',
    }
    assert.deepEqual(shown, expected, `the variables of ${name}`)
    assert.deepEqual(service['volumes'], [`${name}:/data`])
    assert.deepEqual(ports, [5432, 8008])
  }
  return nodes.map(([name]) => name)
}

/** HAProxy alone is believed, and no other container is ever given its address. */
const checkTrust = (files: Files, address: string, servers: Servers) => {
  const [document] = readYaml(files['deploy/cluster/docker-compose.yml'])
  const [subnet, others] = ['subnet', 'ip_range'].map((name) =>
    rangesOf(textAt(document!, `networks.default.ipam.config.0.${name}`)),
  )
  assert.deepEqual([inRanges(address, subnet!), inRanges(address, others!)], [true, false], 'an address of its own')
  for (const { config } of servers)
    assert.deepEqual(config.trustedProxies, rangesOf(address), 'HAProxy alone is trusted')
}

export const rangesOf = (addresses: string) => configOf({ TRUSTED_PROXIES: addresses }).trustedProxies

const checkDatabase = (files: Files, servers: Servers) => {
  const [patroni] = readYaml(files['deploy/cluster/patroni.yml'])
  const settings = mapAt(patroni!, 'bootstrap.dcs.postgresql.parameters')
  assert.equal(textAt(settings, 'shared_preload_libraries'), 'timescaledb')
  assert.ok(numberAt(settings, 'max_connections') >= connectionsOf(servers.length), 'max_connections: room for servers')
  const { synchronous_mode: waits, synchronous_mode_strict: waitsAlways } = mapAt(patroni!, 'bootstrap.dcs')
  assert.deepEqual([waits, waitsAlways], [true, true], 'no commit without a standby')
  const entrances = ['host all all all scram-sha-256', 'host replication replicator all scram-sha-256']
  assert.deepEqual(listAt(patroni!, 'postgresql.pg_hba'), entrances, 'pg_hba')
  // Both ways put the script below this line.
  assert.match(files['deploy/cluster/patroni.yml'], /^bootstrap:$/m)
  const made = files['deploy/cluster/make-database.sh']
  const [, role] = /^create role (\w+) login createrole password :'password';$/m.exec(made) ?? []
  const [, database, owner] = /^create database (\w+) owner (\w+);$/m.exec(made) ?? []
  for (const { config } of servers)
    for (const found of databasesOf(config))
      assert.deepEqual([found.user, found.user, found.database], [role, owner, database], 'the made role and database')
}

/** Twice as many while all are replaced. */
export const connectionsOf = (servers: number): number =>
  2 * servers * connectionsInAll(configOf({}).databaseConnections, 1)

const checkProxy = (text: string, port: number, servers: Servers): string => {
  const lines = text.split('\n').map((line) => line.replace(/ *#.*$/, ''))
  const sections = new Map<string, string[]>()
  for (const line of lines.filter((one) => one !== '')) {
    if (line.startsWith(' ')) [...sections.values()].at(-1)!.push(line.trim())
    else sections.set(line, [])
  }
  assert.doesNotMatch(text, /@[A-Z]+@/, 'nothing is left to be filled in')
  const front = sections.get('frontend coppice')!
  assert.ok(front.includes(`bind *:${port}`), `HAProxy listens on the published port ${port}`)
  checkShares(sections.get('global')!, sections.get('defaults')!, front)
  const [, backend] = /^default_backend (\w+)$/m.exec(front.join('\n')) ?? []
  const back = sections.get(`backend ${backend}`)
  assert.ok(back !== undefined, `there is a backend ${backend}`)
  assert.ok(sections.has('resolvers docker'))
  const known = back.filter((line) => line.startsWith('server '))
  const expected = servers.map(
    ({ service, config }) => `server ${service} ${service}:${config.port} resolvers docker init-addr libc,none`,
  )
  assert.deepEqual(known, expected, 'HAProxy knows all servers')
  const [, path] = /^option httpchk GET (\S+)$/m.exec(back.join('\n')) ?? []
  assert.ok(path !== undefined, 'HAProxy asks whether servers are ready')
  return path
}

/** No client alone takes all connections, nor keeps one for ever without a request. */
const checkShares = (global: readonly string[], defaults: readonly string[], front: readonly string[]) => {
  const numberIn = (lines: readonly string[], pattern: RegExp) => Number(pattern.exec(lines.join('\n'))?.[1])
  const most = numberIn(global, /^maxconn (\d+)$/m)
  assert.ok(
    numberIn(front, /^tcp-request connection reject if \{ sc0_conn_cur gt (\d+) \}$/m) * 8 <= most,
    'a share each',
  )
  const names = ['stick-table type ipv6 ', 'tcp-request connection track-sc0 src,', 'tcp-request connection reject ']
  const order = names.map((name) => front.findIndex((line) => line.startsWith(name)))
  assert.ok(order[0]! >= 0 && order[0]! < order[1]! && order[1]! < order[2]!, 'connections of each address are counted')
  assert.ok(numberIn(defaults, /^timeout http-request (\d+)s$/m) <= 10, 'a head is not waited for long')
  assert.ok(![...defaults, ...front].includes('option http-buffer-request'), 'a body is waited for')
}

/** cluster.sh runs in the soak of the same name; here only its variables are known to the server. */
const checkScript = (script: string) => {
  const [, start] = /^start_server\(\) \{\n([\s\S]*?)^\}/m.exec(script) ?? []
  const variables = [...start!.matchAll(/(?<![\w{$])([A-Z_]+)=/g)].map(([, name]) => name!)
  assert.ok(variables.length >= 8, `${variables.length} variables`)
  refuseUnknown(variables)
}
