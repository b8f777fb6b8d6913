// A visitor of the studio, for tests that begin signed in: opens places and looks at them, in light, dark or on a phone
// (visit.ts says what counts as a fault).
import type { Browser, Page } from 'playwright-core'
import type { TestService } from '../support/service.ts'
import { openVisits } from './visit.ts'
import type { Visits } from './visit.ts'

export type Visitor = {
  readonly page: Page
  /** A place behind the #. */
  readonly open: (place: string) => Promise<unknown>
  /** Once nothing is loading any more. */
  readonly look: (name: string) => Promise<void>
}

export const visitStudio = async (
  browser: Browser,
  service: TestService,
  steps: (visitor: Visitor) => Promise<void>,
  {
    email = service.ownerEmail,
    password = service.ownerPassword,
    size = 'light',
  }: { readonly email?: string; readonly password?: string; readonly size?: keyof Visits['modes'] } = {},
): Promise<void> => {
  const { signedInAs, look, modes } = await openVisits(browser, service)
  const lookOnceLoaded = async (page: Page, name: string) => {
    await page.locator('[aria-label="Loading…"]').first().waitFor({ state: 'detached' })
    await look(page, `${size}-${name}`)
  }
  const visit = (page: Page, open: Visitor['open']) => steps({ page, open, look: (name) => lookOnceLoaded(page, name) })
  await signedInAs(email, password, visit, modes[size], /status of 4\d\d/)
}
