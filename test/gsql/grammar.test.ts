import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { generatedDirectory, generatedFiles, generateParser } from '../../grammar/generate.ts'
import { systemVariables } from '../../src/gsql/check/check.ts'
import { functionNames } from '../../src/gsql/check/functions.ts'
import { compileScript } from '../../src/gsql/script.ts'
import { streamColumns } from '../../src/gsql/check/stream-table.ts'
import { newDirectory } from '../support/directory.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

describe('the grammar', () => {
  it('makes the parser that is committed', async () => {
    const directory = await newDirectory('gs-sql-test')
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
  })

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

  it('takes no word of the language for an alias, unless AS says so', () => {
    const [, section] = /---- words ----([^]*)---- signs ----/.exec(read('../../grammar/GsSql.g4'))!
    const words = [...section!.matchAll(/'([A-Z_]+)'/g)].map(([, word]) => word!)
    assert.ok(words.length > 60 && words.includes('RIGHT') && words.includes('SEMI'), words.join(' '))
    const columnsOf = (script: string): readonly string[] => {
      try {
        const { action } = compileScript(script, 65_536).statements[0]!
        return action.kind === 'select' ? action.columns.map(({ name }) => name.toUpperCase()) : []
      } catch {
        return []
      }
    }
    const table = '(SELECT 1 AS a)'
    const taken = words.filter((word) =>
      [
        `SELECT 1 ${word}`,
        `SELECT ${word} FROM (SELECT 1 ${word}) t`,
        `SELECT ${word}.a AS ${word} FROM ${table} ${word}`,
        `SELECT ${word}.a AS ${word} FROM ${table} ${word} JOIN (SELECT 1 AS b) u`,
        `SELECT ${word}.a AS ${word} FROM ${table} ${word} JOIN (SELECT 1 AS b) u ON TRUE`,
      ].some((script) => columnsOf(script).includes(word)),
    )
    assert.deepEqual(taken, [])
    assert.deepEqual(columnsOf(`SELECT "right".a AS full FROM ${table} AS right`), ['FULL'])
  })

  it('takes every example of its README', () => {
    const examples = [...read('../../grammar/README.md').matchAll(/```sql\n([^]*?)```/g)].map(([, script]) => script!)
    assert.ok(examples.length >= 6, `${examples.length} examples`)
    for (const example of examples) compileScript(example, 65_536)
  })
})
