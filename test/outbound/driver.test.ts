// A kind whose driver is not there says how it is installed.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { newDirectory } from '../support/directory.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const optional = new Set(['mssql', 'oracledb'])

describe('a kind whose driver is not installed', function () {
  this.timeout(120_000)

  it('answers with the line that installs it, and the others work', async () => {
    // As `npm ci --omit=optional` leaves it: the sources, and all packages but these.
    const directory = await newDirectory('driver')
    const packages = join(directory, 'node_modules')
    await mkdir(packages)
    await cp(join(root, 'src'), join(directory, 'src'), { recursive: true })
    await cp(join(root, 'package.json'), join(directory, 'package.json'))
    for (const name of await readdir(join(root, 'node_modules')))
      if (!optional.has(name)) await symlink(join(root, 'node_modules', name), join(packages, name))
    const program = `
      import { testConnection } from './src/outbound/fetch.ts'
      const target = { host: '127.0.0.1', port: 1, database: 'x', user: 'x', password: 'x', tls: false, more: {}, allow: ['127.0.0.0/8'] }
      const errors = []
      for (const kind of ['sqlserver', 'oracle', 'postgresql'])
        errors.push((await testConnection({ ...target, kind }, { timeoutMs: 60_000, holders: ['tenant test'] })).error)
      console.log(JSON.stringify(errors))`
    await writeFile(join(directory, 'program.ts'), program)
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', 'program.ts'], {
      cwd: directory,
    })
    assert.deepEqual(JSON.parse(stdout), [
      'the driver of SQL Server is not installed: npm install mssql',
      'the driver of Oracle is not installed: npm install oracledb',
      'nobody listens at 127.0.0.1:1',
    ])
  })
})
