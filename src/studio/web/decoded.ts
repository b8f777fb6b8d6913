// Escaped text, as it stands in addresses. One that is no escaped text stands for itself: people cut addresses short,
// and write some by hand.

export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
