// The page of a link for a new password. The token stands behind the # of the address, which reaches no server: the
// script puts it into the form and takes it out of the address. Without scripts it is pasted.
import type { Frame, Html } from './html.ts'
import { alert, document, html } from './html.ts'

export const resetScript = `
document.addEventListener('DOMContentLoaded', function () {
  var field = document.querySelector('input[name=token]')
  if (!field) return
  if (location.hash.length > 1) field.value = decodeURIComponent(location.hash.slice(1))
  if (location.hash.length > 1) history.replaceState(null, '', location.pathname)
  if (field.value !== '') field.parentElement.hidden = true
})
`

export type ResetView = { readonly token: string; readonly problem: string | undefined }

export const resetPage = (frame: Frame, { token, problem }: ResetView): string =>
  document(
    `New password · ${frame.brand?.name ?? 'Coppice'}`,
    frame,
    html`<h1>Choose a new password</h1>
      <p>You will be signed out everywhere, and applications that you connected must be connected again.</p>
      ${alert(problem)}
      <form method="post" action="?">
        <label
          >Code: the part of the link behind #<input name="token" value="${token}" autocomplete="off" required
        /></label>
        ${password('New password, of at least 8 characters', 'password')} ${password('The same again', 'again')}
        <button>Set the password</button>
      </form>`,
    resetScript,
  )

const password = (label: string, name: string): Html =>
  html`<label
    >${label}<input type="password" name="${name}" autocomplete="new-password" minlength="8" maxlength="1000" required
  /></label>`

export const resetDonePage = (frame: Frame): string =>
  document(
    'The password is set',
    frame,
    html`<h1>The password is set</h1>
      <p>Sign in with it from now on.</p>
      <p><a href="../">To the sign-in</a></p>`,
    resetScript,
  )

export const resetEndedPage = (frame: Frame): string =>
  document(
    'This link does not work',
    frame,
    html`<h1>This link does not work</h1>
      ${alert('This link was used, has expired or was replaced by another: ask for a new one.')}`,
    resetScript,
  )
