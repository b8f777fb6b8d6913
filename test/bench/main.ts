// npm run bench: runs all benches, one after the other, some twenty minutes. A whole run of a bench writes its section of docs/figures.md.
// npm run bench -- feed|statistics|gsql|growth|import|derive|storage|transfer|studio [words]: runs `run` of test/bench/<name>.ts, which prints its tables.
// The words choose among its cases: `npm run bench -- feed single` runs those whose title holds "single".
//
//   BENCH_DATABASE_URL   a superuser's address of a TimescaleDB to use instead of an embedded one
//   BENCH_SECONDS        how long each case is driven, 5 by default
//   BENCH_ROUNDS         how often each case is repeated, 3 by default; the tables show medians
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { openedDatabase } from './harness/database.ts'
import { emptyPage, machineOf, sectionOf, withSection } from './harness/page.ts'
import { stopAll } from './harness/process.ts'
import { takeTables } from './harness/table.ts'

export type BenchOptions = { readonly words: readonly string[]; readonly seconds: number; readonly rounds: number }

const [name, ...words] = process.argv.slice(2)
const files = await readdir(fileURLToPath(new URL('.', import.meta.url)))
const benches = files.filter((file) => /^(?!main\.)\w+\.ts$/.test(file)).map((file) => file.slice(0, -3))

if (name !== undefined && !benches.includes(name)) {
  process.stderr.write(`usage: npm run bench -- ${benches.join('|')} [words of the cases to run]\n`)
  process.exit(2)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stopAll().finally(() => process.exit(130)))
const options: BenchOptions = {
  words,
  seconds: Number(process.env['BENCH_SECONDS'] ?? 5),
  rounds: Number(process.env['BENCH_ROUNDS'] ?? 3),
}

const page = new URL('../../docs/figures.md', import.meta.url)

/** A whole run is on the page. */
const runBench = async (each: string): Promise<void> => {
  const { run } = (await import(`./${each}.ts`)) as { run: (given: BenchOptions) => Promise<void> }
  const machine = await machineOf(new Date())
  takeTables()
  try {
    await run(options)
  } finally {
    await stopAll()
  }
  const database = openedDatabase()
  // Goals differ by the kind of processor, and so both have a section.
  const kinds = [
    process.arch === 'arm64' ? [] : [process.arch],
    database?.edition === 'community' ? ['Community edition'] : [],
  ]
  const title = [each, ...kinds.flat()].join(', ')
  const section = sectionOf(title, { ...machine, database: database?.description }, options, takeTables())
  if (words.length === 0)
    await writeFile(page, withSection(await readFile(page, 'utf8').catch(() => emptyPage), section))
}

/** When one fails the others go on. */
const runAll = async (): Promise<void> => {
  for (const each of benches) {
    process.stdout.write(`\n== ${each}\n`)
    await runBench(each).catch((error: unknown) => {
      process.stderr.write(`${each}: ${error instanceof Error ? error.stack : String(error)}\n`)
      process.exitCode = 1
    })
  }
}

await (name === undefined ? runAll() : runBench(name))
