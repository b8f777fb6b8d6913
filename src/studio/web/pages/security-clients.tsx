// OAuth clients: portals that may act for a user who agrees.
import { useState } from 'preact/hooks'
import type { EntityOf } from '../../../client/client.ts'
import { useLoad } from '../load.ts'
import { client } from '../session.ts'
import { texts } from '../texts.ts'
import { Dialog, Remove } from '../ui/dialog.tsx'
import { List } from '../ui/list.tsx'
import { Code, Field, Form, Notice, Shown } from '../ui/parts.tsx'

const words = texts.security.client
type OauthClient = EntityOf<'oauth_client'>

export const Clients = () => {
  const list = useLoad('clients', async (calls, signal) => {
    const { oauth_client: clients } = await calls.call('GET /api/oauth_client', { query: { limit: 1000 }, signal })
    return clients
  })
  const [isNew, setNew] = useState(false)
  const [made, setMade] = useState<OauthClient>()
  return (
    <>
      <div>
        <button class="first" onClick={() => setNew(true)}>
          {words.add}
        </button>
      </div>
      <Shown of={list}>
        {(clients) => (
          <List
            rows={clients}
            keyOf={({ uid }) => uid}
            columns={[
              { title: words.name, shown: ({ name }) => <strong>{name}</strong> },
              { title: words.id, shown: ({ clientId }) => <code>{clientId}</code> },
              { title: words.redirects, shown: ({ redirectUris }) => redirectUris.map((uri) => <div>{uri}</div>) },
              { title: words.secret, shown: ({ hasSecret }) => (hasSecret ? words.yes : words.no) },
              {
                title: words.actions,
                isQuiet: true,
                shown: ({ uid, name }) => (
                  <Remove
                    name={name}
                    remove={async () => {
                      await client.peek().entities('oauth_client').remove(uid)
                      list.reload()
                    }}
                  />
                ),
              },
            ]}
          />
        )}
      </Shown>
      {isNew && (
        <Dialog title={words.add} close={() => setNew(false)}>
          <Form
            button={texts.save}
            submit={async ({ name = '', redirectUris = '', secret }) => {
              const given = { name, redirectUris: redirectUris.split(/\s+/).filter(Boolean), secret: secret === 'on' }
              setMade(await client.peek().entities('oauth_client').make(given))
              setNew(false)
              list.reload()
            }}
          >
            <Field label={words.name}>
              <input name="name" required autofocus />
            </Field>
            <Field label={words.redirects}>
              <textarea name="redirectUris" rows={3} required placeholder="https://portal.example/callback" />
            </Field>
            <label class="check">
              <input name="secret" type="checkbox" defaultChecked />
              {words.wantsSecret}
            </label>
          </Form>
        </Dialog>
      )}
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
