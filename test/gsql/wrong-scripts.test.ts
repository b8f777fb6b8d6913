// Wrong scripts and how they are answered: wrong-scripts.gs.sql holds each above its exact message.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Fault } from '../../src/base/errors.ts'
import { fillDatabase } from './data.ts'
import { messageOf, openScripts } from './scripts.ts'
import type { Scripts } from './scripts.ts'

const wrong = readFileSync(new URL('wrong-scripts.gs.sql', import.meta.url), 'utf8')
  .split('\n\n')
  .map((block) => {
    const [, script, message] = /^([^]*)\n-- (line .*)$/.exec(block.trimEnd())!
    return { script: script!, message: message! }
  })

describe('wrong scripts', () => {
  let scripts: Scripts
  before(async () => {
    scripts = await openScripts()
    await fillDatabase(scripts.sql)
  })
  after(() => scripts.close())

  it('are at least 80', () => assert.ok(wrong.length >= 80, `${wrong.length}`))

  for (const { script, message } of wrong)
    it(`are answered with a sentence and its place: ${script.replaceAll('\n', ' ')}: ${message}`, async () => {
      assert.equal(await messageOf(scripts.run(script)), message)
    })

  it('are refused when they are empty', async () => {
    for (const script of ['', '  ', ';', ' ;; ', '-- nothing\n', '/* nothing */'])
      assert.equal(await messageOf(scripts.run(script)), 'line 1, column 1: the script is empty')
  })

  it('carry line and column beside the message', async () => {
    const error = (await scripts.run("SELECT 1;\n  SELECT Lefft('a', 1)").catch((fault: unknown) => fault)) as Fault
    assert.equal(error.status, 400)
    assert.deepEqual(error.members, { line: 2, column: 10 })
  })

  it('are counted in characters, not in units of UTF-16', async () => {
    assert.equal(await messageOf(scripts.run("SELECT '😀', x")), "line 1, column 13: unknown column 'x'")
  })

  it('are refused when they are longer than allowed', async () => {
    assert.equal(
      await messageOf(scripts.run(`SELECT '${'ü'.repeat(32_768)}'`)),
      'line 1, column 1: the script has 65545 bytes, more than 65536',
    )
  })

  it('are refused when they hold a NUL', async () => {
    assert.match(await messageOf(scripts.run("SELECT 'a\u0000b'")), /NUL/)
  })
})
