// The authorization page's HTML: signing in, consenting, and errors. Forms only; everything that came from outside
// passes through the html tag, which escapes it, and stands apart, so that no name turns the text beside it around. The
// forms' action is the page without its fragment: browsers would hand #signinoauth/ on to the client otherwise.
import { wordTable } from '../../base/own.ts'
import type { Scope } from '../../core/caller.ts'
import type { Brand } from '../../core/organization.ts'
import { style } from './style.ts'

export type Frame = { readonly brand: Brand | undefined; readonly host: string }
/** Hidden fields that a form carries to its next step. */
type Carried = Readonly<Record<string, string>>
type Step = { readonly clientName: string; readonly carried: Carried }

/** Text that is HTML already; everything else is escaped. */
export type Html = { readonly html: string }

export const html = (parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html => ({
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

/** Without characters that turn the direction of text: a page shows them nowhere, and they reach beyond their own text. */
const withoutTurns = (text: string): string => text.replaceAll(/\p{Bidi_Control}/gu, '')

/** A text from outside, which may be of a script that is written from right to left. */
const foreign = (text: string): Html => html`<bdi>${withoutTurns(text)}</bdi>`

const none: Html = { html: '' }

// Not in a template, which may be indented: the content security policy knows them by their hash.
const withScript = (text: string): Html => ({
  html: `<style>${style}</style>${text === '' ? '' : `<script>${text}</script>`}`,
})

export const document = (title: string, { brand, host }: Frame, content: Html, itsScript = ''): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${withoutTurns(title)}</title>
        ${withScript(itsScript)}
      </head>
      <body>
        <main>
          <p class="brand">${logo(brand)}${brand?.name ? foreign(brand.name) : brand?.logo ? '' : 'Coppice'}</p>
          ${content}
        </main>
        <footer>${foreign(host)}</footer>
      </body>
    </html> `.html

const logo = (brand: Brand | undefined): Html =>
  brand?.logo
    ? html`<img src="${brand.logo}" alt="${brand.name ? '' : 'Logo'}" />`
    : brand?.name
      ? none
      : html`<img src="../favicon.svg" alt="" />`

const hidden = (fields: Carried): readonly Html[] =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)

export type SignInView = Step & { readonly email: string; readonly problem: string | undefined }

export const signInPage = (frame: Frame, { clientName, carried, email, problem }: SignInView): string =>
  document(
    `Sign in · ${frame.brand?.name ?? 'Coppice'}`,
    frame,
    html`<h1>Sign in</h1>
      <p>to continue to <strong>${foreign(clientName)}</strong></p>
      ${alert(problem)}
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
      </form>`,
  )

const focus: Html = { html: ' autofocus' }

type Choice = { readonly uid: string; readonly name: string }

export type ConsentView = Step & {
  /** The organization that registered the client, and answers for it. */
  readonly clientOrganization: string
  readonly email: string
  readonly fullName: string
  readonly target: string
  readonly choices: readonly Choice[]
  readonly scope: Scope
  readonly problem: string | undefined
}

export const consentPage = (frame: Frame, view: ConsentView): string => {
  const { clientName, clientOrganization, carried, email, fullName, target, choices, scope, problem } = view
  const person = withoutTurns(fullName) || email
  return document(
    `Allow access · ${frame.brand?.name ?? 'Coppice'}`,
    frame,
    html`<h1>Allow ${foreign(clientName)} to use your account?</h1>
      <p>It was registered by <strong>${foreign(clientOrganization)}</strong>.</p>
      <p class="caption">You will be sent on to</p>
      <p class="box">${foreign(target)}</p>
      ${alert(problem)}
      <p class="caption">You are signed in as</p>
      <div class="account">
        <span class="mark" aria-hidden="true">${String.fromCodePoint(person.codePointAt(0)!).toUpperCase()}</span>
        <span class="who"
          ><span>${foreign(person)}</span
          >${person === email ? none : html`<span class="second">${foreign(email)}</span>`}</span
        >
      </div>
      <form method="post" action="?">
        ${hidden(carried)} ${organizationChoice(choices)}
        <ul>
          ${scope === 'read' ? readingOnly : readingAndWriting}
          <li class="not">It never touches users, passwords, API keys or the organization itself</li>
        </ul>
        <div class="choice">
          <button name="step" value="allow">Allow</button
          ><button class="second" name="step" value="deny" formnovalidate>Deny</button>
        </div>
      </form>
      <form method="post" action="?" class="single">
        ${hidden(carried)}<button class="link" name="step" value="switch">Use another account</button>
      </form>`,
  )
}

const readingOnly = html`<li>It can read the data that you can read</li>
  <li class="not">It cannot change anything</li>`

const readingAndWriting = html`<li>It can read and change the data that you can</li>`

const organizationChoice = (choices: readonly Choice[]): Html =>
  choices.length === 1
    ? html`<p class="caption">It gets access to the organization</p>
        <p class="box">${foreign(choices[0]!.name)}</p>`
    : html`<label
        >It gets access to the organization<select name="chosen" required>
          <option value="">Choose one</option>
          ${choices.map(({ uid, name }) => html`<option value="${uid}" dir="auto">${withoutTurns(name)}</option>`)}
        </select></label
      >`

export const alert = (problem: string | undefined): Html =>
  problem === undefined ? none : html`<p class="alert" role="alert">${foreign(problem)}</p>`

export type RefusalView = Step & { readonly target: string; readonly problem: string }

/** A request of a known client that cannot be granted: the user decides whether to go on to where it leads. */
export const refusalPage = (frame: Frame, { clientName, carried, target, problem }: RefusalView): string =>
  document(
    'This request does not work',
    frame,
    html`<h1>${foreign(clientName)} asked for something that is not possible</h1>
      <p>Nothing was allowed. Tell its makers:</p>
      ${alert(problem)}
      <form method="post" action="?">
        ${hidden(carried)}<button class="second" name="step" value="deny">Go back to ${foreign(target)}</button>
      </form>`,
  )

export const errorPage = (frame: Frame, message: string): string =>
  document(
    'This link does not work',
    frame,
    html`<h1>This link does not work</h1>
      <p>The application that sent you here made a mistake. Tell its makers:</p>
      ${alert(message)}`,
  )
