// The page of figures, docs/figures.md: a section for each bench, with all of its tables, the day, the machine and its load.
// A whole run of a bench writes its own section and leaves the others as they are.
import { cpus, loadavg, totalmem } from 'node:os'
import { isInstalled } from './process.ts'
import type { Table } from './table.ts'

export type Machine = {
  readonly day: string
  readonly cores: number
  readonly processor: string
  readonly gigabytes: number
  readonly node: string
  /** Its versions and edition; undefined where the bench has none. */
  readonly database: string | undefined
  /** Of the minutes before it began: figures of a machine that had other work are too low. */
  readonly load: number
  readonly missing: readonly string[]
}

const peers = [
  ['influxd', 'InfluxDB'],
  ['victoria-metrics', 'VictoriaMetrics'],
  ['wrk', 'wrk'],
] as const

/** To be asked before a bench begins, which then opens its database. */
export const machineOf = async (now: Date): Promise<Omit<Machine, 'database'>> => {
  const missing: string[] = []
  for (const [command, name] of peers) if (!(await isInstalled(command))) missing.push(name)
  return {
    day: now.toISOString().slice(0, 10),
    cores: cpus().length,
    processor: cpus()[0]?.model ?? 'unknown',
    gigabytes: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    load: loadavg()[1]!,
    missing,
  }
}

export const emptyPage = `# Figures

Written by \`npm run bench\`: server, database and load share the machine that a section names, and ratios are within its run. How they are
measured, and what they hang on: [test/bench](../test/bench/README.md). Figures of a machine that had other work, as its load says, are too low.
`

export const sectionOf = (
  name: string,
  { day, cores, processor, gigabytes, node, database, load, missing }: Machine,
  { seconds, rounds }: { readonly seconds: number; readonly rounds: number },
  tables: readonly Table[],
): string => {
  const lines = [
    `## ${name}`,
    '',
    `${day}: ${cores} cores ${processor}, ${gigabytes} GB, Node ${node.slice(1)}${database === undefined ? '' : `, ${database}`}; ${rounds} rounds of ${seconds} s, medians; the load before it began was ${load.toFixed(1)}.` +
      (missing.length === 0 ? '' : ` Not installed, and left out: ${missing.join(', ')}.`),
  ]
  for (const { title, head, rows } of tables)
    lines.push(
      '',
      `${title}:`,
      '',
      row(head),
      `|${'---|'.repeat(head.length)}`,
      ...rows.map((cells) => row(head.map((_, at) => cells[at] ?? ''))),
    )
  return `${lines.join('\n')}\n`
}

const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

/** The page with this section in place of the one of the same name; sections are in the order of their names. */
export const withSection = (page: string, section: string): string => {
  const [head, ...others] = page.split(/^(?=## )/m)
  const titleOf = (text: string) => text.split('\n')[0]!
  const sections = [...others.filter((each) => titleOf(each) !== titleOf(section)), section]
  sections.sort((a, b) => (titleOf(a) < titleOf(b) ? -1 : 1))
  return [head!, ...sections].map((each) => `${each.trimEnd()}\n`).join('\n')
}
