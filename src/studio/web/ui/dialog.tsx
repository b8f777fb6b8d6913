// A dialog over the page, by the browser's own element: it keeps the keyboard inside, and Escape closes it.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { problemOf } from '../load.ts'
import { texts } from '../texts.ts'
import { Notice } from './parts.tsx'

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
  useEffect(() => place.current!.showModal(), [])
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
