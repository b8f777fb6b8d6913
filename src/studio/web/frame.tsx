// The navigation around every page; parts that the role does not reach are not offered (docs/studio.md#pages).
import type { ComponentChildren } from 'preact'
import { isWall } from './dashboard/wall.ts'
import { changeOrganization, place, to } from './router.ts'
import { hasRole, isAway, organization, person, signOut } from './session.ts'
import type { Role } from './session.ts'
import { texts } from './texts.ts'
import { intoView } from './ui/into-view.ts'

const { navigation } = texts

type Part = {
  readonly path: string
  readonly title: string
  readonly also?: readonly string[]
  /** The lowest role that it is of use to. */
  readonly role?: Role
  /** Its icon, as the path of a line in a square of 20. */
  readonly icon: string
}

const parts: readonly Part[] = [
  {
    path: 'components',
    title: navigation.components,
    also: ['component', 'chart', 'stream'],
    icon: 'M10 2.5 16.5 6v8L10 17.5 3.5 14V6zM3.5 6 10 9.5 16.5 6M10 9.5v8',
  },
  {
    path: 'dashboards',
    title: navigation.dashboards,
    also: ['dashboard'],
    icon: 'M3 3.5h6v7H3zM11.5 3.5H17v4h-5.5zM11.5 10H17v6.5h-5.5zM3 13h6v3.5H3z',
  },
  { path: 'query', title: navigation.query, role: 'member', icon: 'm3.5 5 5 5-5 5M10.5 15.5h6' },
  {
    path: 'connectors',
    title: navigation.connectors,
    also: ['connector'],
    role: 'member',
    icon: 'M7 2.5v4M13 2.5v4M4.5 6.5h11v3.5a5.5 5.5 0 0 1-11 0zM10 15.5v2.5',
  },
  {
    path: 'catalogue',
    title: navigation.catalogue,
    also: ['template'],
    icon: 'M3.5 4.5h4v11h-4zM7.5 4.5h4v11h-4zM12 5l3.3-.8 2 10.6-3.3.8z',
  },
  { path: 'operations', title: navigation.operations, role: 'admin', icon: 'M2 10.5h4l2.5-6 3.5 11 2.5-5H18' },
  {
    path: 'security',
    title: navigation.security,
    icon: 'M10 2.5 16 5v4.5c0 4-2.5 6.5-6 8-3.5-1.5-6-4-6-8V5zM7.5 10l2 2 3.5-4',
  },
]

const partOf = (first: string) => parts.find(({ path, also = [] }) => path === first || also.includes(first))

/** The title of a page that the role does not reach, though an address does. */
export const titleWithout = (first: string): string | undefined => {
  const part = partOf(first)
  return part && !hasRole(part.role ?? 'guest') ? part.title : undefined
}

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
          <img src="../favicon.svg" alt="" />
          {texts.product}
        </a>
        <nav aria-label={navigation.label}>
          {parts
            .filter(({ role = 'guest' }) => hasRole(role))
            .map(({ path, title, icon }) => {
              const isCurrent = path === partOf(first)?.path
              return (
                <a ref={isCurrent ? intoView : null} href={to([path])} aria-current={isCurrent ? 'page' : undefined}>
                  <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
                    <path d={icon} />
                  </svg>
                  {title}
                </a>
              )
            })}
        </nav>
        <div class="foot">
          {organizations.length > 1 ? (
            <select
              aria-label={navigation.organization}
              value={organization.value?.uid}
              onChange={(event) => changeOrganization(event.currentTarget.value)}
            >
              {organizations.map(({ uid, name }) => (
                <option value={uid}>{name}</option>
              ))}
            </select>
          ) : (
            <span class="quiet">{organization.value?.name}</span>
          )}
          <div class="row spread">
            <span class="person">{person.value?.name}</span>
            <button class="bare link" onClick={() => void signOut()}>
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
