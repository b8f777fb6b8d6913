// Debian 13's PostgreSQL 17 and TimescaleDB, or another selection of Debian's packages, unpacked into a directory of
// ours. Nothing is installed on the host, no root is needed and no server is named: the host's own apt says where it
// gets Debian from, and a private apt, with directories of its own, fetches packages signed by Debian's keys from
// there.
//
// The programs bring their libraries along, libc included, and are wrapped to run under them: so Debian 13's build runs
// on Debian 12.
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ProgramError, run } from './program.ts'
import type { ProgramOptions } from './program.ts'

const suite = 'trixie'
const major = 17
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'

export const debianBin = `usr/lib/postgresql/${major}/bin`
export const debianShare = `usr/share/postgresql/${major}`
const debianLib = `usr/lib/postgresql/${major}/lib`

/** The packages to fetch, and the treatment of their files. */
export type Selection = {
  readonly packages: readonly string[]
  /** Dependencies that no program here loads. To apt they are reported as installed, so it fetches neither them nor theirs. */
  readonly standIns: readonly string[]
  /** Directories whose programs are wrapped. */
  readonly programs: readonly string[]
  /** Libraries whose dependencies must be there, too. */
  readonly plugins: { readonly dir: string; readonly names: RegExp }
  /** Paths that are thrown away. */
  readonly needless: readonly string[]
}

export const neededByNone = [
  'adduser',
  'debconf',
  'dpkg',
  'libpam-modules',
  'libpam-runtime',
  'locales',
  'locales-all',
  'netbase',
  'openssl-provider-legacy',
  'passwd',
  'perl',
  'perl-base',
  'postgresql-client-common',
  'postgresql-common',
  'postgresql-common-dev',
  'readline-common',
  'sensible-utils',
  'ssl-cert',
  'tzdata',
  'ucf',
]

export const postgresql: Selection = {
  packages: [`postgresql-${major}`, `postgresql-client-${major}`, `postgresql-${major}-timescaledb`],
  standIns: neededByNone,
  programs: [debianBin],
  plugins: { dir: debianLib, names: /^(timescaledb|plpgsql|libpq).*\.so$/ },
  needless: [
    ...['bitcode', 'llvmjit.so', 'llvmjit_types.bc'].map((name) => `${debianLib}/${name}`),
    `${debianShare}/man`,
    'usr/sbin',
  ],
}

/**
 * The reason why Debian's packages cannot be had here; the sentence goes into the one message that names the other
 * ways.
 */
export class NoDebian extends Error {}

type Unpack = {
  /** An empty directory for apt, thrown away afterwards. */
  readonly workDir: string
  /** The directory that the programs come to stand in. */
  readonly rootDir: string
  readonly progress: (line: string) => void
  readonly path: string | undefined
  readonly selection?: Selection
}

export const unpackDebian = async ({
  workDir,
  rootDir,
  progress,
  path,
  selection = postgresql,
}: Unpack): Promise<void> => {
  const tools = { path }
  for (const program of ['apt-get', 'apt-cache', 'dpkg', 'dpkg-deb'])
    await run(program, ['--version'], tools).catch(() => {
      throw new NoDebian(`this host has no ${program}`)
    })
  await stat(keyring).catch(() => {
    throw new NoDebian(`this host has no ${keyring} (package debian-archive-keyring)`)
  })
  try {
    const architecture = (await run('dpkg', ['--print-architecture'], tools)).trim()
    const archives = await hostArchives(workDir, tools)
    const apt = await privateApt(workDir, architecture, tools)
    progress('asking the package archive for its packages')
    await reporting(
      (seconds) => progress(`fetching lists of packages, ${seconds} s`),
      () => chooseSources(apt, archives),
    )
    await standIn(apt, architecture, selection)
    await download(apt, selection, progress)
    await unpack(apt, rootDir, progress)
    await trim(rootDir, selection)
    await wrapPrograms(rootDir, selection)
    await checkLibraries(rootDir, selection)
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error
    if (/no space left|enough free space|disk quota/i.test(error.output)) throw new NoDebian('the disk is full')
    throw new NoDebian(`${error.program} said: ${firstError(error.output)}`)
  }
}

