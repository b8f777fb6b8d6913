// Debian's Chromium for tests of pages, unpacked like the embedded database: nothing is installed on the host and no root
// is needed.
import { chmod, copyFile, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Selection } from '../../src/embedded/debian.ts'
import { neededByNone } from '../../src/embedded/debian.ts'
import { debianPrefix } from './debian.ts'

/** The compiler of drivers of graphics cards, 150 MB, is of no use to a browser without a screen. */
const selection: Selection = {
  packages: ['chromium-headless-shell', 'fonts-dejavu-core'],
  standIns: [...neededByNone, 'libllvm19', 'x11-utils', 'xdg-utils'],
  programs: [],
  plugins: { dir: 'usr', names: /^$/ },
  needless: [],
}

const place = 'usr/lib/chromium'

/** The program that playwright starts; throws where it cannot be had. */
export const provisionChromium = async (): Promise<string> => {
  const root = await debianPrefix('chromium', selection)
  const libraries = (await readdir(join(root, 'usr/lib'))).find((name) => name.includes('-linux-gnu'))!
  const loader = (await readdir(join(root, 'usr/lib', libraries))).find((name) => /^ld-linux.*\.so\.\d$/.test(name))!
  // Chromium finds its files beside the program that runs, and that is the loader: so there is one beside them.
  // One that runs, for another test, is replaced and not written to: the system refuses that.
  const copy = join(root, place, `loader.${process.pid}`)
  await copyFile(join(root, 'usr/lib', libraries, loader), copy)
  await chmod(copy, 0o755)
  await rename(copy, join(root, place, 'loader'))
  await writeFile(
    join(root, place, 'fonts.conf'),
    `<?xml version="1.0"?><fontconfig><dir>${join(root, 'usr/share/fonts')}</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>\n`,
  )
  const program = join(root, place, 'start')
  await writeFile(
    program,
    `#!/bin/sh
dir=$(dirname "$(readlink -f "$0")")
lib=$dir/../${libraries}
export FONTCONFIG_FILE="$dir/fonts.conf"
exec "$dir/loader" --library-path "$lib:$lib/pulseaudio:$dir" "$dir/chromium-headless-shell" --browser-subprocess-path="$dir/start" --no-zygote "$@"
`,
  )
  await chmod(program, 0o755)
  return program
}
