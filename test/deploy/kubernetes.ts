// Checks of deploy/kubernetes: labels, ports, secrets and volumes that are referred to are there, and the Cluster has the members
// that CloudNativePG asks for.
import assert from 'node:assert/strict'
import { isWithin } from '../../src/base/http/address.ts'
import { connectionsOf, rangesOf } from './cluster.ts'
import { configInContainer, databasesOf } from './files.ts'
import type { Files } from './files.ts'
import { isMap, listAt, mapAt, numberAt, readYaml, textAt, valueAt } from './yaml.ts'
import type { Yaml, YamlMap } from './yaml.ts'

const versions: Readonly<Record<string, string>> = {
  Cluster: 'postgresql.cnpg.io/v1',
  Deployment: 'apps/v1',
  Service: 'v1',
  PodDisruptionBudget: 'policy/v1',
}

/** Gives the paths of the probes. */
export const checkKubernetes = (files: Files): readonly string[] => {
  const text = files['deploy/kubernetes/coppice.yaml']
  const resources = readYaml(text)
  const kinds = resources.map((resource) => textAt(resource, 'kind'))
  assert.deepEqual(kinds, Object.keys(versions))
  for (const [n, kind] of kinds.entries())
    assert.equal(textAt(resources[n]!, 'apiVersion'), versions[kind], `the version of ${kind}`)
  const [cluster, deployment, service, budget] = resources as readonly [Yaml, Yaml, Yaml, Yaml]
  const secrets = secretsIn(text)
  checkCluster(cluster, secrets)
  checkOperator(text)
  checkSettings(cluster, files)
  assert.ok(
    numberAt(cluster, 'spec.instances') > numberAt(cluster, 'spec.postgresql.synchronous.number'),
    'enough instances',
  )

  const replicas = numberAt(deployment, 'spec.replicas')
  const labels = mapAt(deployment, 'spec.template.metadata.labels')
  const selectors = [
    mapAt(deployment, 'spec.selector.matchLabels'),
    mapAt(deployment, 'spec.template.spec.topologySpreadConstraints.0.labelSelector.matchLabels'),
    mapAt(service, 'spec.selector'),
    mapAt(budget, 'spec.selector.matchLabels'),
  ]
  for (const selector of selectors) assert.deepEqual(selector, labels, 'selectors find the servers')
  assert.ok(numberAt(budget, 'spec.minAvailable') < replicas, 'a server may be taken away')
  assert.ok(
    Number(textAt(cluster, 'spec.postgresql.parameters.max_connections')) >= connectionsOf(replicas),
    'max_connections: room for servers',
  )
  const paths = checkServer(mapAt(deployment, 'spec.template.spec'), files, cluster, secrets)
  const [container] = listAt(deployment, 'spec.template.spec.containers')
  assert.equal(
    textAt(service, 'spec.ports.0.targetPort'),
    textAt(container!, 'ports.0.name'),
    'the port of the service',
  )
  return paths
}

const checkCluster = (cluster: Yaml, secrets: Secrets) => {
  const members = ['instances', 'imageName', 'postgresql', 'bootstrap', 'managed', 'storage', 'affinity']
  assert.deepEqual(Object.keys(mapAt(cluster, 'spec')), members, 'the members of the Cluster')
  assert.match(textAt(cluster, 'spec.storage.size'), /^\d+[KMGT]i$/, 'the size of the storage')
  assert.match(textAt(cluster, 'spec.postgresql.synchronous.method'), /^(any|first)$/)
  assert.equal(textAt(cluster, 'spec.postgresql.synchronous.dataDurability'), 'required', 'no commit without a standby')
  const { failoverQuorum } = mapAt(cluster, 'spec.postgresql.synchronous')
  assert.equal(failoverQuorum, true, 'no standby is promoted that may lack a commit')
  assert.deepEqual(listAt(cluster, 'spec.postgresql.shared_preload_libraries'), ['timescaledb'])
  // The operator takes texts only, and refuses this one here.
  for (const [name, value] of Object.entries(mapAt(cluster, 'spec.postgresql.parameters')))
    assert.ok(typeof value === 'string' && name !== 'shared_preload_libraries', `the parameter ${name}`)
  const owner = textAt(cluster, 'spec.bootstrap.initdb.owner')
  for (const path of ['spec.bootstrap.initdb.secret.name', 'spec.managed.roles.0.passwordSecret.name']) {
    const secret = secrets.get(textAt(cluster, path))
    assert.ok(secret !== undefined, `no line makes the secret of ${path}`)
    assert.equal(secret.type, 'kubernetes.io/basic-auth', 'the type of the secret')
    assert.equal(secret.values.get('username'), owner, 'the secret is of the owner')
    assert.ok(secret.values.has('password'))
  }
  assert.equal(textAt(cluster, 'spec.managed.roles.0.name'), owner)
  assert.equal(valueAt(cluster, 'spec.managed.roles.0.createrole'), true)
}

