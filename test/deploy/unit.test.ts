// The unit for systemd and the nightly backup of docs/operations.md: both have the variables of one file, which are the server's,
// and nobody but the server stops its database.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newDirectory } from '../support/directory.ts'
import { configOf, root } from './files.ts'

describe('the unit for systemd and the nightly backup', () => {
  const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')

  const check = async (text: string) => {
    const [, unit = ''] = /```ini\n([^`]*)```/.exec(text) ?? []
    const settings = new Map(unit.split('\n').map((line) => line.split(/=(.*)/s, 2) as [string, string]))
    assert.equal(settings.get('KillMode'), 'mixed', 'the server alone is asked to stop')
    assert.equal(settings.get('Wants'), settings.get('After'), 'it is wanted before it is waited for')
    const [, variables = ''] = /^```\n(NODE_ENV=[^`]*)```/m.exec(text) ?? []
    const environment = Object.fromEntries(
      variables
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/=(.*)/s, 2)),
    )
    const { dataDir } = configOf(environment as Record<string, string>)
    const [, made = ''] = /^install -d -o coppice -g coppice -m 700 (.*)$/m.exec(text) ?? []
    assert.ok(made.split(' ').includes(dataDir), 'DATA_DIR is made for its user')

    const [, user, command = ''] = /^0 3 \* \* \* {2}(\w+) {2}(.*)$/m.exec(text) ?? []
    assert.equal(user, settings.get('User'), 'the user of both')
    const [, directory = ''] = / bin\/coppice\.js backup (\S+) /.exec(command) ?? []
    assert.ok(made.split(' ').includes(directory), 'the directory of backups is made for its user')
    // The same line, in which the command shows its variables in place of a backup.
    const place = await newDirectory('unit')
    const file = join(place, 'environment')
    await writeFile(file, variables)
    const shown = command
      .replace(`cd ${settings.get('WorkingDirectory')} `, `cd ${place} `)
      .replace(settings.get('EnvironmentFile')!, file)
      .replace(/node bin\/coppice\.js backup .*/, 'env')
    const given = execFileSync('sh', ['-euc', shown], { encoding: 'utf8', env: { PATH: process.env['PATH'] } })
    assert.ok(given.split('\n').includes(`DATA_DIR=${dataDir}`), 'the backup has the DATA_DIR of the server')
  }

  it('agree with each other and with the server', () => check(page))

  const mistakes: readonly [right: string, wrong: string, complaint: RegExp][] = [
    ['KillMode=mixed\n', '', /the server alone is asked to stop/],
    ['Wants=network-online.target\n', '', /it is wanted before it is waited for/],
    ['\nDATA_DIR=', '\nDATADIR=', /the server reads no DATADIR/],
    ['-m 700 /var/lib/coppice ', '-m 700 ', /DATA_DIR is made for its user/],
    ['0 3 * * *  coppice  ', '0 3 * * *  root  ', /the user of both/],
    ['coppice.js backup /var/backups/coppice ', 'coppice.js backup /var/backups ', /the directory of backups is made/],
    ['set -a && ', '', /the backup has the DATA_DIR of the server/],
    ['. /etc/coppice/environment && ', '', /the backup has the DATA_DIR of the server/],
  ]
  for (const [right, wrong, complaint] of mistakes)
    it(`would be refused with ${JSON.stringify(wrong)} for ${JSON.stringify(right)}`, async () => {
      assert.ok(page.includes(right), right)
      await assert.rejects(check(page.replace(right, () => wrong)), complaint)
    })
})
