// Looks up a stranger's word: every object has 'constructor' and 'toString', and is changed by '__proto__'. So tables
// of words are Maps, and an object that came as JSON is asked for its own members. test/words.test.ts checks by the
// compiler that no other file asks an object by a text.

/** The object's own member of this name. */
export const ownMember = <T>(object: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** Gives the object's own member of this name another value; where it has none, nothing changes. */
export const setOwnMember = <T>(object: Record<string, T>, name: string, value: T): void => {
  if (Object.hasOwn(object, name)) object[name] = value
}

/** A table of words and their meanings. */
export const wordTable = <T>(words: Readonly<Record<string, T>>): ReadonlyMap<string, T> =>
  new Map(Object.entries(words))
