// The parts of one page, each with an address of its own.
import { intoView } from './into-view.ts'
import { place, to } from '../router.ts'

export const Tabs = ({
  label,
  tabs,
  chosen,
}: {
  readonly label: string
  readonly tabs: Readonly<Record<string, string>>
  readonly chosen: string
}) => (
  <nav class="tabs" aria-label={label}>
    {Object.entries(tabs).map(([name, title]) => (
      <a
        key={name}
        ref={name === chosen ? intoView : null}
        href={to(place.value.path, { tab: name })}
        aria-current={name === chosen ? 'page' : undefined}
      >
        {title}
      </a>
    ))}
  </nav>
)

export const chosenTab = (tabs: Readonly<Record<string, string>>): string => {
  const asked = place.value.query.get('tab') ?? ''
  return Object.hasOwn(tabs, asked) ? asked : Object.keys(tabs)[0]!
}
