// Keeps the house tidy: floors, rooms and a few sentences of CONTRIBUTING.md, read off the files themselves.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const src = join(root, 'src')

/** Imports go down only; rooms of one floor do not know each other, except on the top floor. */
const floors: readonly (readonly string[])[] = [
  ['base', 'embedded'],
  ['core'],
  ['access', 'gsql'],
  ['feed', 'catalog', 'oauth', 'connector', 'studio'],
  ['', 'cli'],
]

const filesBelow = (dir: string): string[] =>
  readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) return entry.name === 'generated' || entry.name === 'web' ? [] : filesBelow(path)
    return path.endsWith('.ts') ? [path] : []
  })

const files = filesBelow(src).map((path) => ({ path, name: relative(src, path), text: readFileSync(path, 'utf8') }))
const roomOf = (name: string) => (name.includes('/') ? name.split('/')[0]! : '')
const floorOf = (room: string) => floors.findIndex((rooms) => rooms.includes(room))

const importsOf = (text: string) =>
  [...text.matchAll(/^(?:import|export)\b[^'\n]*(?:\{[^}]*\}[^'\n]*)?from '([^']+)'/gm)].map((match) => match[1]!)

describe('the house', () => {
  it('has a floor for every room', () => {
    const rooms = [...new Set(files.map(({ name }) => roomOf(name)))]
    assert.deepEqual(
      rooms.filter((room) => floorOf(room) < 0),
      [],
    )
  })

  it('imports downward only', () => {
    const wrong = files.flatMap(({ path, name, text }) =>
      importsOf(text)
        .filter((target) => target.startsWith('.'))
        .map((target) => relative(src, resolve(dirname(path), target)))
        .filter((target) => {
          const [from, to] = [roomOf(name), roomOf(target)]
          const isNeighbour =
            floorOf(from) === floorOf(to) && from !== to && !['', 'base', 'embedded', 'cli'].includes(from)
          return floorOf(to) > floorOf(from) || isNeighbour
        })
        .map((target) => `${name} imports ${target}`),
    )
    assert.deepEqual(wrong, [])
  })

  it('finds at least one import in nearly every file, so that the rule above cannot pass by blindness', () => {
    const without = files.filter(({ text }) => importsOf(text).length === 0)
    assert.ok(without.length < files.length / 5, without.map(({ name }) => name).join(' '))
  })

  it('knows Koa on the top floor only', () => {
    const wrong = files.filter(
      ({ name, text }) => name.includes('/') && importsOf(text).some((target) => /^(@?koa)/.test(target)),
    )
    assert.deepEqual(
      wrong.map(({ name }) => name),
      [],
    )
  })

  it('reads the environment in base/config.ts only', () => {
    const wrong = files.filter(({ name, text }) => name !== 'base/config.ts' && text.includes('process.env'))
    assert.deepEqual(
      wrong.map(({ name }) => name),
      [],
    )
  })

  it('writes SQL in core, db, base and the GS SQL engine only', () => {
    const wrong = files.filter(
      ({ name, text }) =>
        !['core', 'base', 'gsql', 'embedded', ''].includes(roomOf(name)) && /sql(<[^`]*>)?`/.test(text),
    )
    assert.deepEqual(
      wrong.map(({ name }) => name),
      [],
    )
  })

  it('opens every file with a comment that says what it is for', () => {
    const wrong = files.filter(({ text }) => !text.startsWith('// ') && !text.startsWith('#!'))
    assert.deepEqual(
      wrong.map(({ name }) => name),
      [],
    )
  })

  it('has a README in every room', () => {
    const rooms = readdirSync(src).filter(
      (name) => statSync(join(src, name)).isDirectory() && readdirSync(join(src, name)).length > 0,
    )
    assert.deepEqual(
      rooms.filter((room) => !existsSync(join(src, room, 'README.md'))),
      [],
    )
  })

  it('brings no password for the database of the containers', () => {
    const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8')
    assert.match(compose, /\$\{POSTGRES_PASSWORD:\?/)
    assert.doesNotMatch(compose, /PASSWORD:-|postgres:\/\/[^:]+:(?!\$\{POSTGRES_PASSWORD:\?)/)
  })

  it('names no package registry and no path of a machine in what is committed', () => {
    const wrong = [join(root, 'package.json'), join(root, 'package-lock.json')].filter((path) =>
      /https?:\/\/[^"]*(npm|registry)/.test(readFileSync(path, 'utf8').replaceAll(/"(url|funding)": "[^"]*"/g, '')),
    )
    assert.deepEqual(wrong, [])
  })
})
