// The navigation around every page; parts that the role does not reach are not offered (docs/studio.md#pages).
import type { ComponentChildren } from 'preact'
import { isWall } from './dashboard/wall.ts'
import { place, to } from './router.ts'
import { chooseOrganization, hasRole, isAway, isOperator, organization, person, signOut } from './session.ts'
import type { Role } from './session.ts'
import { texts } from './texts.ts'

const { navigation } = texts

type Part = {
  readonly path: string
  readonly title: string
  readonly also?: readonly string[]
  /** The lowest role that it is of use to. */
  readonly role?: Role
  /** For admins of the operator's organization. */
  readonly isOfOperator?: true
}

const parts: readonly Part[] = [
  { path: 'components', title: navigation.components, also: ['component', 'chart', 'stream'] },
  { path: 'dashboards', title: navigation.dashboards, also: ['dashboard'] },
  { path: 'query', title: navigation.query, role: 'member' },
  { path: 'connectors', title: navigation.connectors, also: ['connector'], role: 'member' },
  { path: 'catalogue', title: navigation.catalogue, also: ['template'] },
  { path: 'operations', title: navigation.operations, isOfOperator: true },
  { path: 'security', title: navigation.security },
]

export const Frame = ({ children }: { readonly children: ComponentChildren }) => {
  const [first = 'components'] = place.value.path
  const organizations = person.value?.organizations ?? []
  return (
    <div class={isWall() ? 'frame wall' : 'frame'}>
      <a class="skip" href="#content" onClick={(event) => (event.preventDefault(), focusContent())}>
        {texts.skip}
      </a>
      <header class="side">
        <a class="brand" href={to(['components'])}>
          <img src="/favicon.svg" alt="" />
          {texts.product}
        </a>
        <nav aria-label={navigation.label}>
          {parts
            .filter(({ role = 'guest', isOfOperator }) => hasRole(role) && (!isOfOperator || isOperator()))
            .map(({ path, title, also = [] }) => (
              <a href={to([path])} aria-current={path === first || also.includes(first) ? 'page' : undefined}>
                {title}
              </a>
            ))}
        </nav>
        <div class="foot">
          {organizations.length > 1 ? (
            <select
              aria-label={navigation.organization}
              value={organization.value?.uid}
              onChange={(event) => chooseOrganization(event.currentTarget.value)}
            >
              {organizations.map(({ uid, name }) => (
                <option value={uid}>{name}</option>
              ))}
            </select>
          ) : (
            <span class="quiet">{organization.value?.name}</span>
          )}
          <div class="row">
            {person.value?.name && <span>{person.value.name}</span>}
            <button class="bare" onClick={() => void signOut()}>
              {texts.signIn.out}
            </button>
          </div>
        </div>
      </header>
      {children}
      {isAway.value && (
        <p class="away" role="alert">
          {texts.serverAway}
        </p>
      )}
    </div>
  )
}

const focusContent = () => {
  const content = document.querySelector<HTMLElement>('#content')
  content?.setAttribute('tabindex', '-1')
  content?.focus()
}
