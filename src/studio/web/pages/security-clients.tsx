// OAuth clients: portals that may act for a user who agrees.
import { useState } from 'preact/hooks'
import type { EntityOf } from '../../../client/client.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Check, LongField, TextField } from '../ui/fields.tsx'
import { EntityDialog, Managed } from '../ui/managed.tsx'
import type { Edited } from '../ui/managed.tsx'
import { Code, Notice } from '../ui/parts.tsx'

const words = texts.security.client
type OauthClient = EntityOf<'oauth_client'>

export const Clients = () => {
  const [made, setMade] = useState<OauthClient>()
  return (
    <>
      <Managed
        entity="oauth_client"
        add={words.add}
        loss={words.loss}
        empty={words.none}
        nameOf={({ name }) => name}
        editor={(edited) => <ClientDialog {...edited} />}
        made={setMade}
        columns={[
          { title: words.name, shown: ({ name }) => <strong>{name}</strong> },
          { title: words.id, shown: ({ clientId }) => <code>{clientId}</code> },
          { title: words.redirectsShort, shown: ({ redirectUris }) => redirectUris.map((uri) => <div>{uri}</div>) },
          { title: words.secret, shown: ({ hasSecret }) => (hasSecret ? words.yes : words.no) },
        ]}
      />
      {made && (
        <Dialog title={made.name} close={() => setMade(undefined)}>
          <p>{words.id}</p>
          <Code text={made.clientId} />
          {made.secret && (
            <>
              <Notice kind="warn">{words.once}</Notice>
              <Code text={made.secret} />
            </>
          )}
        </Dialog>
      )}
    </>
  )
}

const ClientDialog = (edited: Edited<'oauth_client'>) => {
  const { of: known } = edited
  return (
    <EntityDialog
      {...edited}
      entity="oauth_client"
      title={known?.name ?? words.add}
      members={({ name, redirectUris = '', secret }) => ({
        name,
        redirectUris: redirectUris.split(/\s+/).filter(Boolean),
        ...(known ? {} : { secret: secret === 'on' }),
      })}
    >
      <TextField label={words.name} name="name" value={known?.name} required autofocus />
      <LongField
        label={words.redirects}
        name="redirectUris"
        value={known?.redirectUris.join('\n')}
        placeholder="https://portal.example/callback"
      />
      {!known && <Check label={words.wantsSecret} name="secret" isOn />}
    </EntityDialog>
  )
}
