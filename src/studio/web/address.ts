// Addresses of places behind the # (docs/studio.md#addresses), and the organization that they are of: IDs are those of one
// organization, so that a link that does not name it would show a person of several another component of the same ID. Pure.
import { decoded } from './decoded.ts'

export type Place = { readonly path: readonly string[]; readonly query: URLSearchParams }

export type QueryOf = Readonly<Record<string, string | readonly string[] | undefined>>

/** The server's own address, without a slash at its end: the page stands at alt/ below it, and a proxy may have a path. */
export const serverAt = (page: string): string => new URL('..', page.replace(/[?#].*$/s, '')).href.replace(/\/$/, '')

export const placeAt = (hash: string): Place => {
  const text = hash.replace(/^#\/?/, '')
  const mark = text.indexOf('?')
  const path = mark < 0 ? text : text.slice(0, mark)
  return {
    path: path.split('/').filter(Boolean).map(decoded),
    query: new URLSearchParams(mark < 0 ? '' : text.slice(mark + 1)),
  }
}

/** With the organization, where there is a choice. */
export const addressOf = (path: readonly string[], query: QueryOf, org?: string): string => {
  const pairs = Object.entries({ ...query, org }).flatMap(([name, value]) =>
    (value === undefined ? [] : typeof value === 'string' ? [value] : value).map((each): [string, string] => [
      name,
      each,
    ]),
  )
  const search = new URLSearchParams(pairs).toString()
  return `#/${path.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`
}

/** The same place in this organization, or in none. */
export const addressIn = ({ path, query }: Place, org?: string): string => {
  const names = [...new Set(query.keys())].filter((name) => name !== 'org')
  return addressOf(path, Object.fromEntries(names.map((name) => [name, query.getAll(name)])), org)
}

type Named = { readonly uid: string }

/** Of the person's organizations the one that the address names, else the one last chosen, else the first. */
export const organizationAt = <Membership extends Named>(
  all: readonly Membership[],
  linked: string,
  chosen: string,
): Membership | undefined => all.find(({ uid }) => uid === linked) ?? all.find(({ uid }) => uid === chosen) ?? all[0]

/** Whether the address names one that the person does not belong to: its content is not looked for in another. */
export const isElsewhere = (all: readonly Named[], linked: string): boolean =>
  linked !== '' && !all.some(({ uid }) => uid === linked)
