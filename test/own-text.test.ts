// Everything that remembers a caller's text beyond its call keeps that alone, and not the body that it is a part of.
import assert from 'node:assert/strict'
import { openMemory } from '../src/access/memory.ts'
import { firstCharacters } from '../src/base/errors.ts'
import { clientAddress } from '../src/base/http/address.ts'
import { openLimiter } from '../src/base/http/limit.ts'
import { addressRange } from '../src/base/config.ts'
import { transaction } from '../src/base/database/sql.ts'
import { ownText } from '../src/base/own-text.ts'
import { insertComponent } from '../src/core/component.ts'
import { openFarQuestions } from '../src/core/reading/far-questions.ts'
import { Registry } from '../src/core/sample/registry.ts'
import { openCalendar } from '../src/core/time/calendar.ts'
import { openZone } from '../src/core/time/zone.ts'
import { compileScript } from '../src/gsql/script.ts'
import { openScriptCache } from '../src/gsql/script-cache.ts'
import { zoneName } from '../src/gsql/text/time-zone.ts'
import { openTestDatabase } from './support/database.ts'
import type { TestDatabase } from './support/database.ts'
import { usedHeap } from './support/heap.ts'
import { addOrganization, addUser } from './support/people.ts'

const length = 2 * 1024 * 1024
const times = 16

/** A part of a text that is long and, each time, another. */
const partOf = (text: string): string => {
  const whole = Buffer.alloc(length + text.length, 'x')
  whole.write(text)
  return whole.toString('utf8').slice(0, text.length)
}

const nameOf = (n: number) => `a component with a long name ${n}`

/** A spelling of Europe/Berlin for each number. */
const zoneOf = (n: number): string =>
  Array.from('europe/berlin', (letter, at) => ((n >> at) & 1 ? letter.toUpperCase() : letter)).join('')

describe('a text that is remembered', function () {
  this.timeout(30_000)
  let database: TestDatabase
  let organizationKey: number
  before(async () => {
    database = await openTestDatabase()
    const { sql } = database
    const organization = await addOrganization(sql, 'remembered', await addUser(sql, 'remembered@example.com'))
    organizationKey = organization.key
    for (let n = 0; n <= times; n += 1) {
      const component = { id: nameOf(n), name: 'c', folderPath: '/Components', timeZone: 'UTC', templateKey: null }
      await transaction(sql, (own) => insertComponent(own, organizationKey, component))
    }
  })
  after(() => database.drop())

  const kept: unknown[] = []
  const memory = openMemory<{ readonly tags: readonly string[] }>(async () => ({
    tags: [],
    areAll: true,
    horizon: '',
    history: '',
  }))
  const questions = openFarQuestions()
  const noWindow = { startMs: undefined, endMs: undefined }
  const registry = new Registry({ serial: 0 })
  const limit = { count: 1, seconds: 60 }
  const limiter = openLimiter({ feed: limit, property: limit, file: limit, login: limit }, { now: () => 0 })
  const script = compileScript('SELECT 1', 65_536)
  const scripts = openScriptCache(async () => ({ script, bytes: 1000 }))
  const remembers: Readonly<Record<string, (n: number) => unknown>> = {
    'the beginning of a text': (n) => kept.push(firstCharacters(partOf(`${n} ${'y'.repeat(100)}`), 80)),
    'a credential': (n) => memory.find(partOf(`a credential ${n}`), async () => ({ tags: [] })),
    'a component': (n) => registry.load(database.sql, organizationKey, [partOf(nameOf(n))]),
    'a reading of old samples': (n) =>
      questions.note({ organizationKey, componentId: partOf(nameOf(n)), streamId: 's', window: noWindow }, true),
    'a zone': (n) => openZone(partOf(zoneOf(n))),
    'the calendar of a zone': (n) =>
      openCalendar({ size: 1, unit: 'day', reference: '2001-01-01T00:00:00' }, partOf(zoneOf(n + 100))),
    'the zone of a script': (n) => zoneName(partOf(zoneOf(n + 200)), { line: 1, column: 1 }),
    'a script': (n) => scripts.compile(partOf(`SELECT 1 AS number${n}`), ['organization']),
    'a script that comes again': (n) => scripts.compile(partOf(`SELECT 1 AS number${n}`), ['organization']),
    'a bucket of a limit': (n) => limiter.take('feed', 'api_key 1', partOf(`a device with a long name ${n}`)),
    'an address': (n) => {
      const headers = { 'x-forwarded-for': `${'x'.repeat(length)},203.0.113.${100 + n}` }
      kept.push(clientAddress('127.0.0.1', headers, [addressRange('127.0.0.0/8')]))
    },
  }
  for (const [what, remember] of Object.entries(remembers))
    it(`is kept without the text that it came in: ${what}`, async () => {
      // Memory that is made once is made before.
      await remember(times)
      const before = usedHeap()
      for (let n = 0; n < times; n += 1) await remember(n)
      const bytes = usedHeap() - before
      assert.ok(bytes < 4 * length, `${bytes} bytes`)
    })

  it('is the same, halves of pairs of surrogates included', () => {
    for (const text of ['', 'plain', 'é💡\0\ufeff', '\ud83d half', 'half \udca1'.repeat(20)])
      assert.equal(ownText(text), text)
  })
})
