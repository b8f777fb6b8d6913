// A real browser for tests: the host's Chromium, driven by playwright-core. It is not part of a newcomer's machine,
// so without one these tests are skipped, and say so.
import { existsSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { chromium } from 'playwright-core'

const candidates = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Undefined, with a line that says why, when there is no browser. */
export const openBrowser = async (): Promise<Browser | undefined> => {
  const executablePath = candidates.find((path) => path !== '' && existsSync(path))
  if (executablePath !== undefined) return chromium.launch({ executablePath, args: ['--no-sandbox'] })
  process.stdout.write('no Chromium found (install it, or name it in CHROMIUM): tests in a browser are skipped\n')
  return undefined
}
