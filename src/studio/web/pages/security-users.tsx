// Users of the organization: their roles, a new one, a link for a forgotten password.
import { useState } from 'preact/hooks'
import type { EntityOf } from '../../../client/client.ts'
import { client, hasRole, person } from '../session.ts'
import { texts } from '../texts.ts'
import { RevealedDialog, reveal } from '../ui/dialog.tsx'
import type { Revealed } from '../ui/dialog.tsx'
import { Choice, TextField } from '../ui/fields.tsx'
import { EntityDialog, Managed } from '../ui/managed.tsx'
import type { Edited } from '../ui/managed.tsx'

const words = texts.security.user
type User = EntityOf<'user'>

/** Owners are touched by owners only. */
const mayTouch = ({ role }: Pick<User, 'role'>) => role !== 'owner' || hasRole('owner')

export const Users = () => {
  const [link, setLink] = useState<Revealed>()
  const makeLink = async ({ uid }: User) => {
    const ask = () => client.peek().call('POST /api/user/{uid}/reset_link', { path: { uid } })
    setLink(await reveal(async () => (await ask()).reset_link.url))
  }
  return (
    <>
      <Managed
        entity="user"
        add={words.add}
        nameOf={({ email }) => email}
        isOwn={mayTouch}
        editor={(edited) => <UserDialog {...edited} />}
        actions={(user) =>
          mayTouch(user) &&
          user.uid !== person.value?.userUid && (
            <button class="bare" onClick={() => void makeLink(user)}>
              {words.reset}
            </button>
          )
        }
        columns={[
          { title: words.email, shown: ({ email }) => <strong>{email}</strong> },
          { title: words.name, shown: ({ firstName, lastName }) => `${firstName} ${lastName}`.trim() },
          { title: words.role, shown: ({ role }) => <span class="tag">{role}</span> },
        ]}
      />
      {link && (
        <RevealedDialog title={words.reset} careful={words.resetHint} of={link} close={() => setLink(undefined)} />
      )}
    </>
  )
}

const UserDialog = (edited: Edited<'user'>) => {
  const { of: user } = edited
  const { owner, ...others } = words.roles
  return (
    <EntityDialog
      {...edited}
      entity="user"
      title={user?.email ?? words.add}
      members={({ email, firstName, lastName, role, password }) => ({
        firstName,
        lastName,
        role,
        ...(user ? {} : { email, password }),
      })}
    >
      {!user && (
        <>
          <TextField label={words.email} name="email" type="email" required autofocus />
          <TextField label={words.password} name="password" type="password" autocomplete="new-password" required />
        </>
      )}
      <TextField label={words.first} name="firstName" value={user?.firstName} />
      <TextField label={words.last} name="lastName" value={user?.lastName} />
      <Choice
        label={words.role}
        name="role"
        value={user?.role ?? 'member'}
        options={hasRole('owner') ? { ...others, owner } : others}
      />
    </EntityDialog>
  )
}
