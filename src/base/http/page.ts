// The query of a list: its page and its filters. An unknown filter is refused: misspelled, it would show the whole
// list.
import type { Members, Shape } from './members.ts'
import { reader, text } from './members.ts'
import { integerFrom, refuseUnknown } from './params.ts'
import type { Query } from './query-string.ts'

type Page = { readonly start: number; readonly limit: number; readonly text: string }

const mostRows = 1000

const wholeFrom = (least: number, description: string, more: { readonly default: number; readonly maximum?: number }) =>
  reader({ type: 'integer', minimum: least, description, ...more }, (name, value) =>
    integerFrom(name, value as string, least),
  )

export const pageParameters = {
  start: wholeFrom(0, 'how many are left out before the first', { default: 0 }),
  limit: wholeFrom(1, `how many are shown, ${mostRows} at most`, { default: 100 }),
  text: text(0, 512),
}

/** The page, and those filters that are given. */
export const readPage = <Filters extends Shape>(query: Query, filters: Filters): Page & Members<Filters> => {
  refuseUnknown(query, [...Object.keys(pageParameters), ...Object.keys(filters)])
  const given = Object.entries(filters).flatMap(([name, read]) => {
    const value = query.get(name.toLowerCase())
    return value === undefined ? [] : [[name, read(name, value)]]
  })
  const { start, limit, text: searched } = pageParameters
  return {
    start: start('start', query.get('start') ?? '0'),
    limit: Math.min(mostRows, limit('limit', query.get('limit') ?? '100')),
    text: searched('text', query.get('text') ?? ''),
    ...(Object.fromEntries(given) as Members<Filters>),
  }
}
