// Joins the program's files with the packages that they use, as the last step of a build: a start that loads some
// thousand files takes 1.5 s of a core, one that loads a few takes 0.6, and the thread of each import half of what it
// took. `npm run build` and `npm start` run it, where anything has changed since it ran last.
import { readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Plugin } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
// esbuild names files by their real paths.
const from = await realpath(join(root, 'src'))
const into = join(root, 'dist')
const mark = join(into, '.bundled')
const chunks = 'chunks'

/** The server and its threads; the program `coppice` loads little as it is. */
const entries = ['main', 'outbound/thread', 'gsql/compile-thread', 'gsql/ingest/import-encoder']

/**
 * jsonpath loads a file by a name that it makes. We reach into the drivers of other databases by their files, and a host
 * may lack some of them.
 */
const external = ['jsonpath', 'mysql2', 'mssql', 'oracledb', 'pg-native', 'esbuild']

/** A module names files beside it, the threads among them, by its own address: that stays what it was. */
const addresses: Plugin = {
  name: 'addresses',
  setup: (made) => {
    made.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const place = relative(from, path).replace(/\.ts$/, '.js')
      const text = await readFile(path, 'utf8')
      return { contents: text.replaceAll('import.meta.url', `new URL('${place}', __dist).href`), loader: 'ts' }
    })
  },
}

/** Before each file: the directory of all, and a `require` for packages that load parts of Node by it. */
const banner = `import { createRequire as __createRequire } from 'node:module'
const __dist = new URL(import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/') + '/dist/'.length))
const require = __createRequire(__dist)`

const changedMs = async (file: string): Promise<number | undefined> =>
  (await stat(file).catch(() => undefined))?.mtimeMs

/** The compiler writes a file over ours where its source has changed; packages change with their lock file. */
const isDone = async (): Promise<boolean> => {
  const doneMs = await changedMs(mark)
  if (doneMs === undefined) return false
  const sources = (await readdir(from, { recursive: true })).filter((name) => name.endsWith('.ts'))
  const files = [
    join(root, 'package-lock.json'),
    ...sources.map((name) => join(from, name)),
    ...entries.map((name) => join(into, `${name}.js`)),
  ]
  const times = await Promise.all(files.map(changedMs))
  return times.every((ms = 0) => ms <= doneMs)
}

if (!(await isDone())) {
  await rm(join(into, chunks), { recursive: true, force: true })
  await build({
    absWorkingDir: from,
    entryPoints: Object.fromEntries(entries.map((name) => [name, `${name}.ts`])),
    outdir: into,
    chunkNames: `${chunks}/[name]-[hash]`,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external,
    banner: { js: banner },
    plugins: [addresses],
    logLevel: 'warning',
  })
  await writeFile(mark, '')
}
