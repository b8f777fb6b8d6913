// Builds the studio's pages: src/studio/web into dist/web, which built.ts serves. `npm run build` and `npm start` run it;
// it takes a tenth of a second. Names of files change with their content, and addresses are relative, so that a proxy may
// serve them under any path.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Plugin } from 'esbuild'
import { palette } from '../base/palette.ts'

const root = new URL('../../', import.meta.url)
const from = new URL('src/studio/web/', root)
const into = new URL('dist/web/', root)

/** The colours, which the authorization page has, too. */
const colours: Plugin = {
  name: 'palette',
  setup: (made) => {
    made.onResolve({ filter: /^palette$/ }, () => ({ path: 'palette', namespace: 'palette' }))
    made.onLoad({ filter: /^palette$/, namespace: 'palette' }, () => ({ contents: palette, loader: 'css' }))
  },
}

await rm(into, { recursive: true, force: true })
const { metafile } = await build({
  absWorkingDir: fileURLToPath(from),
  entryPoints: { index: 'main.tsx', style: 'style/index.css' },
  outdir: fileURLToPath(new URL('assets/', into)),
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  minify: true,
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  plugins: [colours],
  loader: { '.md': 'text' },
  logLevel: 'warning',
  metafile: true,
})

/** The file that was made of an entry. */
const madeOf = (entry: string): string => {
  const [path] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry)!
  return `assets/${basename(path)}`
}

const page = await readFile(new URL('index.html', from), 'utf8')
await mkdir(into, { recursive: true })
await writeFile(
  new URL('index.html', into),
  page.replace('main.tsx', madeOf('main.tsx')).replace('style/index.css', madeOf('style/index.css')),
)
