// The studio's frame: sign-in, navigation, and the page of the place. Pages are loaded when they are opened, so that the
// first one comes soon.
import { useEffect } from 'preact/hooks'
import { Frame, titleWithout } from './frame.tsx'
import { Lazy } from './lazy.tsx'
import { isElsewhere } from './address.ts'
import { followOthers, linkedOrganization, loadPerson, organization, person } from './session.ts'
import { place } from './router.ts'
import { SignIn } from './pages/sign-in.tsx'
import { Notice, Page, Spinner } from './ui/parts.tsx'
import { problemOf } from './load.ts'
import { signal } from '@preact/signals'
import { texts } from './texts.ts'

const problem = signal('')

const start = async () => {
  try {
    await loadPerson()
    problem.value = ''
  } catch (error) {
    problem.value = problemOf(error)
    setTimeout(() => void start(), 3000)
  }
}

/** The pages by the first word of their place. */
const pages = {
  components: () => import('./pages/components.tsx'),
  component: () => import('./pages/component.tsx'),
  chart: () => import('./pages/chart.tsx'),
  dashboards: () => import('./pages/dashboards.tsx'),
  dashboard: () => import('./pages/dashboard.tsx'),
  query: () => import('./pages/query.tsx'),
  connectors: () => import('./pages/connectors.tsx'),
  connector: () => import('./pages/connector.tsx'),
  operations: () => import('./pages/operations.tsx'),
  catalogue: () => import('./pages/catalogue.tsx'),
  template: () => import('./pages/template.tsx'),
  stream: () => import('./pages/stream.tsx'),
  security: () => import('./pages/security.tsx'),
} as const

export const App = () => {
  useEffect(() => {
    followOthers()
    void start()
  }, [])
  if (problem.value !== '')
    return (
      <div class="middle">
        <Notice kind="warn">{problem.value}</Notice>
      </div>
    )
  if (person.value === undefined)
    return (
      <div class="middle">
        <Spinner />
      </div>
    )
  if (person.value === null) return <SignIn />
  if (organization.value === undefined)
    return (
      <Frame>
        <Page title={texts.product}>
          <Notice kind="warn">{texts.navigation.none}</Notice>
        </Page>
      </Frame>
    )
  if (isElsewhere(person.value.organizations, linkedOrganization.value))
    return (
      <Frame>
        <Page title={texts.product}>
          <Notice kind="warn">{texts.navigation.elsewhere}</Notice>
        </Page>
      </Frame>
    )
  const [first = 'components'] = place.value.path
  const load = Object.hasOwn(pages, first) ? pages[first as keyof typeof pages] : pages.components
  const without = titleWithout(first)
  if (without !== undefined)
    return (
      <Frame>
        <Page title={without}>
          <Notice kind="warn">{texts.notAllowed}</Notice>
        </Page>
      </Frame>
    )
  return (
    <Frame>
      <Lazy key={`${person.value.userUid} ${organization.value.uid} ${first}`} load={load} />
    </Frame>
  )
}
