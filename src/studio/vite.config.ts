// How the studio's pages are built: src/studio/web into dist/web, which built.ts serves. Addresses are relative, so
// that a proxy may serve them under any path; nothing is inlined, since the page's policy runs no inline script or style.
import { defineConfig } from 'vite'

export default defineConfig({
  root: new URL('web', import.meta.url).pathname,
  base: './',
  logLevel: 'warn',
  build: {
    outDir: '../../../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
