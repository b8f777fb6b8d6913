// Fetches a Chromium before the tests in a browser begin, where the host has none: it takes longer than a test may.
import { findChromium } from './browser.ts'

// The tests say it themselves where there is none.
await findChromium().catch(() => {})