const firstError = (output: string) => {
  const lines = output.trim().split('\n')
  return (
    lines
      .find((line) => line.startsWith('E:'))
      ?.slice(2)
      .trim() ??
    lines.at(-1) ??
    ''
  )
}

type Archives = { readonly main: readonly string[]; readonly security: readonly string[] }

/**
 * The archives that the host gets Debian from. With an empty directory of lists, `update --print-uris` reads the host's
 * sources alone: it fetches nothing, locks nothing and also works where the lists were wiped, as in container images.
 * Every source that is no security archive may be the main one; the request for the suite shows which.
 */
const hostArchives = async (workDir: string, tools: ProgramOptions): Promise<Archives> => {
  const empty = join(workDir, 'no-lists')
  await mkdir(empty)
  const listing = await run('apt-get', ['update', '--print-uris', '-o', `Dir::State::lists=${empty}`], tools)
  const sources = [...listing.matchAll(/^'(.*)\/dists\/(.*)\/InRelease'/gm)].map(([, address, name]) => ({
    address: address!,
    isSecurity: /-security$|\/updates$/.test(name!),
  }))
  const addresses = (isSecurity: boolean) => [
    ...new Set(sources.filter((source) => source.isSecurity === isSecurity).map((source) => source.address)),
  ]
  if (addresses(false).length === 0) throw new NoDebian("this host's apt has no sources")
  return { main: addresses(false), security: addresses(true) }
}

type Apt = {
  readonly dir: string
  readonly get: (...args: string[]) => Promise<string>
  readonly cache: (...args: string[]) => Promise<string>
  readonly tools: ProgramOptions
  readonly source: (address: string, name: string) => string
}

/**
 * The configuration given by -c is read after the host's own, so the host's proxies, credentials and certificates
 * hold, while the directories are ours and the host's hooks are off.
 */
const privateApt = async (workDir: string, architecture: string, tools: ProgramOptions): Promise<Apt> => {
  const dir = join(workDir, 'apt')
  for (const made of ['lists/partial', 'archives/partial', 'none']) await mkdir(join(dir, made), { recursive: true })
  for (const made of ['status', 'preferences']) await writeFile(join(dir, made), '')
  const configuration = join(dir, 'apt.conf')
  await writeFile(
    configuration,
    `#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Pre-Install-Pkgs;
#clear DPkg::Pre-Invoke;
#clear DPkg::Post-Invoke;
#clear APT::Architectures;
APT::Architecture "${architecture}";
APT::Architectures { "${architecture}"; };
APT::Install-Recommends "false";
Acquire::Languages "none";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
Acquire::Retries "3";
Dir::State "${dir}";
Dir::State::lists "${dir}/lists";
Dir::State::status "${dir}/status";
Dir::State::extended_states "${dir}/extended_states";
Dir::Cache "${dir}";
Dir::Cache::archives "${dir}/archives";
Dir::Etc::sourcelist "${dir}/sources.list";
Dir::Etc::sourceparts "${dir}/none";
Dir::Etc::preferences "${dir}/preferences";
Dir::Etc::preferencesparts "${dir}/none";
Dir::Log "${dir}";
${
  // Root's apt fetches as the user _apt, who may not be able to come here. Signatures are checked all the same.
  process.getuid?.() === 0 ? 'APT::Sandbox::User "root";' : ''
}
`,
  )
  const call =
    (program: string) =>
    (...args: string[]) =>
      run(program, ['-qq', '-c', configuration, ...args], tools)
  return {
    dir,
    get: call('apt-get'),
    cache: call('apt-cache'),
    tools,
    source: (address, name) => `deb [arch=${architecture} signed-by=${keyring}] ${address} ${name} main\n`,
  }
}

