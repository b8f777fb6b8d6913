// The detail of a change in the audit log: the members that differ, before and after, as replies show them. Secrets are
// named and never shown, and no entry grows beyond a readable size. A list may have ten thousand elements, such as the
// streams of a component: it is compared in slices, and written no further than the entry goes.
//
//   await auditChange({ name: 'a', role: 'guest' }, { name: 'a', role: 'admin' })
//   -> { before: { role: 'guest' }, after: { role: 'admin' } }
import { isDeepStrictEqual } from 'node:util'
import { firstCharacters } from '../base/errors.ts'
import { ownMember } from '../base/own.ts'
import { inSlices, openBreath } from '../base/slices.ts'
import type { Sliced } from '../base/slices.ts'

type Shown = Readonly<Record<string, unknown>>

export type AuditChange = { readonly before?: Shown; readonly after?: Shown }

/** A change, or plain facts. */
export type AuditDetail = AuditChange | Readonly<Record<string, string | number | boolean | null | readonly string[]>>

/** A creation has no before, a deletion no after. `secrets` are members that no reply shows. */
export const auditChange = (
  before: Shown | undefined,
  after: Shown | undefined,
  secrets: readonly string[] = [],
): Promise<AuditChange> =>
  inSlices(
    compare(before, after, secrets),
    openBreath(() => {}),
  )

const compare = function* (
  before: Shown | undefined,
  after: Shown | undefined,
  secrets: readonly string[],
): Sliced<AuditChange> {
  const was = new Map<string, unknown>()
  const is = new Map<string, unknown>()
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  for (const name of names) {
    if (unshown.has(name)) continue
    const [old, now] = [ownMember(before ?? {}, name), ownMember(after ?? {}, name)]
    if (Array.isArray(old) && Array.isArray(now)) {
      const [only, others] = yield* differing(old, now)
      if (only.length + others.length === 0) continue
      was.set(name, shortened(name, only))
      is.set(name, shortened(name, others))
    } else if (!isDeepStrictEqual(old, now)) {
      if (old !== undefined) was.set(name, shortened(name, old))
      if (now !== undefined) is.set(name, shortened(name, now))
    }
    yield
  }
  for (const name of secrets) is.set(name, notShown)
  return {
    ...(before === undefined ? {} : { before: Object.fromEntries(was) }),
    ...(after === undefined ? {} : { after: Object.fromEntries(is) }),
  }
}

/** The subject of the entry is the uid; every change has a new version. */
const unshown: ReadonlySet<string> = new Set(['uid', 'version'])
const secret: ReadonlySet<string> = new Set(['secret', 'password'])
const notShown = '(not shown)'

const mostCharacters = 2000
const mostElements = 100

const shortened = (name: string, value: unknown): unknown => (secret.has(name) ? notShown : cut(value, mostCharacters))

const cut = (value: unknown, most: number): unknown => {
  if (Array.isArray(value)) return cutList(value, most)
  const text = JSON.stringify(value)
  return text.length <= most ? value : `${firstCharacters(text, most)}… (${text.length} characters)`
}

const cutList = (elements: readonly unknown[], most: number): unknown => {
  let text = '['
  for (const [index, element] of elements.entries()) {
    text += `${index > 0 ? ',' : ''}${JSON.stringify(element)}`
    if (text.length >= most) return `${firstCharacters(text, most)}… (${elements.length} elements)`
  }
  return elements
}

/** A uid is whole. */
const briefCharacters = 40

/** The names of all members, and of long values the beginning: for a tenant that has had its share of the day (audit.ts). */
export const briefDetail = (detail: AuditDetail): Shown => ({
  ...mapped(detail, (value) => (isSide(value) ? mapped(value, briefValue) : briefValue(value))),
  cut: 'long values: more than the share of the day',
})

const isSide = (value: unknown): value is Shown => typeof value === 'object' && value !== null && !Array.isArray(value)

const mapped = (members: object, change: (value: unknown) => unknown): Shown =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value)]))

const briefValue = (value: unknown): unknown => {
  if (typeof value !== 'string') return cut(value, briefCharacters)
  if (value.length <= briefCharacters) return value
  // One that is cut already keeps its first length.
  const end = /… \(\d+ (?:characters|elements)\)$/.exec(value)?.[0] ?? `… (${value.length} characters)`
  return `${firstCharacters(value, briefCharacters)}${end}`
}

/** The elements of either list that the other does not have, as many as an entry may show. */
const differing = function* (
  former: readonly unknown[],
  now: readonly unknown[],
): Sliced<readonly [readonly unknown[], readonly unknown[]]> {
  const texts = yield* textsOf(former)
  const nowTexts = yield* textsOf(now)
  const [inFormer, inNow] = [new Set(texts), new Set(nowTexts)]
  const only = former.filter((_, index) => !inNow.has(texts[index]!))
  const others = now.filter((_, index) => !inFormer.has(nowTexts[index]!))
  // In another order, the same elements are another list.
  if (only.length + others.length === 0 && texts.some((text, index) => text !== nowTexts[index])) return [former, now]
  return [only.slice(0, mostElements), others.slice(0, mostElements)]
}

const textsOf = function* (elements: readonly unknown[]): Sliced<readonly string[]> {
  const texts: string[] = []
  for (const element of elements) {
    texts.push(JSON.stringify(element))
    yield
  }
  return texts
}
