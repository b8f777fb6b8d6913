// Reading a JSON object by an allow list: each member has a reader, an unknown member is refused by name. A reader
// carries the schema of the values that it takes, so that a request is described by the readers that judge it
// (docs/replies.md#description).
//
//   readMembers('unit', body, { name: text(1, 512), symbol: text(0, 32) })  ->  { name?: string, symbol?: string }
import { badRequest, listed, shorten } from '../errors.ts'
import { ownMember } from '../own.ts'
import { lastMs } from './params.ts'
import { orNull } from './schema.ts'
import type { Schema } from './schema.ts'

export type Reader<T> = { (name: string, value: unknown): T; readonly schema: Schema }

export const reader = <T>(schema: Schema, read: (name: string, value: unknown) => T): Reader<T> =>
  Object.assign(read, { schema })

/** Judges further a value that another reader has let through. */
export const further = <Given, T>(
  first: Reader<Given>,
  schema: Schema,
  read: (name: string, value: Given) => T,
): Reader<T> => reader({ ...first.schema, ...schema }, (name, value) => read(name, first(name, value)))

export type Shape = Readonly<Record<string, Reader<unknown>>>
export type Members<S extends Shape> = { -readonly [Name in keyof S]?: Exclude<ReturnType<S[Name]>, undefined> }

export const readMembers = <S extends Shape>(what: string, body: unknown, shape: S): Members<S> => {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw badRequest(`${what} must be a JSON object`)
  const members = new Map<string, unknown>()
  for (const [name, value] of Object.entries(body)) {
    const read = ownMember(shape, name)
    if (read === undefined)
      throw badRequest(`${what} has no member '${shorten(name)}', it has ${listed(Object.keys(shape))}`)
    const member = read(name, value)
    if (member !== undefined) members.set(name, member)
  }
  return Object.fromEntries(members) as Members<S>
}

/** The members that must be there; all that are missing are named at once. */
export const needed = <Given extends object, Name extends keyof Given & string>(
  what: string,
  given: Given,
  ...names: readonly Name[]
): Given & { readonly [N in Name]: Exclude<Given[N], undefined | null> } => {
  const missing = names.filter((name) => given[name] === undefined || given[name] === null)
  if (missing.length > 0)
    throw badRequest(
      `${what} needs ${names.join(', ')}: ${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} missing`,
    )
  return given as never
}

export const schemaOf = (shape: Shape, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(shape).map(([name, { schema }]) => [name, schema])),
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
})

/** An object inside another. */
export const objectOf = <S extends Shape>(shape: S): Reader<Members<S>> =>
  reader(schemaOf(shape), (name, value) => readMembers(name, value, shape))

/** A member that replies carry and requests may echo, such as uid; its value is not looked at. */
export const shownOnly = (schema: Schema): Reader<undefined> => reader({ ...schema, readOnly: true }, () => undefined)

export const shownUid = shownOnly({ type: 'string' })

export const text = (least: number, most: number): Reader<string> =>
  reader({ type: 'string', ...(least > 0 ? { minLength: least } : {}), maxLength: most }, (name, value) => {
    if (typeof value !== 'string') throw badRequest(`${name} must be a string`)
    // Counting costs more than all the rest, and there are never more code points than code units, nor less than half as many.
    const length = value.length <= 2 * most && (value.length > most || least > 1) ? codePoints(value) : value.length
    if (length < least)
      throw badRequest(least === 1 ? `${name} must not be empty` : `${name} must have at least ${least} characters`)
    if (length > most) throw badRequest(`${name} must have at most ${most} characters`)
    if (value.includes('\0') || !value.isWellFormed()) throw badRequest(`${name} has a character that cannot be stored`)
    return value
  })

export const boolean: Reader<boolean> = reader({ type: 'boolean' }, (name, value) => {
  if (typeof value !== 'boolean') throw badRequest(`${name} must be true or false`)
  return value
})

/** A filter of a list: true or false as the text of a parameter. */
export const trueOrFalse: Reader<boolean> = reader({ type: 'boolean' }, (name, value) => {
  if (value !== 'true' && value !== 'false') throw badRequest(`${name} must be true or false`)
  return value === 'true'
})

export const wholeNumber = (least: number, most: number): Reader<number> =>
  reader({ type: 'integer', minimum: least, maximum: most }, (name, value) => {
    if (!Number.isInteger(value) || (value as number) < least || (value as number) > most)
      throw badRequest(`${name} must be a whole number from ${least} to ${most}`)
    return value as number
  })

/** A moment from 1970 on. */
export const epochMs: Reader<number> = reader({ type: 'integer', minimum: 0, maximum: lastMs }, (name, value) => {
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > lastMs)
    throw badRequest(`${name} must be epoch milliseconds, such as 1798761600000 for 2027-01-01T00:00:00Z`)
  return value as number
})

/** Counts the changes of an entity: one that names an old version is refused. */
export const versionNumber = wholeNumber(1, 2 ** 31 - 1)

export const oneOf = <Word extends string>(...words: readonly Word[]): Reader<Word> =>
  reader({ type: 'string', enum: words }, (name, value) => {
    if (!words.includes(value as Word)) throw badRequest(`${name} must be one of ${words.join(', ')}`)
    return value as Word
  })

export const nullable = <T>(read: Reader<T>): Reader<T | null> =>
  reader(orNull(read.schema), (name, value) => (value === null ? null : read(name, value)))

/** Null and the empty string both say that it is not set. */
export const blankable = <T>(read: Reader<T>): Reader<T | null> =>
  reader(orNull(read.schema), (name, value) => (value === null || value === '' ? null : read(name, value)))

/**
 * Null and the empty string give nothing, for a member that is always set: a new entity gets the default, a known one
 * keeps its value.
 */
export const unlessBlank = <T>(read: Reader<T>): Reader<T | undefined> =>
  reader(orNull(read.schema), (name, value) => (value === null || value === '' ? undefined : read(name, value)))

export const list = <T>(most: number, read: Reader<T>): Reader<readonly T[]> =>
  reader({ type: 'array', items: read.schema, maxItems: most }, (name, value) => {
    if (!Array.isArray(value)) throw badRequest(`${name} must be an array`)
    if (value.length > most) throw badRequest(`${name} must have at most ${most} elements`)
    return value.map((element, index) => read(`${name}[${index}]`, element))
  })

export const timeZone: Reader<string> = further(
  text(1, 64),
  { description: 'an IANA time zone', examples: ['Europe/Berlin'] },
  (name, zone) => {
    // Offsets such as +05:00 are accepted by Intl, but a calendar needs the rules of daylight saving.
    if (!/^[A-Za-z]/.test(zone)) throw badRequest(`${name} must be a time zone such as Europe/Berlin`)
    try {
      const known = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
      // Asia/Kolkata resolves to Asia/Calcutta, an older name of the same rules: a caller reads the name that was given.
      return known.toLowerCase() === zone.toLowerCase() ? known : zone
    } catch {
      throw badRequest(`${name} '${shorten(zone)}' is not a time zone`)
    }
  },
)

/** IDs of components, streams, cycles and units (docs/words.md): not trimmed, no control characters. */
export const identifier: Reader<string> = further(text(1, 512), {}, (name, id) => {
  if (/[\u0000-\u001f\u007f-\u009f]/.test(id)) throw badRequest(`${name} has a control character`)
  return id
})

const codePoints = (value: string) => {
  let count = 0
  for (const _ of value) count += 1
  return count
}
