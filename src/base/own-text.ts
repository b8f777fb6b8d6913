// A part of a text keeps all of that in memory, as V8 cuts texts: an ID of twenty characters, say, the body of 16 MiB that
// it came in. So a part that is remembered beyond its call is copied.

/** The same text, which holds no other. */
export const ownText = (text: string): string =>
  text.isWellFormed() ? Buffer.from(text).toString() : Buffer.from(text, 'utf16le').toString('utf16le')
