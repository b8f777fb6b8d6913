// The security area: keys, users, OAuth clients, applications that the person has let in, the audit log, one's own password.
import { hasRole } from '../session.ts'
import { texts } from '../texts.ts'
import { Tabs, chosenTab } from '../ui/tabs.tsx'
import { Page } from '../ui/parts.tsx'
import { Applications } from './security-applications.tsx'
import { AuditLog } from './security-audit.tsx'
import { Clients } from './security-clients.tsx'
import { Keys } from './security-keys.tsx'
import { OwnPassword } from './security-password.tsx'
import { Users } from './security-users.tsx'

const words = texts.security

const Security = () => {
  const { keys, users, clients, audit, applications, password } = words.tabs
  const own = { applications, password }
  const tabs = hasRole('admin') ? { keys, users, clients, audit, ...own } : own
  const chosen = chosenTab(tabs)
  return (
    <Page title={words.title}>
      <Tabs label={words.title} tabs={tabs} chosen={chosen} />
      {chosen === 'keys' && <Keys />}
      {chosen === 'users' && <Users />}
      {chosen === 'clients' && <Clients />}
      {chosen === 'audit' && <AuditLog />}
      {chosen === 'applications' && <Applications />}
      {chosen === 'password' && <OwnPassword />}
    </Page>
  )
}

export default Security
