// The promises of README.md and docs/, compared with the source: codes, variables, packages, scripts and figures.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { faultCodes } from '../src/base/errors.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const readme = read('README.md')
const packageJson = JSON.parse(read('package.json')) as {
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  devDependencies: Record<string, string>
  scripts: Record<string, string>
}

/** The cells of every row of the page's tables. */
const rowsOf = (page: string): readonly (readonly string[])[] =>
  read(page)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map((cells) => cells.slice(1, -1))

/** The names in the first cells of a page's tables. */
const namesOf = (page: string): readonly string[] => rowsOf(page).flatMap(([first]) => first!.split(', '))

describe('README.md', () => {
  it('is a front door: below 6 KB', () => {
    assert.ok(Buffer.byteLength(readme) < 6 * 1024)
  })

  it('shows no figure that the pages of figures do not have', () => {
    const [, part = ''] = /^## Three numbers\n([^]*?)^## /m.exec(readme) ?? []
    const figures = [...part.matchAll(/\*\*([\d,.]+)\*\*|: ([\d,.]+\d)(?=[);])/g)].map(
      ([, own, other]) => own ?? other!,
    )
    assert.ok(figures.length >= 6, figures.join(' '))
    const known = new Set(`${read('docs/figures.md')} ${read('test/bench/README.md')}`.match(/\d[\d,.]*\d/g))
    assert.deepEqual(
      figures.filter((figure) => !known.has(figure)),
      [],
    )
  })

  it('names only npm scripts that exist, as CONTRIBUTING.md and docs/ do', () => {
    const pages = ['README.md', 'CONTRIBUTING.md', 'docs/operations.md', 'docs/dependencies.md', 'grammar/README.md']
    const names = pages.flatMap((page) => [...read(page).matchAll(/npm run ([a-z:]+)/g)].map(([, name]) => name!))
    assert.deepEqual(
      names.filter((name) => packageJson.scripts[name] === undefined),
      [],
    )
  })
})

describe('docs', () => {
  it('has the setting of memory wherever a server is started', () => {
    const places = ['package.json', 'Dockerfile', 'deploy/cluster/cluster.sh', 'docs/operations.md']
    const lacking = places.filter(
      (place) => !read(place).includes('MALLOC_MMAP_THRESHOLD_=262144 MALLOC_TRIM_THRESHOLD_=2097152'),
    )
    assert.deepEqual(lacking, [])
  })

  it('lists every error code with its status in replies.md, and no other', () => {
    const listed = rowsOf('docs/replies.md')
      .filter(([status]) => /^\d{3}$/.test(status!))
      .flatMap(([status, codes]) => codes!.split(', ').map((code) => [code, Number(status)] as const))
    assert.deepEqual(Object.fromEntries(listed), faultCodes)
  })

  it('explains every variable that the configuration reads in operations.md, and no other', () => {
    const variables = [...read('src/base/config.ts').matchAll(/value\('([A-Z_]+)'/g)].map(([, name]) => name!)
    assert.ok(variables.length > 20)
    const explained = namesOf('docs/operations.md').filter((name) => /^[A-Z_]+$/.test(name))
    assert.deepEqual(explained.toSorted(), variables.toSorted())
  })

  it('gives a reason for every package in dependencies.md, and for no other', () => {
    const { dependencies, optionalDependencies, devDependencies } = packageJson
    const packages = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies })
    const shown = packages.filter((name) => !name.startsWith('@types/'))
    const reasoned = namesOf('docs/dependencies.md').filter((name) => !/^(package|-+)$/.test(name))
    assert.deepEqual(reasoned.toSorted(), shown.toSorted())
  })
})
