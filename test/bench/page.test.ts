import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { emptyPage, sectionOf, withSection } from './harness/page.ts'

const machine = {
  day: '2026-11-16',
  cores: 2,
  processor: 'Neoverse-N1',
  gigabytes: 24,
  node: 'v20.20.2',
  database: 'PostgreSQL 17.7, TimescaleDB 2.19.3, apache edition',
  load: 0.31,
  missing: ['InfluxDB'],
}
const table = { title: 'derive: an upload', head: ['', 'ms', 'goal'], rows: [['a | b', '2.1', '<= 3']] }
const section = (name: string) => sectionOf(name, machine, { seconds: 5, rounds: 3 }, [table])

describe('the page of figures', () => {
  it('has of each bench the day, the machine, its load, what was missing, and every table', () => {
    assert.equal(
      section('derive'),
      `## derive

2026-11-16: 2 cores Neoverse-N1, 24 GB, Node 20.20.2, PostgreSQL 17.7, TimescaleDB 2.19.3, apache edition; 3 rounds of 5 s, medians; the load before it began was 0.3. Not installed, and left out: InfluxDB.

derive: an upload:

|  | ms | goal |
|---|---|---|
| a \\| b | 2.1 | <= 3 |
`,
    )
  })

  it('gets a section in the order of names, and another in place of the one before', () => {
    const page = ['gsql', 'feed', 'derive'].reduce((before, name) => withSection(before, section(name)), emptyPage)
    const titles = (text: string) => [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title)
    assert.deepEqual(titles(page), ['Figures', 'derive', 'feed', 'gsql'])
    const again = withSection(page, section('feed').replace('| 2.1', '| 2.2'))
    assert.deepEqual(titles(again), ['Figures', 'derive', 'feed', 'gsql'])
    assert.equal(again.match(/2\.1 /g)?.length, 2)
    assert.equal(again.match(/2\.2 /g)?.length, 1)
    assert.ok(again.startsWith(emptyPage))
  })

  it('has a section of every bench', async () => {
    const files = await readdir(new URL('.', import.meta.url))
    const benches = files.filter((file) => /^(?!main\.)\w+\.ts$/.test(file)).map((file) => file.slice(0, -3))
    const page = await readFile(new URL('../../docs/figures.md', import.meta.url), 'utf8')
    const titles = [...page.matchAll(/^## ([\w]+)$/gm)].map(([, title]) => title)
    assert.deepEqual(titles, benches.toSorted())
  })
})
