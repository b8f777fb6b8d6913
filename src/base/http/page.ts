// The query of a list: its page, its order and its filters. An unknown filter is refused: misspelled, it would show the
// whole list.
//
//   ?folder=/Components/Plant&sort=-name,id&limit=20  ->  the last names first, those of one name by their IDs
import { badRequest, listed, shorten } from '../errors.ts'
import type { Members, Reader, Shape } from './members.ts'
import { reader, text } from './members.ts'
import { integerFrom, refuseUnknown } from './params.ts'
import type { Query } from './query-string.ts'

type Sort = { readonly by: string; readonly isDescending: boolean }

type Page = {
  readonly start: number
  readonly limit: number
  readonly text: string
  /** The words that were given; none: the usual order. */
  readonly sort: readonly Sort[]
}

const mostRows = 1000

const wholeFrom = (least: number, description: string, more: { readonly default: number; readonly maximum?: number }) =>
  reader({ type: 'integer', minimum: least, description, ...more }, (name, value) =>
    integerFrom(name, value as string, least),
  )

const pageParameters = {
  start: wholeFrom(0, 'how many are left out before the first', { default: 0 }),
  limit: wholeFrom(1, `how many are shown, ${mostRows} at most`, { default: 100 }),
  text: text(0, 512),
}

/** The parameters of a list that has these filters and can be sorted by these members. */
export const listParameters = <Filters extends Shape>(filters: Filters, sorts: readonly string[]) => ({
  ...pageParameters,
  ...(sorts.length > 0 ? { sort: sortBy(sorts) } : {}),
  ...filters,
})

const sortBy = (words: readonly string[]): Reader<readonly Sort[]> => {
  const byKey = new Map(words.map((word) => [word.toLowerCase(), word]))
  const description = `members to sort by, the first one first, - before one for descending: ${words.join(', ')}`
  return reader({ type: 'string', description, examples: [`-${words[0]}`] }, (name, value) => {
    const sorts = (value as string).split(',').map((written) => {
      const given = written.trim()
      const isDescending = given.startsWith('-')
      const by = byKey.get((isDescending ? given.slice(1) : given).toLowerCase())
      if (by === undefined)
        throw badRequest(`${name} takes ${listed(words)} (-${words[0]}: descending), not '${shorten(given, 40)}'`)
      return { by, isDescending }
    })
    const twice = sorts.find(({ by }, index) => sorts.findIndex((each) => each.by === by) < index)
    if (twice) throw badRequest(`${name} names ${twice.by} twice`)
    return sorts
  })
}

/** The page, and those filters that are given. */
export const readPage = <Filters extends Shape>(
  query: Query,
  filters: Filters,
  sorts: readonly string[] = [],
): Page & Members<Filters> => {
  refuseUnknown(query, Object.keys(listParameters(filters, sorts)))
  const given = Object.entries(filters).flatMap(([name, read]) => {
    const value = query.get(name.toLowerCase())
    return value === undefined ? [] : [[name, read(name, value)]]
  })
  const { start, limit, text: searched } = pageParameters
  const sort = query.get('sort')
  return {
    start: start('start', query.get('start') ?? '0'),
    limit: Math.min(mostRows, limit('limit', query.get('limit') ?? '100')),
    text: searched('text', query.get('text') ?? ''),
    sort: sort === undefined || sort === '' ? [] : sortBy(sorts)('sort', sort),
    ...(Object.fromEntries(given) as Members<Filters>),
  }
}
