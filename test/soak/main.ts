// npm run soak -- <name>: tests of minutes or hours, which are no part of npm test or npm run test:load. README.md lists them.
import { spawnSync } from 'node:child_process'

/** An hour for each test: these are long, and machines under them are busy. */
const mocha = ['node_modules/mocha/bin/mocha.js', '--timeout', '3600000']

/** The arguments of node for each, from the root of the repository. */
const soaks: ReadonlyMap<string, readonly string[]> = new Map([
  ['cluster', [...mocha, 'test/soak/cluster.soak.ts', '--reporter', 'spec']],
  ['derive', ['--import', 'tsx', 'test/soak/derive.ts']],
  ['derive-sizes', [...mocha, 'test/core/derive/size.load.ts', '--reporter', 'spec']],
  ['drawn', ['--import', 'tsx', 'test/soak/drawn.ts']],
  ['event-loop', [...mocha, 'test/soak/event-loop.soak.ts']],
  ['faults', [...mocha, 'test/fault/*.{test,load}.ts']],
  ['fuzz', ['--import', 'tsx', 'test/fuzz/main.ts']],
  ['imports', [...mocha, 'test/import/*.{test,load}.ts']],
  ['imports-killed', [...mocha, 'test/soak/imports.soak.ts']],
  ['journeys', [...mocha, 'test/journey/*.{test,load}.ts']],
  ['live', [...mocha, 'test/live/killed.load.ts', 'test/soak/live.soak.ts']],
  ['parts', [...mocha, 'test/{core,gsql}/**/*.{test,load}.ts']],
  ['oracle', ['--import', 'tsx', 'test/soak/oracle.ts']],
])

const [name = '', ...words] = process.argv.slice(2)
const soak = soaks.get(name)
if (soak === undefined) {
  process.stderr.write(`npm run soak -- ${[...soaks.keys()].join(' | ')}\n`)
  process.exitCode = 2
} else
  process.exitCode =
    spawnSync(process.execPath, [...soak, ...words], { stdio: 'inherit', env: { ...process.env, SOAK: '1' } }).status ??
    1
