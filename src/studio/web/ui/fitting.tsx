// The card of a list. A list that has room is a table; on a phone, and wherever the table would be wider than its card, each
// row is a block: buttons at the end of a row that scrolls sideways are not found on a tablet.
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

const phone = '(max-width: 640px)'

/** Measured as a table, before anything is painted. */
const fit = (card: HTMLElement): void => {
  card.classList.remove('blocks')
  card.classList.toggle('blocks', matchMedia(phone).matches || card.scrollWidth > card.clientWidth)
}

export const FittingList = ({ children }: { readonly children: ComponentChildren }) => {
  const card = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => fit(card.current!))
  useEffect(() => {
    const element = card.current!
    let width = element.clientWidth
    const observer = new ResizeObserver(() => {
      // Its height follows from the form that was chosen, and chooses none.
      if (element.clientWidth === width) return
      width = element.clientWidth
      fit(element)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <div class="card flush scroll" ref={card}>
      <table class="list">{children}</table>
    </div>
  )
}
