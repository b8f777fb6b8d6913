// The detail of a change in the audit log: the members that differ, before and after, as replies show them. Secrets are
// named and never shown, and no entry grows beyond a readable size.
//
//   auditChange({ name: 'a', role: 'guest' }, { name: 'a', role: 'admin' })
//   -> { before: { role: 'guest' }, after: { role: 'admin' } }
import { isDeepStrictEqual } from 'node:util'
import { firstCharacters } from '../base/errors.ts'

type Shown = Readonly<Record<string, unknown>>

export type AuditChange = { readonly before?: Shown; readonly after?: Shown }

/** A creation has no before, a deletion no after. `secrets` are members that no reply shows. */
export const auditChange = (
  before: Shown | undefined,
  after: Shown | undefined,
  secrets: readonly string[] = [],
): AuditChange => {
  const was = new Map(Object.entries(before ?? {}))
  const is = new Map(Object.entries(after ?? {}))
  const names = [...new Set([...was.keys(), ...is.keys()])].filter(
    (name) => !unshown.has(name) && !isDeepStrictEqual(was.get(name), is.get(name)),
  )
  const hidden = Object.fromEntries(secrets.map((name) => [name, notShown]))
  const shown = (from: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>) =>
    Object.fromEntries(
      names
        .filter((name) => from.get(name) !== undefined)
        .map((name) => [name, shortened(name, from.get(name), other.get(name))]),
    )
  return {
    ...(before === undefined ? {} : { before: shown(was, is) }),
    ...(after === undefined ? {} : { after: { ...shown(is, was), ...hidden } }),
  }
}

/** The subject of the entry is the uid; every change has a new version. */
const unshown: ReadonlySet<string> = new Set(['uid', 'version'])
const secret: ReadonlySet<string> = new Set(['secret', 'password'])
const notShown = '(not shown)'

const mostCharacters = 2000
const mostElements = 100

const shortened = (name: string, value: unknown, other: unknown): unknown => {
  if (secret.has(name)) return notShown
  const narrowed = Array.isArray(value) && Array.isArray(other) ? differing(value, other) : value
  const text = JSON.stringify(narrowed)
  return text.length <= mostCharacters
    ? narrowed
    : `${firstCharacters(text, mostCharacters)}… (${text.length} characters)`
}

/** The elements of a long list, such as a component's streams, that the other list does not have. */
const differing = (elements: readonly unknown[], others: readonly unknown[]): readonly unknown[] => {
  const known = new Set(others.map((element) => JSON.stringify(element)))
  return elements.filter((element) => !known.has(JSON.stringify(element))).slice(0, mostElements)
}
