// The dashboards of deploy/grafana: their queries run, their addresses answer, their metrics exist.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { TestService } from './support/service.ts'
import { openTestService } from './support/service.ts'
import type { SqlPerson } from './support/sql-role.ts'
import { openSqlPerson } from './support/sql-role.ts'

type Target = { readonly rawSql?: string; readonly url?: string; readonly expr?: string }
type Dashboard = {
  readonly title: string
  readonly panels: readonly { readonly title: string; readonly targets: readonly Target[] }[]
  readonly templating: { readonly list: readonly { readonly type: string; readonly query: string }[] }
}

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../deploy/grafana/${name}.json`, import.meta.url), 'utf8')) as Dashboard

const targetsOf = ({ panels }: Dashboard) =>
  panels.flatMap(({ title, targets }) => targets.map((target) => ({ title, target })))

describe('the dashboards for Grafana', () => {
  const nowMs = Date.now()
  const fromMs = nowMs - 7 * 86_400_000
  let service: TestService
  let person: SqlPerson
  before(async () => {
    service = await openTestService()
    const times = Array.from({ length: 50 }, (_, at) => nowMs - at * 3_600_000)
    const samples = times.map((time) => ({ compId: 'boiler-1', streamId: 'temp', time, data: 1 }))
    assert.equal((await service.put('/api/feed', JSON.stringify(samples))).status, 200)
    person = await openSqlPerson(service)
  })
  after(async () => {
    await person.leave()
    await service.close()
  })

  /** Macros and variables as Grafana replaces them. */
  const filled = (text: string) =>
    text
      .replaceAll(/\$__timeFilter\((\w+)\)/g, "$1 BETWEEN '$__from' AND '$__to'")
      .replaceAll('$__timeFrom()', "'$__from'")
      .replaceAll('$__timeTo()', "'$__to'")
      .replaceAll('$__from', new Date(fromMs).toISOString())
      .replaceAll('$__to', new Date(nowMs + 1).toISOString())
      .replaceAll("'$component'", "'boiler-1'")
      .replaceAll('$stream', "'temp'")

  it('have SQL that a role runs, and that finds rows', async () => {
    const dashboard = read('postgresql')
    const queries = targetsOf(dashboard).map(({ title, target }) => [title, target.rawSql!] as const)
    for (const { query } of dashboard.templating.list) assert.ok((await person.ask(filled(query))).length > 0, query)
    for (const [title, text] of queries) {
      const asked = filled(text)
      assert.doesNotMatch(asked, /\$/)
      assert.ok((await person.ask(asked)).length > 0, title)
    }
    assert.ok(queries.length >= 5)
  })

  it('have addresses that answer', async () => {
    for (const { title, target } of targetsOf(read('infinity'))) {
      const values = new Map([
        ['component', 'boiler-1'],
        ['stream', 'temp'],
        ['__from', String(fromMs)],
        ['__to', String(nowMs + 1)],
      ])
      const path = target.url!.replaceAll(/\$\{(\w+)(?::percentencode)?\}/g, (_, name: string) => values.get(name)!)
      const reply = await service.get(path)
      assert.equal(reply.status, 200, `${title}: ${reply.text}`)
      assert.ok((reply.json as readonly unknown[]).length > 0, title)
    }
  })

  it('name metrics that there are', async () => {
    const { text } = await service.request('GET', '/metrics')
    for (const { target } of targetsOf(read('prometheus')))
      for (const [name] of target.expr!.matchAll(/\b(coppice|process)_\w+/g))
        assert.match(text, new RegExp(`^# TYPE ${name.replace(/_(count|bucket|sum)$/, '')} `, 'm'), name)
  })
})
