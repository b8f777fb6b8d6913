// Readings that a page repeats. Each begins after the one before has ended: a server that is slow is not asked faster than it
// answers, and a late reply never replaces a newer one.

/** The first turn is at once; later ones only while somebody looks. Ends by calling what it gives. */
export const repeat = (turn: () => Promise<void>, everyMs: number | undefined, isSeen: () => boolean): (() => void) => {
  let isEnded = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const goOn = () => {
    if (everyMs !== undefined && !isEnded)
      timer = setTimeout(() => (isSeen() ? void turn().then(goOn, goOn) : goOn()), everyMs)
  }
  void turn().then(goOn, goOn)
  return () => {
    isEnded = true
    clearTimeout(timer)
  }
}
