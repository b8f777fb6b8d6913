// The files of deploy/ and the two beside them, and questions about all of them: whether the server knows the variables that
// it is given, and what an image brings along.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../src/base/config.ts'
import type { Config } from '../../src/base/config.ts'
import { hostUrls, placeOf } from '../../src/base/database/url.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

const fileNames = [
  'docker-compose.yml',
  'Dockerfile',
  'deploy/cluster/docker-compose.yml',
  'deploy/cluster/Dockerfile',
  'deploy/cluster/patroni.yml',
  'deploy/cluster/haproxy.cfg',
  'deploy/cluster/make-database.sh',
  'deploy/cluster/cluster.sh',
  'deploy/kubernetes/coppice.yaml',
  'deploy/kubernetes/Dockerfile',
] as const
export type FileName = (typeof fileNames)[number]
export type Files = Readonly<Record<FileName, string>>

export const readFiles = (): Files =>
  Object.fromEntries(fileNames.map((name) => [name, readFileSync(join(root, name), 'utf8')])) as Files

export type Image = {
  readonly environment: Readonly<Record<string, string>>
  readonly ports: readonly number[]
  readonly volumes: readonly string[]
  /** The path that its health check asks for, if it has one. */
  readonly healthPath: string | undefined
}

/** The last stage of a Dockerfile. */
export const imageOf = (file: string): Image => {
  const lines = file
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => !/^(#|\s*$)/.test(line))
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
  const argumentsOf = (word: string) =>
    last.flatMap((line) => (line.startsWith(`${word} `) ? line.slice(word.length).trim().split(/ +/) : []))
  const environment = Object.fromEntries(argumentsOf('ENV').map((pair) => pair.split(/=(.*)/s, 2) as [string, string]))
  const ports = argumentsOf('EXPOSE').map(Number)
  const [, port, healthPath] = /http:\/\/127\.0\.0\.1:(\d+)(\/\w+)/.exec(argumentsOf('HEALTHCHECK').join(' ')) ?? []
  if (port !== undefined) assert.ok(ports.includes(Number(port)), `the health check asks port ${port}`)
  return { environment, ports, volumes: argumentsOf('VOLUME'), healthPath }
}

/** Variables of Node itself, and of the C library. */
const others = new Set(['NODE_ENV', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_'])

export const refuseUnknown = (names: readonly string[]) => {
  const known = new Set<string>()
  readConfig({}, known)
  for (const name of names)
    assert.ok(known.has(name.replace(/_FILE$/, '')) || others.has(name), `the server reads no ${name}`)
}

/** The configuration by these variables, each of which is the server's. */
export const configOf = (environment: Readonly<Record<string, string>>): Config => {
  refuseUnknown(Object.keys(environment))
  return readConfig(environment)
}

/** The same for a container of our image, which is there for others than itself. */
export const configInContainer = (image: string, environment: Readonly<Record<string, string>>): Config => {
  const { ports, volumes, environment: own } = imageOf(image)
  const config = configOf({ ...own, ...environment })
  assert.deepEqual(ports, [config.port], 'the image exposes the port on which the server listens')
  assert.deepEqual(volumes, [config.dataDir], 'the image has a volume for DATA_DIR')
  assert.equal(config.host, '0.0.0.0', 'the server listens for others than its container')
  return config
}

export const databasesOf = ({ databaseUrl, databaseReadUrl }: Config) =>
  [databaseUrl, databaseReadUrl]
    .flatMap((urls) => (urls === undefined ? [] : hostUrls(urls)))
    .map((url) => {
      const { host, port } = placeOf(url)
      const { username, pathname } = new URL(url)
      return { host, port, user: username, database: pathname.slice(1) }
    })
