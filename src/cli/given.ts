// The arguments of a command as they were given, and their values.

/** The options as they were given, those of all commands too, and the arguments between them. */
export type Given = {
  readonly values: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>
  readonly positionals: readonly string[]
}

/** A wrong argument: exit code 2, with a hint at the help. */
export class UsageError extends Error {}

/** The value of an option that has one. */
export const textOf = ({ values }: Given, name: string): string | undefined => {
  const value = memberOf(values, name)
  return typeof value === 'string' ? value : undefined
}

export const textsOf = ({ values }: Given, name: string): readonly string[] => {
  const value = memberOf(values, name)
  return Array.isArray(value) ? (value as readonly string[]) : []
}

export const isGiven = ({ values }: Given, name: string): boolean => memberOf(values, name) === true

export const wholeNumberOf = (given: Given, name: string): number | undefined => {
  const text = textOf(given, name)
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--${name} must be a whole number, not '${text}'`)
  return Number(text)
}

/** An object's own member: words that users type are looked up. */
export const memberOf = <T>(object: Readonly<Record<string, T>>, name: string): T | undefined =>
  new Map(Object.entries(object)).get(name)
