// API keys: their capabilities, addresses and expiry, and View Secret Key.
import { useState } from 'preact/hooks'
import type { EntityOf } from '../../../client/client.ts'
import { useLoad } from '../load.ts'
import { client } from '../session.ts'
import { texts } from '../texts.ts'
import { showTime } from '../time.ts'
import { Dialog, Remove } from '../ui/dialog.tsx'
import { List } from '../ui/list.tsx'
import { Code, Field, Form, Notice, Shown } from '../ui/parts.tsx'
import { Capabilities, capabilityTexts } from './capabilities.tsx'
import type { Capability } from './capabilities.tsx'

const words = texts.security.key
type Key = EntityOf<'api_key'>

export const Keys = () => {
  const list = useLoad('keys', async (calls, signal) => {
    const { api_key: keys } = await calls.call('GET /api/api_key', { query: { limit: 1000, sort: 'name' }, signal })
    return keys
  })
  const [edited, setEdited] = useState<Key | 'new'>()
  const [secret, setSecret] = useState<string>()
  const view = async ({ uid }: Key) => {
    setSecret((await client.peek().call('GET /api/api_key/{uid}/secret', { path: { uid } })).secret)
  }
  return (
    <>
      <div>
        <button class="first" onClick={() => setEdited('new')}>
          {words.add}
        </button>
      </div>
      <Shown of={list}>
        {(keys) => (
          <List
            rows={keys}
            keyOf={({ uid }) => uid}
            columns={[
              { title: words.name, shown: ({ name }) => <strong>{name}</strong> },
              {
                title: words.may,
                shown: ({ capabilities }) => capabilityTexts(capabilities).map((text) => <div>{text}</div>),
              },
              { title: words.addresses, shown: ({ addresses }) => addresses.join(', ') || words.anywhere },
              {
                title: words.state,
                shown: ({ enabled, expires }) =>
                  enabled ? (expires === null ? words.valid : words.until(showTime(expires, 'UTC'))) : words.disabled,
              },
              {
                title: words.actions,
                isQuiet: true,
                shown: (key) => (
                  <div class="row">
                    <button class="bare" onClick={() => void view(key)}>
                      {words.view}
                    </button>
                    <button class="bare" onClick={() => setEdited(key)}>
                      {texts.edit}
                    </button>
                    <Remove
                      name={key.name}
                      remove={async () => {
                        await client.peek().entities('api_key').remove(key.uid)
                        list.reload()
                      }}
                    />
                  </div>
                ),
              },
            ]}
          />
        )}
      </Shown>
      {edited && (
        <KeyForm
          of={edited === 'new' ? undefined : edited}
          close={() => setEdited(undefined)}
          saved={(made) => {
            setEdited(undefined)
            setSecret(made)
            list.reload()
          }}
        />
      )}
      {secret !== undefined && (
        <Dialog title={words.secret} close={() => setSecret(undefined)}>
          <Notice kind="warn">{words.careful}</Notice>
          <Code text={secret} />
        </Dialog>
      )}
    </>
  )
}

const KeyForm = ({
  of: key,
  close,
  saved,
}: {
  readonly of: Key | undefined
  readonly close: () => void
  readonly saved: (secret: string | undefined) => void
}) => {
  const [rows, setRows] = useState<readonly Capability[]>(
    key?.capabilities ?? [{ resource: 'component/*/feed', methods: ['GET', 'PUT'] }],
  )
  const [isEnabled, setEnabled] = useState(key?.enabled ?? true)
  return (
    <Dialog title={key ? key.name : words.add} close={close}>
      <Form
        button={texts.save}
        submit={async ({ name = '', addresses = '', expires = '' }) => {
          const members = {
            name,
            capabilities: [...rows] as Key['capabilities'],
            addresses: addresses.split(/[\s,]+/).filter(Boolean),
            enabled: isEnabled,
            expires: expires === '' ? null : Date.parse(`${expires}Z`),
          }
          const keys = client.peek().entities('api_key')
          const made = key ? await keys.change(key.uid, { ...members, version: key.version }) : await keys.make(members)
          saved(made.secret)
        }}
      >
        <Field label={words.name}>
          <input name="name" required maxLength={512} defaultValue={key?.name ?? ''} autofocus />
        </Field>
        <Capabilities rows={rows} change={setRows} />
        <Field label={words.addressesHint}>
          <input name="addresses" defaultValue={key?.addresses.join(', ') ?? ''} />
        </Field>
        <Field label={words.expires}>
          <input
            name="expires"
            type="datetime-local"
            defaultValue={key?.expires ? new Date(key.expires).toISOString().slice(0, 16) : ''}
          />
        </Field>
        <label class="check">
          <input type="checkbox" checked={isEnabled} onChange={(event) => setEnabled(event.currentTarget.checked)} />
          {words.enabled}
        </label>
      </Form>
    </Dialog>
  )
}
