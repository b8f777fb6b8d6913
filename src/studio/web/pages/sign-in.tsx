// Signing in. The place behind the # stays, so that one goes on where a session ended.
import { signIn } from '../session.ts'
import { place } from '../router.ts'
import { texts } from '../texts.ts'
import { Field, Form, Notice } from '../ui/parts.tsx'

const words = texts.signIn

export const SignIn = () => {
  document.title = `${words.title} · ${texts.product}`
  return (
    <main class="middle">
      <div class="card stack">
        <div class="brand">
          <img src="../favicon.svg" alt="" />
          {texts.product}
        </div>
        <h1>{words.title}</h1>
        {place.value.path.length > 0 && <Notice>{words.ended}</Notice>}
        <Form button={words.button} submit={({ email = '', password = '' }) => signIn(email, password)}>
          <Field label={words.email}>
            <input name="email" type="email" autocomplete="username" required autofocus />
          </Field>
          <Field label={words.password}>
            <input name="password" type="password" autocomplete="current-password" required />
          </Field>
        </Form>
        <p class="quiet">{words.forgotten}</p>
      </div>
    </main>
  )
}
