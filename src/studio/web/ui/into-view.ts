// On a phone the parts of the studio and of a page stand in a row that scrolls: the current one is scrolled into view.

/** Moves the row alone: scrollIntoView moves the page as well. */
export const intoView = (element: HTMLElement | null): void => {
  const row = element?.parentElement
  if (!element || !row || row.scrollWidth <= row.clientWidth) return
  const [own, whole] = [element.getBoundingClientRect(), row.getBoundingClientRect()]
  if (own.left < whole.left || own.right > whole.right)
    row.scrollLeft += own.left - whole.left - (whole.width - own.width) / 2
}
