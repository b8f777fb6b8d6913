// The README's promises that a machine can check.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { faultCodes } from '../src/base/errors.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const packageJson = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  dependencies: Record<string, string>
  scripts: Record<string, string>
}

describe('README.md', () => {
  it('lists every error code with its status, and no other', () => {
    const listed = [...readme.matchAll(/^\| (\d{3}) \| ([a-z_, ]+) \|$/gm)].flatMap(([, status, codes]) =>
      codes!.split(', ').map((code) => [code, Number(status)] as const),
    )
    assert.deepEqual(Object.fromEntries(listed), faultCodes)
  })

  it('gives a reason for every dependency', () => {
    const [, table = ''] = readme.split('## Dependencies')
    const missing = Object.keys(packageJson.dependencies).filter(
      (name) => !new RegExp(`(\\| |, )${name}[ ,]`).test(table),
    )
    assert.deepEqual(missing, [])
  })

  it('tells of every variable that the configuration reads', () => {
    const config = readFileSync(new URL('../src/base/config.ts', import.meta.url), 'utf8')
    const names = [...config.matchAll(/value\('([A-Z_]+)'/g)].map(([, name]) => name!)
    assert.ok(names.length > 20)
    assert.deepEqual(
      names.filter((name) => !readme.includes(name)),
      [],
    )
  })

  it('names only npm scripts that exist', () => {
    const names = [...readme.matchAll(/npm run ([a-z:]+)/g)].map(([, name]) => name!)
    assert.deepEqual(
      names.filter((name) => packageJson.scripts[name] === undefined),
      [],
    )
  })
})
