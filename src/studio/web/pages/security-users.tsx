// Users of the organization: their roles, a new one, a link for a forgotten password.
import { useState } from 'preact/hooks'
import type { EntityOf } from '../../../client/client.ts'
import { useLoad } from '../load.ts'
import { client, hasRole } from '../session.ts'
import { texts } from '../texts.ts'
import { Dialog, Remove } from '../ui/dialog.tsx'
import { List } from '../ui/list.tsx'
import { Code, Field, Form, Notice, Shown } from '../ui/parts.tsx'

const words = texts.security.user
type User = EntityOf<'user'>

const roles = ['guest', 'member', 'admin', 'owner'] as const

export const Users = () => {
  const list = useLoad('users', async (calls, signal) => {
    const { user } = await calls.call('GET /api/user', { query: { limit: 1000, sort: 'email' }, signal })
    return user
  })
  const [edited, setEdited] = useState<User | 'new'>()
  const [link, setLink] = useState<string>()
  const makeLink = async ({ uid }: User) => {
    const { reset_link: made } = await client.peek().call('POST /api/user/{uid}/reset_link', { path: { uid } })
    setLink(made.url)
  }
  return (
    <>
      <div>
        <button class="first" onClick={() => setEdited('new')}>
          {words.add}
        </button>
      </div>
      <Shown of={list}>
        {(users) => (
          <List
            rows={users}
            keyOf={({ uid }) => uid}
            columns={[
              { title: words.email, shown: ({ email }) => <strong>{email}</strong> },
              { title: words.name, shown: ({ firstName, lastName }) => `${firstName} ${lastName}` },
              { title: words.role, shown: ({ role }) => <span class="tag">{role}</span> },
              {
                title: words.actions,
                isQuiet: true,
                shown: (user) =>
                  (user.role !== 'owner' || hasRole('owner')) && (
                    <div class="row">
                      <button class="bare" onClick={() => setEdited(user)}>
                        {texts.edit}
                      </button>
                      <button class="bare" onClick={() => void makeLink(user)}>
                        {words.reset}
                      </button>
                      <Remove
                        name={user.email}
                        remove={async () => {
                          await client.peek().entities('user').remove(user.uid)
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
        <UserForm
          of={edited === 'new' ? undefined : edited}
          close={() => setEdited(undefined)}
          saved={() => {
            setEdited(undefined)
            list.reload()
          }}
        />
      )}
      {link !== undefined && (
        <Dialog title={words.reset} close={() => setLink(undefined)}>
          <Notice kind="warn">{words.resetHint}</Notice>
          <Code text={link} />
        </Dialog>
      )}
    </>
  )
}

const UserForm = ({
  of: user,
  close,
  saved,
}: {
  readonly of: User | undefined
  readonly close: () => void
  readonly saved: () => void
}) => (
  <Dialog title={user ? user.email : words.add} close={close}>
    <Form
      button={texts.save}
      submit={async ({ email = '', firstName = '', lastName = '', role = '', password = '' }) => {
        const members = { firstName, lastName, role: role as User['role'] }
        const users = client.peek().entities('user')
        await (user
          ? users.change(user.uid, { ...members, version: user.version })
          : users.make({ ...members, email, password }))
        saved()
      }}
    >
      {!user && (
        <>
          <Field label={words.email}>
            <input name="email" type="email" required autofocus />
          </Field>
          <Field label={words.password}>
            <input name="password" type="password" autocomplete="new-password" required minLength={8} />
          </Field>
        </>
      )}
      <Field label={words.first}>
        <input name="firstName" defaultValue={user?.firstName ?? ''} />
      </Field>
      <Field label={words.last}>
        <input name="lastName" defaultValue={user?.lastName ?? ''} />
      </Field>
      <Field label={words.role}>
        <select name="role">
          {roles
            .filter((role) => role !== 'owner' || hasRole('owner'))
            .map((role) => (
              <option value={role} selected={role === (user?.role ?? 'member')}>
                {words.roles[role]}
              </option>
            ))}
        </select>
      </Field>
    </Form>
  </Dialog>
)