/** The first archive of the host's that serves the suite, with its updates and security archives where they answer. */
const chooseSources = async (apt: Apt, archives: Archives) => {
  const answers = async (sources: readonly string[]) => {
    await writeFile(join(apt.dir, 'sources.list'), sources.join(''))
    return apt.get('update', '--error-on=any').then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof ProgramError)) throw error
        complaint ||= firstError(error.output)
        return false
      },
    )
  }
  let complaint = ''
  for (const address of archives.main) {
    const main = apt.source(address, suite)
    const companions = [
      apt.source(address, `${suite}-updates`),
      ...archives.security.map((security) => apt.source(security, `${suite}-security`)),
    ]
    // All of them at once is the usual case and the fast one.
    if (await answers([main, ...companions])) return
    if (!(await answers([main]))) continue
    const kept = [main]
    for (const companion of companions) if (await answers([...kept, companion])) kept.push(companion)
    if (await answers(kept)) return
  }
  throw new NoDebian(`no source of this host's apt serves Debian ${suite} (${complaint})`)
}

const standIn = async (apt: Apt, architecture: string, { packages, standIns }: Selection) => {
  // The compiler of the JIT is 120 MB, and the JIT is off.
  const depends = await apt.cache('depends', '--important', packages[0]!)
  const compilers = [...depends.matchAll(/Depends: (libllvm\S*)/g)].map(([, name]) => name!)
  const entries = [...standIns, ...compilers].map(
    (name) =>
      `Package: ${name}\nStatus: install ok installed\nArchitecture: ${architecture}\nMulti-Arch: foreign\n` +
      `Version: 9999:1\nMaintainer: none\nDescription: stand-in\n\n`,
  )
  await writeFile(join(apt.dir, 'status'), entries.join(''))
}

const download = async (apt: Apt, { packages }: Selection, progress: (line: string) => void) => {
  const listing = await apt.get('install', '--print-uris', '-y', ...packages)
  const sizes = [...listing.matchAll(/^'.*' \S+ (\d+)/gm)].map(([, size]) => Number(size))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  progress(`fetching ${sizes.length} packages, ${megabytes(total)} MB`)
  const report = async (seconds: number) => {
    const fetched = await bytesBelow(join(apt.dir, 'archives')).catch(() => 0)
    progress(`fetched ${megabytes(Math.min(fetched, total))} of ${megabytes(total)} MB in ${seconds} s`)
  }
  await report(await reporting(report, () => apt.get('install', '--download-only', '-y', ...packages)))
}

/** Reports the seconds so far every few seconds; resolves with their number. */
const reporting = async (report: (seconds: number) => unknown, work: () => Promise<unknown>): Promise<number> => {
  const sinceMs = Date.now()
  const seconds = () => Math.round((Date.now() - sinceMs) / 1000)
  const timer = setInterval(() => void report(seconds()), 3000)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  return seconds()
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)

