// npm run soak -- <name>: what takes minutes or hours, and so is no part of npm test. README.md says what there is.
import { spawnSync } from 'node:child_process'

/** What node runs for each, from the root of the repository. */
const soaks: ReadonlyMap<string, readonly string[]> = new Map([
  ['derive', ['--import', 'tsx', 'test/soak/derive.ts']],
  ['event-loop', ['node_modules/mocha/bin/mocha.js', 'test/soak/event-loop.soak.ts']],
  ['faults', ['node_modules/mocha/bin/mocha.js', 'test/fault/*.test.ts']],
  ['imports', ['node_modules/mocha/bin/mocha.js', 'test/import/game.test.ts']],
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
