// The catalogue of the organization: templates, units, cycles. Everybody sees them, admins change them.
import { texts } from '../texts.ts'
import { Page } from '../ui/parts.tsx'
import { Tabs, chosenTab } from '../ui/tabs.tsx'
import { Cycles } from './catalogue-cycles.tsx'
import { Templates } from './catalogue-templates.tsx'
import { Units } from './catalogue-units.tsx'

const words = texts.catalogue

const Catalogue = () => {
  const chosen = chosenTab(words.tabs)
  return (
    <Page title={words.title}>
      <Tabs label={words.title} tabs={words.tabs} chosen={chosen} />
      {chosen === 'templates' && <Templates />}
      {chosen === 'units' && <Units />}
      {chosen === 'cycles' && <Cycles />}
    </Page>
  )
}

export default Catalogue
