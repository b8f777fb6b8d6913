// Looking up a stranger's word: 'constructor' and 'toString' are names that every object answers to, '__proto__' is one
// that it changes by. So tables of words are Maps, and an object that came as JSON is asked for what is its own. The
// compiler's word for it is in test/words.test.ts: no other file asks an object by a text.

/** What the object itself has under this name. */
export const ownMember = <T>(object: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** A table of words and what they mean. */
export const wordTable = <T>(words: Readonly<Record<string, T>>): ReadonlyMap<string, T> =>
  new Map(Object.entries(words))
