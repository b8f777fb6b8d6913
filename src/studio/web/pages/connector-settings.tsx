// The settings of an HTTP connector: names, the user that it works as, whether calls are kept.
import { useUsers } from '../names.ts'
import { texts } from '../texts.ts'
import { Check, Choice, TextField, ZoneField } from '../ui/fields.tsx'
import { EntityDialog } from '../ui/managed.tsx'
import type { Edited } from '../ui/managed.tsx'

const words = texts.importing.http

export const ConnectorSettings = (edited: Edited<'connector'>) => {
  const { of: connector } = edited
  const users = useUsers()
  if (connector === undefined || users.value === undefined) return null
  return (
    <EntityDialog
      {...edited}
      entity="connector"
      title={words.settings}
      members={({ name, endpoint, runAsUserUid, timeZone, enabled, debug }) => ({
        name,
        endpoint,
        ...(runAsUserUid ? { runAsUserUid } : {}),
        timeZone: timeZone || null,
        enabled: enabled === 'on',
        debug: debug === 'on',
      })}
    >
      <TextField label={texts.connectors.name} name="name" value={connector.name} required autofocus />
      <TextField label={texts.connectors.endpoint} name="endpoint" value={connector.endpoint} required />
      <Choice
        label={words.user}
        name="runAsUserUid"
        value={connector.runAsUserUid ?? ''}
        options={users.value}
        {...(connector.runAsUserUid ? {} : { none: words.noUser })}
      />
      <ZoneField label={words.zone} value={connector.timeZone} />
      <Check label={words.enabled} name="enabled" isOn={connector.enabled} />
      <Check label={words.debug} name="debug" isOn={connector.debug ?? false} />
    </EntityDialog>
  )
}
