// The program as it is built: joined, so that a start loads a few files and not some thousand.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { waitForBuild } from './support/server-process.ts'

/** Packages that are left beside it, each for a reason that src/bundle.ts gives. */
const beside = new Set(['jsonpath', 'mysql2', 'mysql2/promise', 'mssql', 'oracledb'])
const dist = new URL('../dist/', import.meta.url)

/** All files that one of these loads, at once or later, and the packages that they do. */
const loadedBy = async (entries: readonly string[]) => {
  const files = new Map(entries.map((name) => [new URL(name, dist).href, '']))
  const packages = new Set<string>()
  for (const file of files.keys()) {
    const text = await readFile(new URL(file), 'utf8')
    files.set(file, text)
    for (const [, at, later] of text.matchAll(
      /^(?:import|export)\b[^'"\n]*["']([^'"\n]+)["'];?$|\bimport\("([^"]+)"\)/gm,
    )) {
      const name = (at ?? later)!
      if (name.startsWith('.')) files.set(new URL(name, file).href, '')
      else if (!isBuiltin(name)) packages.add(name)
    }
  }
  return { files: [...files.keys()].map((file) => file.slice(dist.href.length)), packages: [...packages] }
}

describe('the program as it is built', () => {
  const entries = ['main.js', 'outbound/thread.js', 'gsql/compile-thread.js', 'gsql/ingest/import-encoder.js']
  before(waitForBuild)

  it('loads nothing but its own chunks, and packages that cannot be joined', async () => {
    const { files, packages } = await loadedBy(entries)
    assert.deepEqual(
      files.filter((file) => !entries.includes(file) && !file.startsWith('chunks/')),
      [],
    )
    assert.deepEqual(
      packages.filter((name) => !beside.has(name)),
      [],
    )
    assert.ok(files.length > entries.length)
  })

  it('names files by the addresses that its modules would have', async () => {
    const { files } = await loadedBy(entries)
    const texts = await Promise.all(files.map((file) => readFile(new URL(file, dist), 'utf8')))
    const named = new Set(
      texts.flatMap((text) => [...text.matchAll(/new URL\("([\w/-]+\.js)", __dist\)\.href/g)].map(([, at]) => at)),
    )
    for (const place of ['base/thread.js', 'base/version.js', 'base/database/migrate.js', 'outbound/fetch.js'])
      assert.ok(named.has(place), place)
  })
})
