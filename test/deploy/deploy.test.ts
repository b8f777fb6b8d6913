// deploy/ and the two files for Docker beside package.json: well-formed, of one mind with each other and with the server, and
// each mistake in the table below would be found.
import assert from 'node:assert/strict'
import { leastPostgres, leastTimescaledb } from '../../src/base/database/migrate.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'
import { checkCluster } from './cluster.ts'
import { checkCompose } from './compose.ts'
import { databasesOf, imageOf, readFiles } from './files.ts'
import type { FileName, Files } from './files.ts'
import { checkKubernetes } from './kubernetes.ts'
import { textAt } from './yaml.ts'

describe('the files to deploy by', () => {
  const files = readFiles()
  let service: TestService
  before(async () => {
    service = await openTestService()
  })
  after(() => service.close())

  const checkAll = async (given: Files) => {
    const { services, servers } = await checkCompose('docker-compose.yml', given)
    const database = services.get('database')!
    for (const { host, user, database: name } of servers.flatMap(({ config }) => databasesOf(config)))
      assert.deepEqual(
        [host, user, name],
        ['database', textAt(database, 'environment.POSTGRES_USER'), textAt(database, 'environment.POSTGRES_DB')],
        'the database that is made',
      )
    checkVersions(given, textAt(database, 'image'))
    const paths = [imageOf(given['Dockerfile']).healthPath!, ...(await checkCluster(given)), ...checkKubernetes(given)]
    assert.equal(paths.length, 5)
    for (const path of paths) {
      const { status } = await service.get(path)
      assert.equal(status, 200, `${path} is no route that tells how the server is`)
    }
  }

  /** All ways have the same PostgreSQL, of the same Debian where it is Debian's, and it is new enough for the server. */
  const checkVersions = (given: Files, image: string) => {
    const [, timescaledb, postgres] = /^timescale\/timescaledb:([\d.]+)-pg(\d+)$/.exec(image) ?? []
    assert.ok(Number(postgres) >= leastPostgres)
    assert.ok(timescaledb!.localeCompare(leastTimescaledb, 'en', { numeric: true }) >= 0)
    const node = given['deploy/cluster/Dockerfile']
    const [, release] = /^FROM debian:(\w+)-slim$/m.exec(node) ?? []
    const named = [
      ...node.matchAll(/postgresql[-/](\d+)/g),
      ...given['deploy/kubernetes/Dockerfile'].matchAll(/postgresql[-:](\d+)/g),
      ...given['deploy/kubernetes/coppice.yaml'].matchAll(/imageName: .*:(\d+)$/gm),
    ]
    assert.deepEqual([...new Set(named.map(([, version]) => version))], [postgres], 'one version of PostgreSQL')
    assert.ok(given['deploy/kubernetes/Dockerfile'].includes(`-${release}\n`), `Debian's ${release} for both`)
  }

  it('agree with each other and with the server', () => checkAll(files))

  const compose = 'docker-compose.yml'
  const cluster = 'deploy/cluster/docker-compose.yml'
  const kubernetes = 'deploy/kubernetes/coppice.yaml'
  const mistakes: readonly [file: FileName, right: string, wrong: string, complaint: RegExp][] = [
    [compose, 'BASE_URL: $', 'BASE_URI: $', /the server reads no BASE_URI/],
    [compose, '@database:5432', '@db:5432', /its database at db:5432/],
    [compose, "'127.0.0.1:8080:8080'", "'127.0.0.1:8081:8080'", /BASE_URL is the published address/],
    [compose, 'POSTGRES_DB: coppice', 'POSTGRES_DB: other', /the database that is made/],
    [compose, '      database:\n        cond', '      databases:\n        cond', /databases, which is no service/],
    [compose, '  data:\n', '  date:\n', /all volumes are declared/],
    [compose, '2.29.2-pg17', '2.29.2-pg16', /one version of PostgreSQL/],
    [compose, 'gvenzl/oracle-free:23-slim', 'gvenzl/oracle-free', /a tag of its own/],
    [compose, 'POSTGRES_PASSWORD=$(', 'PASSWORD=$(', /the first lines make no POSTGRES_PASSWORD/],
    [compose, '    restart: unless-stopped\n  coppice', "\trestart: 'no'\n  coppice", /a tab/],
    ['Dockerfile', 'HOST=0.0.0.0 ', '', /for others than its container/],
    ['Dockerfile', 'DATA_DIR=/data', 'DATA=/data', /the server reads no DATA/],
    ['Dockerfile', 'EXPOSE 8080', 'EXPOSE 80', /the health check asks port 8080/],
    ['Dockerfile', '8080/readyz', '8080/ready', /\/ready is no route/],
    ['Dockerfile', 'VOLUME /data', 'VOLUME /var', /a volume for DATA_DIR/],
    [cluster, 'MASTER_KEY: $', 'MASTERKEY: $', /the server reads no MASTERKEY/],
    [cluster, 'for name in COPPICE SUPERUSER', 'for name in COPPICE', /the first lines make no SUPERUSER_PASSWORD/],
    [cluster, 'DATABASE_READ_URL: postgres', 'DATABASE_READ_URL: mysql', /DATABASE_READ_URL must look like/],
    [cluster, 'TRUSTED_PROXIES: 172.30.255.250', 'TRUSTED_PROXIES: haproxy', /TRUSTED_PROXIES must be addresses/],
    [cluster, 'TRUSTED_PROXIES: 172.30.255.250', 'TRUSTED_PROXIES: 172.30.255.0/24', /HAProxy alone is trusted/],
    [cluster, 'ip_range: 172.30.255.0/25', 'ip_range: 172.30.255.0/24', /an address of its own/],
    [cluster, 'subnet: 172.30.255.0/24', 'subnet: 172.30.254.0/24', /an address of its own/],
    [cluster, '@node1,node2,node3/', '@node1,node2,node4/', /its database at node4/],
    [cluster, '<<: *node\n', '<<: *nodes\n', /nothing has the name nodes/],
    [cluster, 'PATRONI_NAME: node3', 'PATRONI_NAME: node2', /the variables of node3/],
    [cluster, '  PATRONI_RESTAPI_USERNAME: patroni\n', '', /the variables of node1/],
    [cluster, 'PASSWORD: ${RESTAPI_PASSWORD', 'PASSWORD: ${SUPERUSER_PASSWORD', /a password for each/],
    [cluster, 'etcd --name etcd2', 'etcd --name etcd1', /the options of etcd2/],
    [cluster, 'PATRONI_ETCD3_HOSTS: etcd1:2379', 'PATRONI_ETCD3_HOSTS: etcd1:2380', /the variables of node1/],
    [cluster, 'for n in 1 2 3; do', 'for n in 1 2; do', /HAProxy knows all servers/],
    [cluster, '/*:8080/', '/*:80/', /HAProxy listens on the published port 8080/],
    [cluster, 'build: ../..', 'build: ..', /is built by deploy\/Dockerfile/],
    [cluster, './haproxy.cfg:', './proxy.cfg:', /mounts .\/proxy.cfg, which is not there/],
    ['deploy/cluster/Dockerfile', 'HEALTHCHECK', 'LABEL', /node1 has no health check/],
    ['deploy/cluster/Dockerfile', 'postgresql-17 ', 'postgresql-18 ', /one version of PostgreSQL/],
    ['deploy/cluster/haproxy.cfg', 'GET /readyz', 'GET /ready', /\/ready is no route/],
    ['deploy/cluster/haproxy.cfg', 'default_backend servers', 'default_backend server', /there is a backend server/],
    ['deploy/cluster/haproxy.cfg', 'sc0_conn_cur gt 1000', 'sc0_conn_cur gt 8000', /a share each/],
    ['deploy/cluster/haproxy.cfg', 'track-sc0 src', 'track-sc1 src', /connections of each address are counted/],
    ['deploy/cluster/haproxy.cfg', 'timeout http-request 10s\n', '', /a head is not waited for long/],
    ['deploy/cluster/haproxy.cfg', 'option forwardfor', 'option http-buffer-request', /a body is waited for/],
    ['deploy/cluster/haproxy.cfg', '@PORT@', '@DOOR@', /nothing is left to be filled in/],
    ['deploy/cluster/patroni.yml', 'max_connections: 300', 'max_connections: 200', /room for servers/],
    ['deploy/cluster/patroni.yml', '_strict: true', '_strict: false', /no commit without a standby/],
    ['deploy/cluster/patroni.yml', "jit: 'off'", 'jit: off', /off belongs in quotes/],
    ['deploy/cluster/patroni.yml', 'replication replicator', 'replication standby', /pg_hba/],
    ['deploy/cluster/patroni.yml', 'max_worker_processes: 24', 'max_worker_processes: 8', /as in patroni.yml/],
    ['deploy/cluster/make-database.sh', 'owner coppice;', 'owner postgres;', /the made role and database/],
    ['deploy/cluster/cluster.sh', 'MASTER_KEY=$', 'MASTER=$', /the server reads no MASTER/],
    ['deploy/kubernetes/Dockerfile', '17-standard-trixie', '17-standard-bookworm', /Debian's trixie for both/],
    [kubernetes, 'postgresql.cnpg.io/v1', 'postgresql.cnpg.io/v2', /the version of Cluster/],
    [kubernetes, '  instances: 3\n', '', /the members of the Cluster/],
    [kubernetes, '  storage:\n    size: 100Gi\n', '', /the members of the Cluster/],
    [kubernetes, 'size: 100Gi', 'size: 100 GB', /the size of the storage/],
    [kubernetes, 'instances: 3', 'instances: 1', /enough instances/],
    [kubernetes, '      number: 1\n', '', /synchronous.number is missing/],
    [kubernetes, '      failoverQuorum: true\n', '', /no standby is promoted that may lack a commit/],
    [kubernetes, 'dataDurability: required', 'dataDurability: preferred', /no commit without a standby/],
    [kubernetes, '(1.28.3 or newer)', '(1.27 or newer)', /the release of the operator/],
    [kubernetes, "max_connections: '300'", 'max_connections: 300', /the parameter max_connections/],
    [kubernetes, '--type=kubernetes.io/basic-auth', '--type=Opaque', /the type of the secret/],
    [kubernetes, 'owner-password=...', 'password=...', /no line makes owner-password of the secret coppice/],
    [kubernetes, 'key: master-key', 'key: master', /no line makes master of the secret coppice/],
    [kubernetes, 'name: FEED_API_KEY', 'name: API_KEY', /the server reads no API_KEY/],
    [kubernetes, '$(PASSWORD)@coppice-database-rw', '$(PASS)@coppice-database-rw', /PASS, which is not before it/],
    [kubernetes, '@coppice-database-rw', '@coppice-database', /the database of the server/],
    [kubernetes, 'path: /healthz', 'path: /health', /\/health is no route/],
    [kubernetes, 'failureThreshold: 900', 'failureThreshold: 30', /time to migrate/],
    [kubernetes, 'startupProbe', 'startUpProbe', /startupProbe.periodSeconds is missing/],
    [kubernetes, 'value: 192.0.2.10/32', 'value: 10.0.0.0/8', /addresses that are to be replaced/],
    [kubernetes, 'value: 192.0.2.20/32', 'value: 10.0.0.0/8', /addresses that are to be replaced/],
    [kubernetes, 'containerPort: 8080', 'containerPort: 80', /its port/],
    [kubernetes, 'targetPort: http', 'targetPort: web', /the port of the service/],
    [kubernetes, 'port: http\n', 'port: web\n', /the port of readinessProbe/],
    [kubernetes, '  selector:\n    app: coppice', '  selector:\n    app: server', /selectors find the servers/],
    [kubernetes, 'minAvailable: 2', 'minAvailable: 3', /a server may be taken away/],
    [kubernetes, 'mountPath: /data', 'mountPath: /var', /DATA_DIR is a volume/],
    [kubernetes, "['sleep', '5']", "['sleep', '30']", /time to stop after the pause/],
    [kubernetes, '  replicas: 3\n', '  replicas: 3\n  replicas: 4\n', /replicas is there twice/],
    [kubernetes, '  name: coppice\n  labels', '  name: coppice\n   labels', /does not belong to anything/],
  ]
  for (const [file, right, wrong, complaint] of mistakes)
    it(`would be refused with ${JSON.stringify(wrong)} for ${JSON.stringify(right)} in ${file}`, async () => {
      assert.ok(files[file].includes(right), `${file} has no ${right}`)
      await assert.rejects(checkAll({ ...files, [file]: files[file].replace(right, () => wrong) }), complaint)
    })
})