/** failoverQuorum is a member of the resource since 1.28; 1.28.3 no longer routes calls to a former primary that comes back. */
const checkOperator = (file: string) => {
  const [, release = ''] = /CloudNativePG operator \(([\d.]+) or newer\)/.exec(file) ?? []
  assert.ok(release.localeCompare('1.28.3', 'en', { numeric: true }) >= 0, 'the release of the operator')
}

/** The settings of both ways to run PostgreSQL are the same where both have them. */
const checkSettings = (cluster: Yaml, files: Files) => {
  const [patroni] = readYaml(files['deploy/cluster/patroni.yml'])
  const theirs = mapAt(patroni!, 'bootstrap.dcs.postgresql.parameters')
  for (const [name, value] of Object.entries(mapAt(cluster, 'spec.postgresql.parameters')))
    assert.ok(value === theirs[name] || Number(value) === theirs[name], `${name} as in patroni.yml`)
}

type Secrets = ReadonlyMap<string, { readonly type: string; readonly values: ReadonlyMap<string, string> }>

/** The secrets that the first lines of the file say how to make. */
const secretsIn = (file: string): Secrets => {
  const commands = file.replaceAll(/\\\n# */g, '').matchAll(/^# +kubectl create secret generic ([\w-]+) (.*)$/gm)
  return new Map(
    [...commands].map(([, name, options]) => {
      const values = [...options!.matchAll(/--from-literal=([\w-]+)=(\S+)/g)].map(
        ([, key, value]) => [key!, value!] as const,
      )
      return [name!, { type: /--type=(\S+)/.exec(options!)?.[1] ?? 'Opaque', values: new Map(values) }]
    }),
  )
}

const checkServer = (pod: YamlMap, files: Files, cluster: Yaml, secrets: Secrets): readonly string[] => {
  const [container, ...others] = listAt(pod, 'containers')
  assert.equal(others.length, 0)
  const environment = environmentOf(listAt(container!, 'env'), secrets)
  const config = configInContainer(files['Dockerfile'], environment)
  const name = textAt(cluster, 'metadata.name')
  // Addresses that nobody has: those of a cluster are not known here, and any that were given would be trusted.
  for (const range of [...config.trustedProxies, ...config.metricsAddresses])
    assert.ok(isWithin(range, rangesOf('192.0.2.0/24')[0]!), 'addresses that are to be replaced')
  const found = databasesOf(config).map(({ host, port, user, database }) => [host, port, user, database])
  const [user, database] = [
    textAt(cluster, 'spec.bootstrap.initdb.owner'),
    textAt(cluster, 'spec.bootstrap.initdb.database'),
  ]
  const expected = [
    [`${name}-rw`, 5432, user, database],
    [`${name}-ro`, 5432, user, database],
  ]
  assert.deepEqual(found, expected, 'the database of the server')
  assert.deepEqual(listAt(container!, 'ports'), [{ name: 'http', containerPort: config.port }], 'its port')
  const mounts = listAt(container!, 'volumeMounts').map((mount) => [textAt(mount, 'name'), textAt(mount, 'mountPath')])
  assert.deepEqual(mounts, [[textAt(pod, 'volumes.0.name'), config.dataDir]], 'DATA_DIR is a volume')
  const [, pauseSeconds] = listAt(container!, 'lifecycle.preStop.exec.command')
  assert.ok(Number(pauseSeconds) < numberAt(pod, 'terminationGracePeriodSeconds'), 'time to stop after the pause')
  const startSeconds =
    numberAt(container!, 'startupProbe.periodSeconds') * numberAt(container!, 'startupProbe.failureThreshold')
  assert.ok(startSeconds >= 1800, 'time to migrate')
  return ['readinessProbe', 'startupProbe', 'livenessProbe'].map((probe) => {
    assert.equal(textAt(container!, `${probe}.httpGet.port`), 'http', `the port of ${probe}`)
    return textAt(container!, `${probe}.httpGet.path`)
  })
}

/** The variables as Kubernetes sets them: $(NAME) stands for one before it. One that is only there for that is none of ours. */
const environmentOf = (entries: readonly Yaml[], secrets: Secrets): Readonly<Record<string, string>> => {
  const values = new Map<string, string>()
  const parts = new Set<string>()
  for (const entry of entries) {
    const name = textAt(entry, 'name')
    assert.ok(!values.has(name), `${name} is there twice`)
    if (isMap(entry) && 'valueFrom' in entry) {
      const { name: secret, key } = mapAt(entry, 'valueFrom.secretKeyRef') as {
        readonly name: string
        readonly key: string
      }
      assert.ok(secrets.get(secret)?.values.has(key), `no line makes ${key} of the secret ${secret}`)
      values.set(name, 'a0'.repeat(12))
      continue
    }
    const value = textAt(entry, 'value').replaceAll(/\$\((\w+)\)/g, (_, part: string) => {
      assert.ok(values.has(part), `${name} names ${part}, which is not before it`)
      parts.add(part)
      return values.get(part)!
    })
    values.set(name, value)
  }
  return Object.fromEntries([...values].filter(([name]) => !parts.has(name)))
}