export const bytesBelow = async (dir: string): Promise<number> => {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        stat(join(entry.parentPath, entry.name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

const unpack = async (apt: Apt, rootDir: string, progress: (line: string) => void) => {
  const archives = join(apt.dir, 'archives')
  const names = (await readdir(archives)).filter((name) => name.endsWith('.deb')).toSorted()
  progress(`unpacking ${names.length} packages`)
  let unpacked = 0
  await reporting(
    (seconds) => progress(`unpacked ${unpacked} of ${names.length} packages in ${seconds} s`),
    async () => {
      for (const name of names) {
        await run('dpkg-deb', ['-x', join(archives, name), rootDir], apt.tools)
        unpacked += 1
      }
    },
  )
  const manifest = names.map((name) => `${decodeURIComponent(name)}\n`).join('')
  await writeFile(join(rootDir, 'PACKAGES'), manifest)
}

/** Manuals, translations, start scripts and the JIT go; of the documentation the licences stay. */
const trim = async (rootDir: string, selection: Selection) => {
  const needless = [
    'etc',
    'var',
    'usr/lib/systemd',
    'usr/lib/tmpfiles.d',
    ...['bug', 'doc-base', 'gcc', 'gdb', 'lintian', 'locale', 'man'].map((name) => `usr/share/${name}`),
    ...selection.needless,
    join('usr/lib', await triplet(rootDir), 'gconv'),
  ]
  for (const name of needless) await rm(join(rootDir, name), { recursive: true, force: true })
  const documents = await readdir(join(rootDir, 'usr/share/doc'), { recursive: true, withFileTypes: true })
  for (const entry of documents)
    if (entry.isFile() && entry.name !== 'copyright') await rm(join(entry.parentPath, entry.name))
}

/** aarch64-linux-gnu or x86_64-linux-gnu: the directory that the libraries are in. */
const triplet = async (rootDir: string) => {
  const found = (await readdir(join(rootDir, 'usr/lib'))).find((name) => name.includes('-linux-gnu'))
  if (!found) throw new NoDebian('the packages have no libraries for this machine')
  return found
}

const loader = async (rootDir: string) => {
  const libraries = join('usr/lib', await triplet(rootDir))
  const found = (await readdir(join(rootDir, libraries))).find((name) => /^ld-linux.*\.so\.\d$/.test(name))
  if (!found) throw new NoDebian('the packages have no loader for this machine')
  return { program: join(libraries, found), libraries }
}

/** Each program becomes NAME.real, and NAME a script that starts it by the loader of its own libc, wherever the prefix lies. */
const wrapPrograms = async (rootDir: string, { programs }: Selection) => {
  const { program, libraries } = await loader(rootDir)
  for (const dir of programs)
    for (const entry of await readdir(join(rootDir, dir), { withFileTypes: true })) {
      const path = join(rootDir, dir, entry.name)
      if (!entry.isFile() || !(await isBinary(path))) continue
      await rename(path, `${path}.real`)
      await writeFile(
        path,
        `#!/bin/sh
bin=$(dirname "$(readlink -f "$0")")
root=\${bin%/${dir}}
exec "$root/${program}" --argv0 "$bin/${entry.name}" --library-path "$root/${libraries}" "$bin/${entry.name}.real" "$@"
`,
      )
      await chmod(path, 0o755)
    }
}

const isBinary = async (path: string) => {
  const file = await open(path)
  try {
    const { buffer } = await file.read({ buffer: Buffer.alloc(4), length: 4, position: 0 })
    return buffer.toString('latin1') === '\u007fELF'
  } finally {
    await file.close()
  }
}

/** Every library must come from the prefix: one taken from the host works here and breaks elsewhere. */
const checkLibraries = async (rootDir: string, { programs, plugins }: Selection) => {
  const { program, libraries } = await loader(rootDir)
  const filesIn = async (dir: string, names: RegExp) =>
    (await readdir(join(rootDir, dir))).filter((name) => names.test(name)).map((name) => join(rootDir, dir, name))
  const found = await Promise.all([
    ...programs.map((dir) => filesIn(dir, /\.real$/)),
    filesIn(plugins.dir, plugins.names),
  ])
  const files = found.flat()
  for (const file of files) {
    const args = ['--inhibit-cache', '--library-path', join(rootDir, libraries), '--list', file]
    const listing = await run(join(rootDir, program), args)
    const strange = listing.split('\n').find((line) => line.includes(' => ') && !line.includes(` => ${rootDir}/`))
    if (strange) throw new NoDebian(`${basename(file)} lacks a library: ${strange.trim()}`)
  }
}

/** The version in the extension's control file, such as 2.19.3. */
export const extensionVersion = async (shareDir: string): Promise<string | undefined> => {
  const control = await readFile(join(shareDir, 'extension/timescaledb.control'), 'utf8').catch(() => '')
  return /^default_version\s*=\s*'(.*)'/m.exec(control)?.[1]
}
