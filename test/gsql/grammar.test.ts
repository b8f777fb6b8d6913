import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatedDirectory, generatedFiles, generateParser } from '../../grammar/generate.ts'
import { systemVariables } from '../../src/gsql/check.ts'
import { functionNames } from '../../src/gsql/functions.ts'
import { compileScript } from '../../src/gsql/script.ts'
import { streamColumns } from '../../src/gsql/stream-table.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

describe('the grammar', () => {
  it('makes the parser that is committed', () => {
    const directory = mkdtempSync(join(tmpdir(), 'gs-sql-test-'))
    try {
      generateParser(directory)
      for (const file of generatedFiles)
        assert.equal(
          readFileSync(join(directory, file), 'utf8'),
          readFileSync(join(generatedDirectory, file), 'utf8'),
          file,
        )
    } finally {
      rmSync(directory, { recursive: true })
    }
  }).timeout(60_000)

  it('holds no code', () => {
    assert.doesNotMatch(
      read('../../grammar/GsSql.g4').replaceAll(/'(?:[^'\\]|\\.)*'|\[(?:[^\]\\]|\\.)*\]|\/\/.*/g, ''),
      /\{(?! caseInsensitive)|@\w+/,
    )
  })

  it('has a reference that names every function, every column of Stream and every option', () => {
    const words = new Set(read('../../grammar/REFERENCE.md').match(/\w+/g))
    const wanted = [...functionNames, ...streamColumns.map(({ name }) => name), ...systemVariables.keys()]
    const missing = wanted.filter((name) => !words.has(name) && !words.has(name.toUpperCase()))
    assert.deepEqual(missing, [])
  })

  it('takes every example of its README', () => {
    const examples = [...read('../../grammar/README.md').matchAll(/```sql\n([^]*?)```/g)].map(([, script]) => script!)
    assert.ok(examples.length >= 6, `${examples.length} examples`)
    for (const example of examples) compileScript(example, 65_536)
  })
})
