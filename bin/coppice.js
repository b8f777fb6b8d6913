#!/usr/bin/env node
// `npx coppice`: the program as it was built (src/cli/main.ts). A clone that nobody has built yet is built first, as
// `npm start` does it, so that `npm ci` stays quick and works with --ignore-scripts.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const program = new URL('../dist/cli/main.js', import.meta.url)

if (!existsSync(program)) {
  process.stderr.write('coppice is built first, once ...\n')
  const root = fileURLToPath(new URL('..', import.meta.url))
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0 || !existsSync(program)) {
    process.stderr.write(`coppice could not be built: run npm ci && npm run build in ${root}\n`)
    process.exit(1)
  }
}

await import(program.href)
