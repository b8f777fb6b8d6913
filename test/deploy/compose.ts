// Checks of files of Docker Compose: each name that one part uses is that of another. The secrets are made, and HAProxy's
// configuration is written, by the very lines that a user runs.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newDirectory } from '../support/directory.ts'
import { configInContainer, databasesOf, imageOf, root } from './files.ts'
import type { FileName, Files } from './files.ts'
import { isMap, listAt, mapAt, readYaml, textAt, textListAt, valueAt } from './yaml.ts'
import type { Yaml, YamlMap } from './yaml.ts'

/** A service that runs our own image has its Dockerfile beside package.json. */
const dockerfileOf = (name: FileName, service: YamlMap): string | undefined =>
  'build' in service ? join(dirname(name), textAt(service, 'build'), 'Dockerfile') : undefined

export const checkCompose = async (name: 'docker-compose.yml' | 'deploy/cluster/docker-compose.yml', files: Files) => {
  const secrets = await secretsOf(files[name])
  const [read, ...more] = readYaml(files[name])
  assert.equal(more.length, 0)
  const document = filled(read!, secrets)
  const services = Object.keys(mapAt(document, 'services')).map(
    (service) => [service, mapAt(document, `services.${service}`)] as const,
  )
  const serviceNames = new Set(services.map(([service]) => service))
  const volumes = new Set(Object.keys(mapAt(document, 'volumes')))
  const used = new Set<string>()
  for (const [service, parts] of services) {
    const dockerfile = dockerfileOf(name, parts)
    if (dockerfile === undefined)
      assert.match(textAt(parts, 'image'), /^[\w./-]+:[\w.-]*\d[\w.-]*$/, 'a tag of its own')
    else assert.ok(dockerfile in files, `${service} is built by ${dockerfile}`)
    for (const [needed, condition] of neededBy(parts)) {
      assert.ok(serviceNames.has(needed), `${service} depends on ${needed}, which is no service`)
      const other = mapAt(document, `services.${needed}`)
      const itsFile = dockerfileOf(name, other) as FileName | undefined
      const isWatched = 'healthcheck' in other || (itsFile && imageOf(files[itsFile]).healthPath !== undefined)
      if (condition === 'service_healthy') assert.ok(isWatched, `${needed} has no health check`)
    }
    for (const volume of 'volumes' in parts ? textListAt(parts, 'volumes') : []) {
      const [from] = volume.split(':')
      if (!from!.startsWith('.')) used.add(from!)
      else assert.ok(existsSync(join(root, dirname(name), from!)), `${service} mounts ${from}, which is not there`)
    }
  }
  assert.deepEqual([...used].toSorted(), [...volumes].toSorted(), 'all volumes are declared, and used')

  const servers = services.filter(([, parts]) => dockerfileOf(name, parts) === 'Dockerfile')
  assert.ok(servers.length > 0, 'there is a server')
  const inner = servers.map(([service, parts]) => {
    const config = configInContainer(files['Dockerfile'], textsAt(parts, 'environment'))
    for (const { host, port } of databasesOf(config))
      assert.ok(serviceNames.has(host) && port === 5432, `${service} looks for its database at ${host}:${port}`)
    return { service, config }
  })
  const [published, ...further] = services.flatMap(([service, parts]) =>
    'ports' in parts && !('profiles' in parts)
      ? textListAt(parts, 'ports').map((port) => [service, port] as const)
      : [],
  )
  assert.equal(further.length, 0, 'one port is published')
  const [, address, door] = /^(127\.0\.0\.1:\d+):(\d+)$/.exec(published![1]) ?? []
  assert.equal(`http://${address}`, inner[0]!.config.baseUrl, 'BASE_URL is the published address')
  return { services: new Map(services), servers: inner, published: { service: published![0], port: Number(door) } }
}

const neededBy = (service: YamlMap): readonly (readonly [service: string, condition: string])[] => {
  const needed = service['depends_on']
  if (isMap(needed)) return Object.keys(needed).map((name) => [name, textAt(needed, `${name}.condition`)])
  return needed === undefined ? [] : textListAt(service, 'depends_on').map((name) => [name, 'service_started'])
}

export const textsAt = (from: Yaml, path: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(mapAt(from, path)).map((name) => [name, textAt(from, `${path}.${name}`)]))

/** The variables of .env, which the first lines of the file say how to make. */
const secretsOf = async (file: string): Promise<ReadonlyMap<string, string>> => {
  const comments = file.slice(0, file.search(/^[^#]/m)).replaceAll(/^# ?/gm, '')
  const commands = [...comments.matchAll(/^ +((?:for|echo) .* >>? \.env)$|`(echo .* > \.env)`/gm)]
  const directory = await newDirectory('deploy')
  // The program is not everywhere where tests run.
  const openssl = 'openssl() { od -An -N"$3" -tx1 /dev/urandom | tr -d " \\n"; }'
  const script = [openssl, ...commands.map(([, line, quoted]) => line ?? quoted)].join('\n')
  execFileSync('sh', ['-euc', script], { cwd: directory })
  const lines = readFileSync(join(directory, '.env'), 'utf8').trimEnd().split('\n')
  return new Map(lines.map((line) => line.split('=') as [string, string]))
}

/** Fills in variables as Compose does, after reading; $$ is a dollar. */
const filled = (value: Yaml, variables: ReadonlyMap<string, string>): Yaml => {
  if (Array.isArray(value)) return (value as readonly Yaml[]).map((item) => filled(item, variables))
  if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, variables)]))
  if (typeof value !== 'string') return value
  return value.replaceAll(
    /\$(?:\$|\{(\w+)(?::?([?-])([^}]*))?\})/g,
    (all, name: string | undefined, mark: string | undefined, otherwise: string) => {
      if (name === undefined) return '$'
      const given = variables.get(name)
      assert.ok(given !== undefined || mark === '-', `${all}: the first lines make no ${name}`)
      return given ?? otherwise
    },
  )
}

/** The configuration of HAProxy as the container writes it for itself. */
export const proxyConfiguration = async (haproxy: YamlMap, template: string): Promise<string> => {
  const directory = await newDirectory('deploy')
  assert.equal(valueAt(haproxy, 'volumes.0'), './haproxy.cfg:/coppice.cfg:ro')
  assert.deepEqual(listAt(haproxy, 'entrypoint'), ['sh', '-c'])
  const script = textAt(haproxy, 'command.0')
  assert.match(script, /^exec haproxy .*-f \/tmp\/haproxy\.cfg$/m)
  const moved = script
    .replace(/^exec haproxy .*$/m, '')
    .replaceAll(/\/(coppice|tmp\/haproxy)\.cfg/g, (path) => (path === '/coppice.cfg' ? 'template.cfg' : 'haproxy.cfg'))
  await writeFile(join(directory, 'template.cfg'), template)
  execFileSync('sh', ['-euc', moved], { cwd: directory })
  return readFileSync(join(directory, 'haproxy.cfg'), 'utf8')
}
