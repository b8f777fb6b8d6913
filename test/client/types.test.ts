// The types of the client (src/client/generated), compared with the API's description.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describeApi, typesOf, typesPath } from './types.ts'

describe('the types of the client', () => {
  it('are those of the description: else run npm run client:types', async () => {
    const made = await typesOf(describeApi())
    assert.ok(
      made === readFileSync(typesPath, 'utf8'),
      'src/client/generated/api.ts is out of date: npm run client:types',
    )
  })
})
