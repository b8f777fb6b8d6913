import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, lstat, mkdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { choosePrefix, databaseUser, dataPlace } from '../../src/embedded/place.ts'
import { newDirectory } from '../support/directory.ts'
import { skipWithout } from '../support/skip.ts'

const isRoot = process.getuid?.() === 0

describe('embedded/place', () => {
  let dir: string

  beforeEach(async () => {
    dir = await newDirectory('place')
  })
  afterEach(() => rm(dir, { recursive: true }))

  it('runs the database as a user whom nothing else runs as when we are root, and as ourselves otherwise', async () => {
    const user = await databaseUser()
    assert.equal(user?.uid === undefined, !isRoot)
    assert.notEqual(user?.uid, 0)
    const names = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':')[2])
    const mayBecome = (uid: number) => spawnSync('true', { uid, gid: uid }).error === undefined
    if (isRoot && mayBecome(60_930)) assert.equal(names.includes(String(user!.uid)), false)
  })

  it('keeps the programs in the project, for every run of it', async () => {
    assert.equal(await choosePrefix(dir), join(dir, '.cache', 'postgres'))
  })

  it('keeps the programs elsewhere when the name of the project would break search paths', async () => {
    const odd = join(dir, 'a:b c')
    await mkdir(odd)
    assert.equal(
      await choosePrefix(odd),
      isRoot ? '/var/cache/coppice/postgres' : join(homedir(), '.cache/coppice/postgres'),
    )
  })

  it('keeps the data where they are wanted', async () => {
    const wanted = join(dir, 'data', 'postgres')
    assert.equal(await dataPlace(wanted), wanted)
    assert.equal(await dataPlace(wanted), wanted)
  })

  describe('below a directory that only root may enter (as root)', () => {
    beforeEach(async function () {
      if (!isRoot) skipWithout(this, 'root')
      await chmod(dir, 0o700)
    })

    it('keeps the programs where only root can write', async () => {
      assert.equal(await choosePrefix(dir), '/var/cache/coppice/postgres')
    })

    it('keeps the data where only root can write, under a link that later starts follow', async () => {
      const wanted = join(dir, 'data', 'postgres')
      const place = await dataPlace(wanted)
      try {
        assert.match(place, /^\/var\/lib\/coppice\/postgres-/)
        assert.equal((await lstat(wanted)).isSymbolicLink(), true)
        assert.equal(await realpath(wanted), place)
        assert.equal(await dataPlace(wanted), place)
        for (const path of [place, '/var/lib/coppice']) {
          const { uid, mode } = await stat(path)
          assert.deepEqual([uid, mode & 0o777], [0, 0o755])
        }
      } finally {
        await rm(place, { recursive: true })
      }
    })
  })
})
