// The figures of the operations page, read from the text of /metrics.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { importsAtOnce } from '../../src/base/database/connections.ts'
import { readFigures, sumOf } from '../../src/studio/web/operations/exposition.ts'
import type { Figure, FigureName, Reading } from '../../src/studio/web/operations/figures.ts'
import { failingImportsOf, figures, refusalsOf } from '../../src/studio/web/operations/figures.ts'
import { texts } from '../../src/studio/web/texts.ts'

const reading = (atMs: number, ...lines: readonly string[]): Reading => ({
  atMs,
  figures: readFigures(lines.join('\n')),
})

const all: readonly Figure[] = figures
const figure = (name: FigureName) => all.find((each) => each.name === name)!

describe('the figures of the operations page', () => {
  it('are read with their labels, whatever these hold, and not from comments', () => {
    const found = readFigures(
      [
        '# HELP a A figure',
        '# TYPE a counter',
        'a{code="x",route="/api/comp/:id"} 3',
        String.raw`a{code="say \"hi\" {1} \\ \n",route=""} 1.5e3`,
        'b NaN',
        'c 7',
        '',
      ].join('\n'),
    )
    assert.deepEqual(found.get('a'), [
      { labels: { code: 'x', route: '/api/comp/:id' }, value: 3 },
      { labels: { code: 'say "hi" {1} \\ \n', route: '' }, value: 1500 },
    ])
    assert.deepEqual([sumOf(found, 'a'), sumOf(found, 'b'), sumOf(found, 'c')], [1503, undefined, 7])
    assert.equal(sumOf(found, 'd'), undefined)
  })

  it('know no rate before the second reading, nor when the server has started anew', () => {
    const { read } = figure('samples')
    const [one, two] = [
      reading(0, 'coppice_stored_samples_total 100'),
      reading(5000, 'coppice_stored_samples_total 600'),
    ]
    assert.deepEqual([read(one, undefined), read(two, one), read(one, two)], [undefined, 100, undefined])
  })

  it('have the time within which 99 of 100 uploads were answered since the last reading', () => {
    const buckets = (fast: number, slow: number) =>
      [
        ['0.01', fast],
        ['3', fast + slow],
        ['+Inf', fast + slow],
      ].map(
        ([bound, count]) =>
          `coppice_http_request_seconds_bucket{le="${bound}",route="/api/feed",method="PUT",status="200"} ${count}`,
      )
    const { read, state } = figure('slowest')
    const [one, two, three] = [
      reading(0, ...buckets(0, 50)),
      reading(1, ...buckets(100, 50)),
      reading(2, ...buckets(100, 60)),
    ]
    assert.deepEqual([read(two, one), read(three, two), read(three, three)], [0.01, 3, undefined])
    assert.deepEqual([state!(0.01), state!(3)], ['fine', 'worry'])
  })

  it('take aggregates that were never made for unknown, and not for old', () => {
    const { read } = figure('lag')
    assert.equal(read(reading(0, `coppice_rollup_lag_seconds ${Date.now() / 1000}`), undefined), undefined)
    assert.equal(read(reading(0, 'coppice_rollup_lag_seconds 20000'), undefined), 20_000)
  })

  it('have refusals by code, those that came while one looked first', () => {
    const line = (code: string, route: string, count: number) =>
      `coppice_refused_requests_total{code="${code}",method="GET",route="${route}",credential="none"} ${count}`
    const first = reading(0, line('forbidden', '/a', 5), line('forbidden', '/b', 5), line('busy', '/a', 1))
    const now = reading(1, line('forbidden', '/a', 5), line('forbidden', '/b', 6), line('busy', '/a', 9))
    assert.deepEqual(refusalsOf(now, first), [
      { code: 'busy', count: 9, lately: 8 },
      { code: 'forbidden', count: 11, lately: 1 },
    ])
  })

  it('worry about running imports at as many as a process runs at once, as docs/operations.md does', () => {
    const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
    const [row = ''] = /^\| `coppice_imports_running`.*/m.exec(page) ?? []
    for (const text of [texts.operations.figures.runningImports.worry, row])
      assert.match(text, new RegExp(`stays at ${importsAtOnce}\\b`))
  })

  it('name imports whose last run has failed', () => {
    const now = reading(
      0,
      'coppice_import_connector_failures{connector="u"} 3',
      'coppice_import_connector_failures{connector="v"} 0',
      `coppice_import_connector_last_error{connector="u",error="no table '…'"} 1`,
    )
    assert.deepEqual(failingImportsOf(now), [{ uid: 'u', failures: 3, error: "no table '…'" }])
  })
})
