// Small parts that every page is made of.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { apart } from '../apart.ts'
import type { Loaded } from '../load.ts'
import { problemOf } from '../load.ts'
import { texts } from '../texts.ts'

type Inner = { readonly children?: ComponentChildren }

/** A page: its heading, the actions beside it, its content. */
export const Page = ({
  title,
  lead,
  actions,
  children,
}: Inner & { readonly title: string; readonly lead?: ComponentChildren; readonly actions?: ComponentChildren }) => {
  document.title = `${apart(title)} · ${texts.product}`
  return (
    <main class="page" id="content">
      <div class="head">
        <h1>{title}</h1>
        {lead}
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </main>
  )
}

export const Notice = ({ kind = '', children }: Inner & { readonly kind?: '' | 'bad' | 'warn' }) => (
  <p class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
    {children}
  </p>
)

export const Spinner = () => <span class="spinner" role="status" aria-label={texts.loading} />

/** A page whose heading is known when its data is there: until then, and where it cannot be had, it is a page, too. */
export const ShownPage = <T,>({
  of,
  title,
  children,
}: {
  readonly of: Loaded<T>
  readonly title: string
  readonly children: (value: T) => ComponentChildren
}) =>
  of.value === undefined ? (
    <Page title={title}>
      <Shown of={of}>{() => null}</Shown>
    </Page>
  ) : (
    <Shown of={of}>{children}</Shown>
  )

/** What was loaded; before it, that it is on its way; where it could not be had, why. */
export const Shown = <T,>({
  of: { value, problem, reload },
  children,
}: {
  readonly of: Loaded<T>
  readonly children: (value: T) => ComponentChildren
}) => (
  <>
    {problem !== undefined && (
      <div class="notice bad row" role="alert">
        <span>{problem}</span>
        <button class="bare" onClick={reload}>
          {texts.retry}
        </button>
      </div>
    )}
    {value === undefined ? problem === undefined && <Spinner /> : children(value)}
  </>
)

/** The rows of a list that are not shown yet. */
export const More = ({
  shown,
  total,
  more,
}: {
  readonly shown: number
  readonly total: number
  readonly more: () => void
}) =>
  shown < total ? (
    <div class="row">
      <button onClick={more}>{texts.more}</button>
      <span class="quiet">{texts.shownOf(shown, total)}</span>
    </div>
  ) : null

export const Field = ({ label, children }: Inner & { readonly label: string }) => (
  <label class="field">
    {label}
    {children}
  </label>
)

/** The texts of a form's fields, by their names. */
export type Given = Readonly<Record<string, string>>

export const textsOf = (form: HTMLFormElement): Given =>
  Object.fromEntries([...new FormData(form)].filter((pair): pair is [string, string] => typeof pair[1] === 'string'))

/** A form whose button waits for the server, and which shows why it was refused. */
export const Form = ({
  submit,
  button,
  children,
  beside,
  isOffered = true,
}: Inner & {
  readonly submit: (given: Given) => Promise<void>
  readonly button: string
  /** Whether one may send it at all; else it only shows. */
  readonly isOffered?: boolean
  readonly beside?: ComponentChildren
}) => {
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setProblem('')
    try {
      await submit(textsOf(event.currentTarget as HTMLFormElement))
    } catch (error) {
      setProblem(problemOf(error))
    }
    setBusy(false)
  }
  return (
    <form class="stack" onSubmit={(event) => void send(event)}>
      {children}
      {problem !== '' && <Notice kind="bad">{problem}</Notice>}
      <div class="row">
        {isOffered && (
          <button class="first" aria-busy={isBusy}>
            {button}
          </button>
        )}
        {beside}
      </div>
    </form>
  )
}

export const Copy = ({ text, label = texts.copy }: { readonly text: string; readonly label?: string }) => {
  const [isDone, setDone] = useState(false)
  const copy = async (button: HTMLElement) => {
    // Browsers have it for https and for this machine only.
    const clipboard = navigator.clipboard as Clipboard | undefined
    if (clipboard) await clipboard.writeText(text)
    else copyBeside(button, text)
    setDone(true)
    setTimeout(() => setDone(false), 1500)
  }
  return (
    <button type="button" onClick={({ currentTarget }) => void copy(currentTarget)}>
      {isDone ? texts.copied : label}
    </button>
  )
}

/** As a person does: chosen in a field, inside of the dialog where there is one. */
const copyBeside = (button: HTMLElement, text: string): void => {
  const field = document.createElement('textarea')
  field.className = 'only-heard'
  field.value = text
  button.after(field)
  field.select()
  document.execCommand('copy')
  field.remove()
  button.focus()
}

export const Code = ({ text }: { readonly text: string }) => (
  <div class="code-line">
    <pre class="code" tabIndex={0}>
      {text}
    </pre>
    <Copy text={text} />
  </div>
)
