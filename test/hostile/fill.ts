// Texts as long as they may be.

export const megabyte = 1024 * 1024
/** The room of an address and its headers. */
export const mostHead = 60_000

export const head = (text: string) => text.repeat(Math.floor(mostHead / text.length))
export const long = (text: string, bytes = 15 * megabyte) => text.repeat(Math.floor(bytes / text.length))
/** As much as a script may have, with a number in each part. */
export const parts = (before: string, part: (n: number) => string, after = '', between = ',') => {
  let text = before + part(0)
  for (let n = 1; text.length < 64_000 - after.length; n += 1) text += between + part(n)
  return text + after
}
