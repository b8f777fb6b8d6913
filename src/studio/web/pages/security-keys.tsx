// API keys: their capabilities, addresses and expiry, and View Secret Key.
import { useState } from 'preact/hooks'
import type { EntityOf } from '../../../client/client.ts'
import { changedMinute, minuteText } from '../local-time.ts'
import { client } from '../session.ts'
import { texts } from '../texts.ts'
import { showTime } from '../time.ts'
import { RevealedDialog, reveal } from '../ui/dialog.tsx'
import type { Revealed } from '../ui/dialog.tsx'
import { Check, TextField } from '../ui/fields.tsx'
import { EntityDialog, Managed } from '../ui/managed.tsx'
import type { Edited } from '../ui/managed.tsx'
import { Capabilities, CapabilityText, allFeeds } from './capabilities.tsx'
import type { Capability } from './capabilities.tsx'

const words = texts.security.key
type Key = EntityOf<'api_key'>

export const Keys = () => {
  const [secret, setSecret] = useState<Revealed>()
  const view = async ({ uid }: Key) => {
    const ask = () => client.peek().call('GET /api/api_key/{uid}/secret', { path: { uid } })
    setSecret(await reveal(async () => (await ask()).secret))
  }
  return (
    <>
      <Managed
        entity="api_key"
        add={words.add}
        loss={words.loss}
        empty={words.none}
        nameOf={({ name }) => name}
        editor={(edited) => <KeyDialog {...edited} />}
        made={({ secret: text }) => setSecret(text === undefined ? undefined : { text })}
        actions={(key) => (
          <button class="bare" onClick={() => void view(key)}>
            {words.view}
          </button>
        )}
        columns={[
          { title: words.name, shown: ({ name }) => <strong>{name}</strong> },
          {
            title: words.may,
            shown: ({ capabilities }) => capabilities.map((row) => <CapabilityText {...row} />),
          },
          { title: words.addresses, shown: ({ addresses }) => addresses.join(', ') || words.anywhere },
          { title: words.state, shown: stateOf },
        ]}
      />
      {secret && (
        <RevealedDialog title={words.secret} careful={words.careful} of={secret} close={() => setSecret(undefined)} />
      )}
    </>
  )
}

const stateOf = ({ enabled, expires }: Key): string => {
  if (!enabled) return words.disabled
  return expires === null ? words.valid : words.until(showTime(expires, 'UTC'))
}

const KeyDialog = (edited: Edited<'api_key'>) => {
  const { of: key } = edited
  const [rows, setRows] = useState<readonly Capability[]>(key?.capabilities ?? [allFeeds])
  return (
    <EntityDialog
      {...edited}
      entity="api_key"
      isWide
      title={key?.name ?? words.add}
      members={({ name, addresses = '', expires = '', enabled }) => ({
        name,
        capabilities: rows,
        addresses: addresses.split(/[\s,]+/).filter(Boolean),
        enabled: enabled === 'on',
        // Left out where it is as it was: a key that has expired can be changed, and no other loses its seconds.
        expires: changedMinute(expires, key?.expires),
      })}
    >
      <TextField label={words.name} name="name" value={key?.name} required maxLength={512} autofocus />
      <Capabilities rows={rows} change={setRows} />
      <TextField label={words.addressesHint} name="addresses" value={key?.addresses.join(', ')} />
      <TextField label={words.expires} name="expires" type="datetime-local" value={minuteText(key?.expires)} />
      <Check label={words.enabled} name="enabled" isOn={key?.enabled ?? true} />
    </EntityDialog>
  )
}
