// The place in the studio, kept behind the # of the address (docs/studio.md#addresses): #/component/<uid>?from=…. The
// server knows one page only, and a link shows a colleague the same.
import { signal } from '@preact/signals'
import { decoded } from './decoded.ts'

export type Place = { readonly path: readonly string[]; readonly query: URLSearchParams }

const readPlace = (): Place => {
  const text = location.hash.replace(/^#\/?/, '')
  const mark = text.indexOf('?')
  const path = mark < 0 ? text : text.slice(0, mark)
  return {
    path: path.split('/').filter(Boolean).map(decoded),
    query: new URLSearchParams(mark < 0 ? '' : text.slice(mark + 1)),
  }
}

export const place = signal(readPlace())
addEventListener('hashchange', () => (place.value = readPlace()))

export type QueryOf = Readonly<Record<string, string | readonly string[] | undefined>>

/** The address of a place: to(['component', uid], { tab: 'files' }). */
export const to = (path: readonly string[], query: QueryOf = {}): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (value === undefined ? [] : typeof value === 'string' ? [value] : value).map((each) => [name, each]),
  )
  const search = new URLSearchParams(pairs).toString()
  return `#/${path.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`
}

export const go = (path: readonly string[], query?: QueryOf): void => {
  location.hash = to(path, query)
}

/** Changes the query of the place that is shown, without a step in the browser's history. */
export const replaceQuery = (query: QueryOf): void => {
  history.replaceState(null, '', to(place.value.path, query))
  place.value = readPlace()
}
