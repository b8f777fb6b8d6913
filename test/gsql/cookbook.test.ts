import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { cookbook, cookbookPath, readRecipes } from './cookbook.ts'
import { openScripts } from './scripts.ts'
import type { Scripts } from './scripts.ts'

const recipes = readRecipes()

describe('the cookbook', () => {
  let scripts: Scripts
  before(async () => (scripts = await openScripts()))
  after(() => scripts.close())

  it('has at least a dozen recipes', () => assert.ok(recipes.length >= 12))

  for (const { name, title, body = null, query = null, script, rows } of recipes)
    it(`makes the rows that it prints: ${name}, ${title}`, async () => {
      const variables = { HTTP_BODY: body, HTTP_QUERY_STRING: query, HTTP_METHOD: 'POST' }
      const { effects } = await scripts.run(script, { variables, mayReadStreams: false })
      const given = effects.flatMap((effect) =>
        effect.kind === 'insert'
          ? effect.rows.map(({ cid, id, timeMs = null, sample }) => JSON.stringify([cid, id, timeMs, sample]))
          : [],
      )
      assert.deepEqual(given, rows)
    })

  it('is the page that is printed', () => {
    assert.equal(readFileSync(cookbookPath, 'utf8'), cookbook(recipes))
  })
})
