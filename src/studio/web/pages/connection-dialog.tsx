// One connection. A change that leads elsewhere needs the password again: a person who may edit it cannot have the
// password sent to a host of their own.
import { useState } from 'preact/hooks'
import type { EntityOf } from '../../../client/client.ts'
import { texts } from '../texts.ts'
import { Check, Choice, LongField, TextField } from '../ui/fields.tsx'
import { EntityDialog } from '../ui/managed.tsx'
import type { Edited } from '../ui/managed.tsx'
import type { Given } from '../ui/parts.tsx'

const words = texts.importing.connection
type Connection = EntityOf<'connection'>
type Kind = Connection['kind']

export const ConnectionDialog = (edited: Edited<'connection'>) => {
  const { of: known } = edited
  const [kind, setKind] = useState<Kind>(known?.kind ?? 'postgresql')
  const [isElsewhere, setElsewhere] = useState(false)
  const watch = (event: { readonly currentTarget: HTMLElement }) => {
    const form = event.currentTarget.closest('form')
    if (known && form) setElsewhere(leadsElsewhere(known, Object.fromEntries(new FormData(form)) as Given))
  }
  return (
    <EntityDialog
      {...edited}
      entity="connection"
      title={known?.name ?? words.add}
      members={(given) => membersOf(kind, given)}
    >
      <div class="stack" onInput={watch}>
        <TextField label={words.name} name="name" value={known?.name} required autofocus />
        <Choice
          label={words.kind}
          name="kind"
          value={kind}
          options={words.kinds}
          change={(next) => setKind(next as Kind)}
        />
        <div class="pair">
          <TextField label={words.host} name="host" value={known?.host} required />
          <TextField
            label={words.port}
            name="port"
            type="number"
            min={1}
            value={known?.port ? String(known.port) : ''}
            hint={words.portHint}
          />
        </div>
        <TextField label={words.database} name="database" value={known?.database} required />
        <div class="pair">
          <TextField label={words.user} name="user" value={known?.user} required autocomplete="off" />
          <TextField
            label={words.password}
            name="password"
            type="password"
            autocomplete="new-password"
            required={isElsewhere && Boolean(known?.hasPassword)}
            hint={known ? (isElsewhere && known.hasPassword ? words.needed : words.kept) : ''}
          />
        </div>
        <Choice label={words.tls} name="tls" value={String(known?.tls ?? true)} options={words.modes} />
        {kind === 'oracle' && <Check label={words.sid} name="sid" isOn={known?.sid ?? false} />}
        <details class="stack">
          <summary>{words.more}</summary>
          <div class="stack">
            <OwnFields kind={kind} known={known} />
            <LongField label={words.ca} name="ca" value={known?.ca ?? ''} />
            <LongField label={words.certificate} name="certificate" value={known?.certificate ?? ''} />
            <LongField label={words.key} name="key" placeholder={known?.hasKey ? words.kept : ''} />
            <TextField
              label={words.timeout}
              name="connectTimeoutMs"
              type="number"
              min={100}
              value={known?.connectTimeoutMs ? String(known.connectTimeoutMs) : ''}
              placeholder="10000"
            />
          </div>
        </details>
      </div>
    </EntityDialog>
  )
}

/** Members that one kind alone has. */
const OwnFields = ({ kind, known }: { readonly kind: Kind; readonly known: Connection | undefined }) => {
  switch (kind) {
    case 'postgresql':
      return <TextField label={words.searchPath} name="searchPath" value={known?.searchPath ?? ''} />
    case 'mysql':
      return <TextField label={words.sessionTimeZone} name="sessionTimeZone" value={known?.sessionTimeZone ?? ''} />
    case 'sqlserver':
      return <TextField label={words.instance} name="instance" value={known?.instance ?? ''} />
    case 'oracle':
      return (
        <>
          <LongField label={words.wallet} name="wallet" placeholder={known?.hasWallet ? words.kept : ''} />
          <TextField label={words.walletPassword} name="walletPassword" type="password" autocomplete="new-password" />
        </>
      )
  }
}

const strength = ['false', 'no-verify', 'true']

const leadsElsewhere = (known: Connection, given: Given): boolean =>
  given['kind'] !== known.kind ||
  given['host'] !== known.host ||
  given['port'] !== String(known.port ?? '') ||
  given['user'] !== known.user ||
  (given['instance'] ?? '') !== (known.instance ?? '') ||
  given['ca'] !== (known.ca ?? '') ||
  Boolean(given['wallet']) ||
  strength.indexOf(given['tls'] ?? '') < strength.indexOf(String(known.tls))

/** Secrets that are left blank stay as they are; other members that are blank are unset. */
const membersOf = (kind: Kind, given: Given): object => {
  const { tls, port, connectTimeoutMs, sid, password, key, wallet, walletPassword, ...others } = given
  const secrets = Object.entries({ password, key, wallet, walletPassword }).filter(([, text]) => text)
  const settings = ['ca', 'certificate', 'searchPath', 'sessionTimeZone', 'instance']
  return {
    ...others,
    ...Object.fromEntries(settings.flatMap((name) => (name in others ? [[name, others[name] || null]] : []))),
    ...Object.fromEntries(secrets),
    kind,
    port: port ? Number(port) : null,
    tls: tls === 'no-verify' ? tls : tls === 'true',
    connectTimeoutMs: connectTimeoutMs ? Number(connectTimeoutMs) : null,
    ...(kind === 'oracle' ? { sid: sid === 'on' } : {}),
  }
}
