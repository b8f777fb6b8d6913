// The authorization page's HTML: signing in, consenting, and what went wrong. Forms only; everything that came
// from outside passes through the html tag, which escapes it. The forms' action is the page without its fragment:
// browsers would hand #signinoauth/ on to the client otherwise.
import { wordTable } from '../../base/own.ts'
import type { Brand } from '../../core/organization.ts'
import type { Input } from '../input.ts'
import { script } from './script.ts'
import { style } from './style.ts'

type Frame = { readonly brand: Brand | undefined; readonly host: string }
type Step = { readonly clientName: string; readonly carried: Input }

/** Text that is HTML already; everything else is escaped. */
type Html = { readonly html: string }

const html = (parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html => ({
  html: parts.reduce((text, part, index) => text + htmlOf(values[index - 1]!) + part),
})

const htmlOf = (value: string | Html | readonly Html[]): string =>
  typeof value === 'string' ? escapeText(value) : 'html' in value ? value.html : value.map(htmlOf).join('')

const escapes = wordTable({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
})
const escapeText = (text: string) => text.replace(/[&<>"']/g, (character) => escapes.get(character)!)

const none: Html = { html: '' }

// Not in a template, which may be indented: the content security policy knows them by their hash.
const styleAndScript: Html = { html: `<style>${style}</style><script>${script}</script>` }

const document = (title: string, { brand, host }: Frame, content: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${styleAndScript}
      </head>
      <body>
        <main>
          <p class="brand">${logo(brand)}${brand?.name ?? (brand?.logo ? '' : 'Coppice')}</p>
          ${content}
        </main>
        <footer>${host}</footer>
      </body>
    </html> `.html

const logo = (brand: Brand | undefined): Html =>
  brand?.logo
    ? html`<img src="${brand.logo}" alt="${brand.name ? '' : 'Logo'}" />`
    : brand?.name
      ? none
      : html`<svg
          viewBox="0 0 24 24"
          aria-hidden="true"
          fill="none"
          stroke="currentColor"
          stroke-width="1.8"
          stroke-linecap="round"
        >
          <path d="M4 21c5-1.5 11-1.5 16 0M8 20C8 13 7 9 4 5M12 19.800V3M16 20c0-7 1-11 4-15" />
        </svg>`

const hidden = (fields: Input): readonly Html[] =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)

export type SignInView = Step & { readonly email: string; readonly problem: string | undefined }

export const signInPage = (frame: Frame, { clientName, carried, email, problem }: SignInView): string =>
  document(
    `Sign in · ${frame.brand?.name ?? 'Coppice'}`,
    frame,
    html`<h1>Sign in</h1>
      <p>to continue to <strong>${clientName}</strong></p>
      ${problem === undefined ? none : html`<p class="alert" role="alert">${problem}</p>`}
      <form method="post" action="?">
        ${hidden(carried)}
        <label
          >E-mail<input
            type="email"
            name="email"
            value="${email}"
            autocomplete="username"
            required${email === '' ? focus : none}
        /></label>
        <label
          >Password<input
            type="password"
            name="password"
            autocomplete="current-password"
            required${email === '' ? none : focus}
        /></label>
        <button name="step" value="signin">Sign in</button>
      </form>
      <form method="post" action="?" class="single">
        ${hidden(carried)}<button class="link" name="step" value="deny">Cancel and go back</button>
      </form>`,
  )

const focus: Html = { html: ' autofocus' }

export type ConsentView = Step & {
  readonly email: string
  readonly fullName: string
  readonly target: string
}

export const consentPage = (frame: Frame, { clientName, carried, email, fullName, target }: ConsentView): string =>
  document(
    `Allow access · ${frame.brand?.name ?? 'Coppice'}`,
    frame,
    html`<h1>Allow ${clientName} to use your account?</h1>
      <p class="who">You are signed in as</p>
      <div class="account">
        <span class="mark" aria-hidden="true">${(fullName || email).slice(0, 1).toUpperCase()}</span>
        <span class="who"
          ><span>${fullName || email}</span>${fullName ? html`<span class="second">${email}</span>` : none}</span
        >
      </div>
      <ul>
        <li><strong>${clientName}</strong> can read and change what you can, in your organizations</li>
        <li>It never sees your password</li>
        <li>You will be sent on to <strong>${target}</strong></li>
      </ul>
      <form method="post" action="?">
        ${hidden(carried)}
        <div class="choice">
          <button name="step" value="allow">Allow</button><button class="second" name="step" value="deny">Deny</button>
        </div>
      </form>
      <form method="post" action="?" class="single">
        ${hidden(carried)}<button class="link" name="step" value="switch">Use another account</button>
      </form>`,
  )

export const errorPage = (frame: Frame, message: string): string =>
  document(
    'This link does not work',
    frame,
    html`<h1>This link does not work</h1>
      <p>The application that sent you here made a mistake. Tell its makers:</p>
      <p class="alert" role="alert">${message}</p>`,
  )

/** What /alt/ shows when nothing was asked for; the script has left by then if the fragment did ask. */
export const emptyPage = (frame: Frame): string =>
  document(
    'Sign in',
    frame,
    html`<h1>Nothing to sign in to</h1>
      <p>Applications open this page to ask for access to your account. Start from the application.</p>
      <noscript><p class="alert">If an application sent you here: this link needs JavaScript.</p></noscript>`,
  )
