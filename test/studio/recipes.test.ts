import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { recipesOf } from '../../src/studio/web/pages/cookbook.ts'
import { cookbookPath, readRecipes } from '../gsql/cookbook.ts'

describe('the recipes of the studio', () => {
  it('are those of the cookbook, with the message of each', () => {
    const read = recipesOf(readFileSync(cookbookPath, 'utf8'))
    const kept = readRecipes().map(({ title, script, body = '', query = '' }) => ({ title, sql: script, body, query }))
    assert.deepEqual(read, kept)
  })
})
