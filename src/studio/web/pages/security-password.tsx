// A new password of one's own. It ends all sessions, this one too, so the person is signed in again with it.
import { useState } from 'preact/hooks'
import { client, person, signIn } from '../session.ts'
import { texts } from '../texts.ts'
import { TextField } from '../ui/fields.tsx'
import { Form, Notice } from '../ui/parts.tsx'
import type { Given } from '../ui/parts.tsx'

const words = texts.security.ownPassword

export const OwnPassword = () => {
  const [changes, setChanges] = useState(0)
  const change = async ({ currentPassword = '', password = '' }: Given) => {
    const { userUid: uid, email } = person.peek()!
    await client.peek().call('PUT /api/user/{uid}', { path: { uid }, body: { currentPassword, password }, retries: 0 })
    await signIn(email, password)
    setChanges(changes + 1)
  }
  return (
    <div class="card narrow stack">
      <p class="quiet">{words.hint}</p>
      {changes > 0 && <Notice>{words.done}</Notice>}
      <Form key={changes} button={words.button} submit={change}>
        <TextField
          label={words.current}
          name="currentPassword"
          type="password"
          autocomplete="current-password"
          required
        />
        <TextField label={words.next} name="password" type="password" autocomplete="new-password" required />
      </Form>
    </div>
  )
}
