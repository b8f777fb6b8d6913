import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatedDirectory, generatedFiles, generateParser } from '../../grammar/generate.ts'
import { compileScript } from '../../src/gsql/script.ts'

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

  it('takes every example of its README', () => {
    const examples = [...read('../../grammar/README.md').matchAll(/```sql\n([^]*?)```/g)].map(([, script]) => script!)
    assert.ok(examples.length >= 6, `${examples.length} examples`)
    for (const example of examples) compileScript(example, 65_536)
  })
})
