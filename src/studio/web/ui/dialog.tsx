// A dialog over the page, by the browser's own element: it keeps the keyboard inside, and Escape closes it.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { problemOf } from '../load.ts'
import { texts } from '../texts.ts'
import { Code, Notice } from './parts.tsx'

export const Dialog = ({
  title,
  close,
  isWide = false,
  children,
}: {
  readonly title: string
  readonly close: () => void
  readonly isWide?: boolean
  readonly children: ComponentChildren
}) => {
  const place = useRef<HTMLDialogElement>(null)
  const begun = useRef<Element>(null)
  useEffect(() => place.current!.showModal(), [])
  // The browser does it for fields that are there from the beginning; some wait for the server.
  useEffect(() => {
    const field = place.current!.querySelector<HTMLElement>('[autofocus]')
    if (field === null || field === begun.current) return
    begun.current = field
    field.focus()
  })
  return (
    <dialog ref={place} class={isWide ? 'wide' : ''} aria-label={title} onClose={close}>
      <div class="stack">
        <div class="head">
          <h2>{title}</h2>
          <div class="actions">
            <button class="bare" type="button" onClick={close}>
              {texts.close}
            </button>
          </div>
        </div>
        {children}
      </div>
    </dialog>
  )
}

/** A button that asks once more before it does what cannot be undone. */
export const Remove = ({
  name,
  loss,
  remove,
}: {
  readonly name: string
  /** What goes with it. */
  readonly loss?: string | undefined
  readonly remove: () => Promise<void>
}) => {
  const [isAsked, setAsked] = useState(false)
  const [problem, setProblem] = useState('')
  const confirm = async () => {
    setProblem('')
    try {
      await remove()
      setAsked(false)
    } catch (error) {
      setProblem(problemOf(error))
    }
  }
  return (
    <>
      <button type="button" class="bare danger" onClick={() => setAsked(true)}>
        {texts.remove}
      </button>
      {isAsked && (
        <Dialog title={texts.sure(name)} close={() => setAsked(false)}>
          {loss && <p>{loss}</p>}
          {problem !== '' && <Notice kind="bad">{problem}</Notice>}
          <div class="row">
            <button class="danger" onClick={() => void confirm()}>
              {texts.remove}
            </button>
            <button onClick={() => setAsked(false)}>{texts.cancel}</button>
          </div>
        </Dialog>
      )}
    </>
  )
}

/** A text to copy that only a few may see, or why this person may not. */
export type Revealed = { readonly text: string } | { readonly problem: string }

export const reveal = async (ask: () => Promise<string>): Promise<Revealed> => {
  try {
    return { text: await ask() }
  } catch (error) {
    return { problem: problemOf(error) }
  }
}

export const RevealedDialog = ({
  title,
  careful,
  of,
  close,
}: {
  readonly title: string
  /** What to do with it, and what not. */
  readonly careful: string
  readonly of: Revealed
  readonly close: () => void
}) => (
  <Dialog title={title} close={close}>
    {'text' in of ? (
      <>
        <Notice kind="warn">{careful}</Notice>
        <Code text={of.text} />
      </>
    ) : (
      <Notice kind="bad">{of.problem}</Notice>
    )}
  </Dialog>
)
