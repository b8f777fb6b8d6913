// npm run bench -- feed|statistics|gsql|import|derive|transfer [words]: runs `run` of test/bench/<name>.ts, which prints its tables.
// The words choose among its cases: `npm run bench -- feed single` runs those whose title holds "single".
//
//   BENCH_DATABASE_URL   a superuser's address of a TimescaleDB to use instead of an embedded one
//   BENCH_SECONDS        how long each case is driven, 5 by default
//   BENCH_ROUNDS         how often each case is repeated, 3 by default; the tables show medians
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { stopAll } from './harness/process.ts'

export type BenchOptions = { readonly words: readonly string[]; readonly seconds: number; readonly rounds: number }

const [name = '', ...words] = process.argv.slice(2)
const files = await readdir(fileURLToPath(new URL('.', import.meta.url)))
const benches = files.filter((file) => file.endsWith('.ts') && file !== 'main.ts').map((file) => file.slice(0, -3))

if (!benches.includes(name)) {
  process.stderr.write(`usage: npm run bench -- ${benches.join('|')} [words of the cases to run]\n`)
  process.exit(2)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stopAll().finally(() => process.exit(130)))
const { run } = (await import(`./${name}.ts`)) as { run: (options: BenchOptions) => Promise<void> }
try {
  await run({
    words,
    seconds: Number(process.env['BENCH_SECONDS'] ?? 5),
    rounds: Number(process.env['BENCH_ROUNDS'] ?? 3),
  })
} finally {
  await stopAll()
}
