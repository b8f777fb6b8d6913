// Programs of Debian's packages for tests, unpacked beside the embedded database: nothing is installed on the host and no
// root is needed.
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Selection } from '../../src/embedded/debian.ts'
import { unpackDebian } from '../../src/embedded/debian.ts'
import { takeLock } from '../../src/embedded/lock.ts'
import { choosePrefix } from '../../src/embedded/place.ts'
import { run } from '../../src/embedded/program.ts'

const stamp = 'installation.json'

/** The directory with the programs of some packages, which are fetched once; throws where they cannot be had. */
export const debianPrefix = async (name: string, selection: Selection): Promise<string> => {
  const project = fileURLToPath(new URL('../..', import.meta.url))
  const place = join(dirname(await choosePrefix(project)), name)
  const isThere = () =>
    stat(join(place, stamp)).then(
      () => true,
      () => false,
    )
  if (await isThere()) return place
  const lock = await takeLock(`${place}.lock`, 600_000)
  if (!lock) throw new Error(`another process keeps ${place}.lock`)
  const workDir = await mkdtemp(`${place}.work-`)
  try {
    if (await isThere()) return place
    const rootDir = join(workDir, 'root')
    await mkdir(rootDir)
    const progress = (line: string) => void process.stdout.write(`${name}: ${line}\n`)
    await unpackDebian({ workDir, rootDir, progress, path: undefined, selection })
    await writeFile(join(rootDir, stamp), '{}\n')
    await run('chmod', ['-R', 'u+rwX,go+rX,go-w', rootDir])
    await rm(place, { recursive: true, force: true })
    await rename(rootDir, place)
    return place
  } finally {
    await rm(workDir, { recursive: true, force: true })
    await lock.release()
  }
}
