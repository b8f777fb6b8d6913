// A real browser for tests, driven by playwright-core: the host's Chromium, or Debian's, which is fetched once and is not
// installed. Where neither can be had these tests are skipped, and say so.
import { existsSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { chromium } from 'playwright-core'
import { provisionChromium } from '../support/chromium.ts'

const candidates = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

export const findChromium = async (): Promise<string> =>
  // CHROMIUM=fetched passes over the host's own.
  (process.env['CHROMIUM'] === 'fetched' ? undefined : candidates.find((path) => path !== '' && existsSync(path))) ??
  provisionChromium()

/** Undefined, with a line that says why, when there is no browser. */
export const openBrowser = async (): Promise<Browser | undefined> => {
  try {
    return await chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox'] })
  } catch (error) {
    const [reason] = (error as Error).message.split('\n')
    process.stdout.write(`no Chromium here (${reason}); name one in CHROMIUM: tests in a browser are skipped\n`)
    return undefined
  }
}
